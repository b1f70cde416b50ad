/** The page of a batch: what became of it in two lines, and its results as a light table, with what differs below each picture. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { BatchPageIntent, BatchPageSnapshot, VariantView } from "../../contract/batchPageContract";
import { ResultTable } from "./resultTable";
import { revealName } from "../../../webview/hiddenCharacters";
import type { PageActions } from "../../../webview/page";
import { linesOf, variantCell } from "./variantCell";

/** The width of a cell at least, in pixels: twelve are in view at once in a usual tab. */
const cellSize = 200;

export class BatchTemplate {
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
