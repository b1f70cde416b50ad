/** The gallery: the results on this machine that pass the filter as a grid, with what a person does with those that are selected (T15). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/fields.css";
import "../../../webview/styles/actionList.css";
import "../../../webview/styles/results.css";
import "../../../webview/styles/gallery.css";
import "../../../webview/styles/compare.css";
import {
  type GalleryPageContract,
  reduceGallery,
  type ComparedResults,
  type GalleryPageIntent,
  type GalleryRow,
  type GallerySnapshot,
  type ResultUses,
} from "../../contract/galleryPageContract";
import { startPage, type PageActions } from "../../../webview/page";
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { resultCell, countWords, resultWords } from "./resultCell";
import { ResultTable } from "./resultTable";
import { filterBar } from "./filterBar";
import { type GalleryChoices, readChoices, arrangeResults, countFilters, noResultFilter } from "./resultFilter";
import { maxReferenceBytes } from "../../../domain/environment";
import { listenToPictures } from "../formFields";
import { gallerySectionBar } from "../sectionBar";

/** The rows that are shown, with the rows and choices that they were made from. */
interface Arranged {
  readonly source: readonly GalleryRow[];
  readonly choices: GalleryChoices;
  readonly uses: ResultUses | undefined;
  readonly rows: readonly GalleryRow[];
}

/** Opens the form with a picture that is dropped or pasted; the form offers the prompt in its metadata. A drag from the page itself is ignored. */
function takePictures(send: (intent: GalleryPageIntent) => void): void {
  let isOwn = false;
  window.addEventListener("dragstart", () => (isOwn = true));
  window.addEventListener("dragend", () => (isOwn = false));
  const ignoreOwn = (event: Event): void => {
    if (isOwn) event.stopPropagation();
  };
  window.addEventListener("dragover", ignoreOwn, { capture: true });
  window.addEventListener("drop", ignoreOwn, { capture: true });
  listenToPictures({
    send,
    limit: () => maxReferenceBytes,
    mark: (isOver) => document.body.classList.toggle("dropping", isOver),
    reading: () => undefined,
  });
}

class GalleryPage {
  readonly #actions: PageActions<GalleryPageIntent>;
  readonly #table: ResultTable<GalleryRow>;
  #choices: GalleryChoices;
  #arranged: Arranged | undefined;
  /** The last request of the host to compare results that was carried out. */
  #asked: ComparedResults | undefined;
  /** Whether the host was asked which results the project uses, since the filter began to ask for it. */
  #hasAskedForUses = false;
  /** The number of results that was announced last. */
  #announced: number | undefined;

  constructor(actions: PageActions<GalleryPageIntent>) {
    this.#actions = actions;
    this.#choices = readChoices(actions.kept);
    this.#table = new ResultTable(actions, { cell: resultCell, firstActions: ["open-task", "get-result"] });
    takePictures(actions.send);
  }

