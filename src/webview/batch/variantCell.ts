/** One task of a batch in the grid: its picture, or its state where it has no result; below it what differs from the others. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { joinWords } from "../../domain/words/joinWords";
import type { VariantView } from "../../protocol/batchPageContract";
import {
  type CellContext,
  cellMarks,
  cellOf,
  type CellPlace,
  cellStars,
  resultMedia,
  spokenMarks,
} from "../results/resultCell";
import { revealName } from "../shared/hiddenCharacters";
import { icon } from "../shared/iconView";
import { stateChip, toneIcon } from "../shared/stateChip";

/** Lines below each picture of these. */
export function linesOf(variants: readonly VariantView[]): number {
  return variants.some(({ difference }) => difference !== undefined) ? 3 : 2;
}

export function variantCell(variant: VariantView, place: CellPlace, context: CellContext): TemplateResult {
  const { choice, difference, about, state, spoken, hasResult } = variant;
  const isKept = choice === "kept";
  const status = isKept ? html`<span class="variant-kept">${t("Kept ✓")}</span>` : stateChip(state);
  const words = [difference, about].filter((part): part is string => part !== undefined).map(revealName);
  return cellOf(variant, place, {
    media: hasResult
      ? resultMedia(variant, context)
      : html`<span class="variant-state">${icon(toneIcon(state.tone))}</span>`,
    lines: [
      html`<span class="number">${place.index + 1}</span>
        <span class="variant-chip">${status}</span>${isKept ? cellStars(variant) : cellMarks(variant)}`,
      ...words.map((part) => html`<span class="cell-prompt quiet-text">${part}</span>`),
    ],
    spoken: joinWords([String(place.index + 1), revealName(spoken), ...spokenMarks(variant)]),
    title: words.join("\n"),
  });
}
