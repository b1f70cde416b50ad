/** One task of a batch in the grid: its picture, or its state where it has no result; below it what differs from the others. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { joinWords } from "../../../domain/words/joinWords";
import { cutLabel } from "../../../domain/words/label";
import type { VariantView } from "../../contract/batchPageContract";
import { type CellContext, cellOf, type CellPlace, cellStars, resultMedia, spokenMarks } from "./resultCell";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import { toneIcon } from "../shared/stateChip";

/** Lines below each picture of these. */
export function linesOf(variants: readonly VariantView[]): number {
  return variants.some(({ difference }) => difference !== undefined) ? 2 : 1;
}

export function variantCell(variant: VariantView, place: CellPlace, context: CellContext): TemplateResult {
  const { choice, difference, about, state, hasResult, isArriving, prompt } = variant;
  const tile: VariantView["state"] | undefined =
    isArriving === true ? { name: t("arriving"), tone: "running" } : hasResult ? undefined : state;
  const number = String(place.index + 1);
  const kept = choice === "kept" ? t("Kept ✓") : undefined;
  const [first = "", ...others] = [...(difference === undefined ? [] : [difference]), about].map(revealName);
  const marks = [cellStars(variant), choice === "rejected" ? icon("circle-slash") : nothing];
  return cellOf(variant, place, {
    media: html`${tile === undefined ? resultMedia(variant, place, context) : stateTile(tile)}
    ${kept === undefined ? nothing : html`<span class="variant-kept">${kept}</span>`}`,
    lines: [
      html`<span class="number">${number}</span> <span class="cell-prompt">${first}</span> ${marks}`,
      ...others.map((words) => html`<span class="cell-prompt quiet-text">${words}</span>`),
    ],
    // What is seen comes first and in its order: voice control finds the picture by that.
    spoken: joinWords(
      [
        tile?.name ?? "",
        kept ?? "",
        number,
        first,
        ...others,
        hasResult ? state.name : "",
        ...spokenMarks(variant),
        revealName(cutLabel(prompt)),
      ].filter((words) => words !== ""),
    ),
    title: [state.name, first, ...others].join("\n"),
  });
}

function stateTile({ name, tone }: VariantView["state"]): TemplateResult {
  return html`<span class="cell-tile tone-${tone}">${icon(toneIcon(tone))}<span>${name}</span></span>`;
}