  /** The state that VS Code keeps for the tab. */
  get saved(): { readonly choices: GalleryChoices; readonly selected: readonly string[] } {
    return { choices: this.#choices, selected: this.#table.keptIds };
  }

  render(snapshot: GallerySnapshot): TemplateResult {
    const { source, rows } = this.#arrange(snapshot);
    const { base, folder, options = {} } = snapshot;
    this.#table.update({ base, folder, source, rows, options });
    if (snapshot.compared !== undefined && snapshot.compared !== this.#asked) {
      this.#asked = snapshot.compared;
      this.#table.compare(snapshot.compared.ids);
    }
    return html`<div class="page results-page gallery-page">
      <header>
        ${gallerySectionBar("results", snapshot.subject, (section) => this.#actions.send({ type: "section-open", section }))}
        <h1>${t("Gallery")}</h1>
        <p class="quiet-text">
          ${this.#isLooking(snapshot) ? nothing : countWords(rows.length, source.length, snapshot)}
        </p>
        ${
          source.length === 0
            ? nothing
            : html`<button
                type="button"
                class="button secondary"
                @click=${() => this.#actions.send({ type: "form-open", tasks: [...this.#table.selected] })}
              >
                ${t("New Media Task…")}
              </button>`
        }
      </header>
      ${
        source.length === 0
          ? this.#empty(snapshot)
          : html`${filterBar({ rows: source, choices: this.#choices, change: (change) => this.#change(change) })}
            ${this.#results(snapshot, rows)} ${this.#table.renderBar()}`
      }
      ${this.#table.renderDialog()}
    </div>`;
  }

  /** Whether the filter asks for the uses of results while they are not known. */
  #isLooking({ uses }: GallerySnapshot): boolean {
    return this.#choices.filter.use !== "" && !Array.isArray(uses);
  }

  #results(snapshot: GallerySnapshot, rows: readonly GalleryRow[]): TemplateResult {
    if (this.#isLooking(snapshot))
      return html`<p class="missing" role="status">
        ${snapshot.uses === "unknown" ? t("Where results are used is not known: the project could not be read.") : t("Looking for where results are used…")}
      </p>`;
    return rows.length === 0 ? this.#noMatch() : this.#table.renderGrid(this.#choices.size, 1);
  }

  rendered(): void {
    this.#table.rendered();
    this.#askForUses();
    const count = this.#arranged?.rows.length ?? 0;
    if (this.#announced !== undefined && this.#announced !== count) this.#actions.announce(resultWords(count));
    this.#announced = count;
  }

  /** Asks each time that the filter is chosen, because the project may have changed meanwhile. */
  #askForUses(): void {
    const isAsked = this.#choices.filter.use !== "";
    if (isAsked && !this.#hasAskedForUses) this.#actions.send({ type: "uses-find" });
    this.#hasAskedForUses = isAsked;
  }

  /** Rows that have not changed are not arranged again. */
  #arrange({ rows: source, uses, locked }: GallerySnapshot): Arranged {
    const before = this.#arranged;
    const { filter, order } = this.#choices;
    const isSame = before?.source === source && before.uses === uses;
    if (isSame && before.choices.filter === filter && before.choices.order === order) return before;
    const used = Array.isArray(uses) ? new Set<string>(uses) : undefined;
    const rows = arrangeResults(source, filter, order, used, locked);
    this.#arranged = { source, choices: this.#choices, uses, rows };
    return this.#arranged;
  }

  #empty({ isComplete }: GallerySnapshot): TemplateResult | typeof nothing {
    if (!isComplete) return nothing;
    return html`<div class="missing">
      <p>${t("What your tasks make is shown here.")}</p>
      <button type="button" class="button" @click=${() => this.#actions.send({ type: "form-open", tasks: [] })}>
        ${t("New Media Task…")}
      </button>
    </div>`;
  }

  /** If no row is left without a filter, all results are rejected, and therefore hidden. */
  #noMatch(): TemplateResult {
    const { filter } = this.#choices;
    const isFiltered = filter.text !== "" || countFilters(filter) > 0;
    const change = isFiltered ? noResultFilter : { ...filter, marks: "all" as const };
    return html`<div class="missing">
      <p>${isFiltered ? t("No result passes the filter.") : t("All results are rejected.")}</p>
      <button type="button" class="button secondary" @click=${() => this.#change({ filter: change })}>
        ${isFiltered ? t("Clear Filter") : t("Show Rejected")}
      </button>
    </div>`;
  }

  #change(change: Partial<GalleryChoices>): void {
    this.#choices = { ...this.#choices, ...change };
    if (change.filter !== undefined || change.order !== undefined) this.#table.scrollToStart();
    this.#actions.keep();
    this.#actions.redraw();
  }
}

startPage<GalleryPageContract>((actions) => {
  const page = new GalleryPage(actions);
  return {
    reduce: reduceGallery,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, section: "results", ...page.saved }),
    // The page itself announces how many results pass the filter.
    announce: () => undefined,
    rendered: () => page.rendered(),
  };
});
