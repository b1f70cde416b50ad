/** Entry of the page of a batch, and its template: the variants side by side. */
import "../../webview/styles/page.css";
import "../../webview/styles/actionList.css";
import "../../webview/styles/results.css";
import "../../webview/styles/batch.css";
import "../../webview/styles/compare.css";
import type {
  BatchPageContract,
  BatchPageEvent,
  BatchPageSnapshot,
  BatchPageIntent,
  VariantView,
} from "../contract/batchPageContract";
import { startPage, type PageActions } from "../../webview/page";
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { ResultTable } from "./gallery/resultTable";
import { revealName } from "../../webview/hiddenCharacters";
import { joinWords } from "../../domain/words/joinWords";
import { cutLabel } from "../../domain/words/label";
import {
  type CellContext,
  cellOf,
  type CellPlace,
  cellStars,
  rehearsedMark,
  resultMedia,
  spokenMarks,
} from "./gallery/resultCell";
import { icon } from "../../webview/pageParts";
import { gallerySectionBar } from "./sectionBar";
import { toneIcon } from "./stateChip";

/** A variant that did not change stays the same object. */
function reduceBatchPage(before: BatchPageSnapshot, event: BatchPageEvent): BatchPageSnapshot {
  const known = new Map(before.variants.map((one) => [one.id, one]));
  for (const changed of event.variants) known.set(changed.id, changed);
  const { summary, isGettingResults, options, order } = event;
  return { ...before, summary, isGettingResults, options, variants: order.flatMap((id) => known.get(id) ?? []) };
}

// The page sums up the batch in two lines, and shows its results with their differences below each picture.

/** The least width of a cell in pixels, with which twelve cells are in view at once in a usual tab. */
const cellSize = 200;

class BatchTemplate {
  readonly #actions: PageActions<BatchPageIntent>;
  readonly #table: ResultTable<VariantView>;

  constructor(actions: PageActions<BatchPageIntent>) {
    this.#actions = actions;
    this.#table = new ResultTable(actions, { cell: variantCell, firstActions: ["save-into-workspace"] });
  }

  render(snapshot: BatchPageSnapshot): TemplateResult {
    const { summary, variants, base, folder, options } = snapshot;
    this.#table.update({ base, folder, source: variants, rows: variants, options });
    return html`<div class="page results-page">
      <header>
        ${gallerySectionBar("batch", snapshot.subject, (section) => this.#actions.send({ type: "section-open", section }))}
        <h1>${revealName(summary.title)}</h1>
        <p>${summary.states}</p>
        <p class="quiet-text">${summary.money}</p>
        ${this.#missing(snapshot)}
      </header>
      ${
        variants.length === 0
          ? html`<p class="missing">${t("No task of this batch is on the list.")}</p>`
          : html`${this.#table.renderGrid(cellSize, linesOf(variants))} ${this.#table.renderBar()}`
      }
      ${this.#table.renderDialog()}
    </div>`;
  }

  rendered(): void {
    this.#table.rendered();
  }

  #missing({ variants, isGettingResults }: BatchPageSnapshot): TemplateResult | typeof nothing {
    const count = variants.filter(
      ({ hasResult, file, isArriving }) => hasResult && file === undefined && isArriving !== true,
    ).length;
    if (count === 0) return nothing;
    return html`<p class="missing-results">
      <span>${t("Results that are at the gateway only: {0}. Their links expire.", count)}</span>
      <button
        type="button"
        class="button secondary"
        ?disabled=${isGettingResults}
        @click=${() => this.#actions.send({ type: "results-get" })}
      >
        ${isGettingResults ? t("Getting the results…") : t("Get Results")}
      </button>
    </p>`;
  }
}

/** The number of lines below each picture of these variants. */
function linesOf(variants: readonly VariantView[]): number {
  return variants.some(({ difference }) => difference !== undefined) ? 2 : 1;
}

/** One task of a batch: its picture, or its state where it has no result, with its differences from the others below. */
function variantCell(variant: VariantView, place: CellPlace, context: CellContext): TemplateResult {
  const { choice, difference, about, state, hasResult, isArriving, prompt } = variant;
  const tile: VariantView["state"] | undefined =
    isArriving === true ? { name: t("arriving"), tone: "running" } : hasResult ? undefined : state;
  const number = String(place.index + 1);
  const kept = choice === "kept" ? t("Kept ✓") : undefined;
  const [first = "", ...others] = [...(difference === undefined ? [] : [difference]), about].map(revealName);
  const marks = [
    tile === undefined ? rehearsedMark(variant) : nothing,
    cellStars(variant),
    choice === "rejected" ? icon("circle-slash") : nothing,
  ];
  return cellOf(variant, place, {
    media: html`${tile === undefined ? resultMedia(variant, place, context) : stateTile(tile)}
    ${kept === undefined ? nothing : html`<span class="variant-kept">${kept}</span>`}`,
    lines: [
      html`<span class="number">${number}</span> <span class="cell-prompt">${first}</span> ${marks}`,
      ...others.map((words) => html`<span class="cell-prompt quiet-text">${words}</span>`),
    ],
    // The visible words come first and in their order, because voice control finds the picture by them.
    spoken: joinWords(
      [
        tile?.name ?? "",
        kept ?? "",
        number,
        first,
        ...others,
        hasResult && variant.isRehearsed !== true ? state.name : "",
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

startPage<BatchPageContract>((actions) => {
  const page = new BatchTemplate(actions);
  return {
    reduce: reduceBatchPage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, section: "batch" }),
    announce: (before, now) => (before.summary.states === now.summary.states ? undefined : now.summary.states),
    rendered: () => page.rendered(),
  };
});
