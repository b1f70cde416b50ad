/** The gallery: the results that pass the filter as a grid, what is selected of them, and what a person does with it by key, pointer and button (T15). */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { draggedTasks } from "../../domain/task/draggedTasks";
import { maxRating } from "../../domain/task/judgement";
import { mediaFacts } from "../../domain/task/mediaKinds";
import {
  type GalleryAction,
  type GalleryPageIntent,
  type GalleryRow,
  type GallerySnapshot,
  offersAction,
} from "../../protocol/galleryPageContract";
import type { PageActions } from "../shared/page";
import { comparedCount, CompareView, isComparable } from "./compareView";
import { filterBar } from "./filterBar";
import { type GalleryChoices, readChoices } from "./keptChoices";
import { type CellContext, isMissing } from "./resultCell";
import { arrangeResults, noResultFilter } from "./resultFilter";
import { ResultGrid } from "./resultGrid";
import { countWords, type JudgeFields, judgementWords, resultWords, selectedWords } from "./resultWords";
import {
  extendTo,
  keepPresent,
  moveTo,
  noSelection,
  selectAll,
  type Selection,
  selectNone,
  selectOnly,
  targetsOf,
  toggle,
} from "./selection";
import { selectionBar } from "./selectionBar";
import { SmallPictures } from "./smallPictures";

/** What is shown, and from which rows and choices it was made. */
interface Arranged {
  readonly source: readonly GalleryRow[];
  readonly choices: GalleryChoices;
  readonly rows: readonly GalleryRow[];
  readonly order: readonly string[];
}

export class GalleryPage {
  readonly #actions: PageActions<GalleryPageIntent>;
  readonly #pictures: SmallPictures;
  readonly #grid: ResultGrid;
  readonly #compare: CompareView;
  readonly #failed = new Set<string>();
  /** The ids of the results that are compared. */
  #compared: readonly string[] = [];
  #choices: GalleryChoices;
  #selection: Selection = noSelection;
  #arranged: Arranged | undefined;
  #base = "";
  #folder = "";
  #isMenuOpen = false;
  #playing: string | undefined;
  /** The number of results that was announced last. */
  #announced: number | undefined;

  constructor(actions: PageActions<GalleryPageIntent>) {
    this.#actions = actions;
    this.#choices = readChoices(actions.kept);
    this.#pictures = new SmallPictures(actions.redraw);
    this.#grid = new ResultGrid({
      onKey: (event) => this.#onKey(event),
      onClick: (id, event) => this.#onClick(id, event),
      onDrag: (id, data) => this.#drag(id, data),
      onFocus: (id) => this.#onFocus(id),
      onOpen: (id) => this.#act("open-task", [id]),
      onPoint: (id) => this.#point(id),
      redraw: actions.redraw,
    });
    this.#compare = new CompareView({
      redraw: actions.redraw,
      keep: (id, isKept) => actions.send({ type: "results-judge", tasks: [id], choice: isKept ? "kept" : "none" }),
      closed: () => this.#focusActive(),
    });
  }

  get choices(): GalleryChoices {
    return this.#choices;
  }

  render(snapshot: GallerySnapshot): TemplateResult {
    this.#base = snapshot.base;
    this.#folder = snapshot.folder;
    this.#arrange(snapshot.rows);
    this.#pictures.begin();
    const { source, rows } = this.#arranged ?? { source: [], rows: [] };
    return html`<div class="page gallery-page">
      <header>
        <h1>${t("Gallery")}</h1>
        <p class="quiet-text">${countWords(rows.length, source.length, snapshot)}</p>
        <button type="button" class="button secondary" @click=${() => this.#openForm()}>${t("New Media Task…")}</button>
      </header>
      ${
        source.length === 0
          ? this.#empty(snapshot)
          : html`${filterBar({ rows: source, choices: this.#choices, change: (change) => this.#change(change) })}
            ${
              rows.length === 0
                ? this.#noMatch()
                : this.#grid.render({
                    rows,
                    selection: this.#selection,
                    size: this.#choices.size,
                    cells: this.#cells,
                  })
            }
            ${this.#selectionBar()}`
      }
      ${this.#compare.render({
        base: snapshot.base,
        rows: this.#compared.flatMap((id) => source.find((row) => row.id === id) ?? []),
        options: snapshot.options ?? {},
      })}
    </div>`;
  }

  rendered(): void {
    this.#grid.rendered();
    this.#compare.rendered();
    this.#pictures.load();
    const count = this.#rows.length;
    if (this.#announced !== undefined && this.#announced !== count) this.#actions.announce(resultWords(count));
    this.#announced = count;
  }

  get #rows(): readonly GalleryRow[] {
    return this.#arranged?.rows ?? [];
  }

  get #order(): readonly string[] {
    return this.#arranged?.order ?? [];
  }

  get #cells(): CellContext {
    return {
      base: this.#base,
      pictures: this.#pictures,
      failed: this.#failed,
      onFailed: (address) => {
        this.#failed.add(address);
        this.#actions.redraw();
      },
      playing: this.#playing,
    };
  }

  /** Rows that have not changed are not arranged again. */
  #arrange(rows: readonly GalleryRow[]): void {
    const before = this.#arranged;
    const { filter, order } = this.#choices;
    const isSameSource = before?.source === rows;
    if (isSameSource && before.choices.filter === filter && before.choices.order === order) return;
    if (before && !isSameSource) this.#forgetChanged(before.source, rows);
    const arranged = arrangeResults(rows, filter, order);
    const now = { source: rows, choices: this.#choices, rows: arranged, order: arranged.map(({ id }) => id) };
    this.#selection = keepPresent(this.#selection, before?.order ?? [], now.order);
    this.#arranged = now;
  }

  /** What was not found or not shown of a result may be there now. */
  #forgetChanged(before: readonly GalleryRow[], now: readonly GalleryRow[]): void {
    const known = new Set(before);
    for (const row of now) {
      if (known.has(row)) continue;
      for (const file of [row.file, row.thumbnail]) {
        if (file === undefined) continue;
        const address = `${this.#base}/${file}`;
        this.#failed.delete(address);
        if (this.#pictures.peek(address)?.state === "failed") this.#pictures.forget(address);
      }
    }
  }

  #empty({ isComplete }: GallerySnapshot): TemplateResult | typeof nothing {
    if (!isComplete) return nothing;
    return html`<div class="missing">
      <p>${t("What your tasks make is shown here.")}</p>
      <button type="button" class="button" @click=${() => this.#actions.send({ type: "task-new" })}>
        ${t("New Task…")}
      </button>
    </div>`;
  }

  #noMatch(): TemplateResult {
    return html`<div class="missing">
      <p>${t("No result passes the filter.")}</p>
      <button type="button" class="button secondary" @click=${() => this.#change({ filter: noResultFilter })}>
        ${t("Clear Filter")}
      </button>
    </div>`;
  }

  #selectionBar(): TemplateResult {
    const targets = new Set(this.#targets);
    return selectionBar({
      targets: this.#rows.filter(({ id }) => targets.has(id)),
      isSelection: this.#selection.selected.size > 0,
      isLacking: (row) => row.file === undefined || isMissing(row, this.#cells),
      isMenuOpen: this.#isMenuOpen,
      toggleMenu: () => {
        this.#isMenuOpen = !this.#isMenuOpen;
        this.#actions.redraw();
      },
      judge: (change) => this.#judge(change),
      act: (action) => this.#act(action, this.#targets),
      compare: this.#canCompare() ? () => this.#openCompare() : undefined,
    });
  }

  get #targets(): readonly string[] {
    return targetsOf(this.#selection, this.#order);
  }

  #change(change: Partial<GalleryChoices>): void {
    this.#choices = { ...this.#choices, ...change };
    if (change.filter !== undefined || change.order !== undefined) this.#grid.scrollToStart();
    this.#actions.keep();
    this.#actions.redraw();
  }

  #select(selection: Selection): void {
    const count = selection.selected.size;
    if (count !== this.#selection.selected.size) this.#actions.announce(selectedWords(count));
    this.#selection = selection;
    if (count === 0) this.#isMenuOpen = false;
    this.#actions.redraw();
  }

  #judge(change: JudgeFields): void {
    const tasks = this.#targets;
    if (tasks.length === 0) return;
    this.#actions.send({ type: "results-judge", tasks: [...tasks], ...change });
    this.#actions.announce(judgementWords(change));
  }

  #act(action: GalleryAction, ids: readonly string[]): void {
    const wanted = new Set(ids);
    const tasks = this.#rows.filter((row) => wanted.has(row.id) && offersAction(row, action)).map(({ id }) => id);
    this.#isMenuOpen = false;
    if (tasks.length > 0) this.#actions.send({ type: "results-act", action, tasks });
    this.#actions.redraw();
  }

  #openForm(): void {
    this.#actions.send({ type: "form-open", tasks: [...this.#selection.selected] });
  }

  #canCompare(): boolean {
    const targets = new Set(this.#targets);
    const { least, most } = comparedCount;
    if (targets.size < least || targets.size > most) return false;
    return this.#rows.every((row) => !targets.has(row.id) || isComparable(row));
  }

  #openCompare(): void {
    this.#compared = this.#targets;
    this.#compare.open();
    this.#actions.send({ type: "results-compare", tasks: [...this.#compared] });
    this.#actions.redraw();
  }

  #focusActive(): void {
    const { active } = this.#selection;
    if (active !== undefined) this.#grid.reveal(active, { withFocus: true });
    this.#actions.redraw();
  }

  #onClick(id: string, { ctrlKey, metaKey, shiftKey }: MouseEvent): void {
    if (shiftKey) this.#select(extendTo(this.#selection, this.#order, id));
    else this.#select(ctrlKey || metaKey ? toggle(this.#selection, id) : selectOnly(id));
    this.#grid.reveal(id, { withFocus: true });
  }

  /** The selected results where that one is among them. As from the Tasks view: an editor takes the files, Markdown their pictures. */
  #drag(id: string, data: DataTransfer): void {
    const isAmong = this.#selection.selected.has(id);
    const rows = this.#rows.filter((row) => (isAmong ? this.#selection.selected.has(row.id) : row.id === id));
    const files = rows.flatMap(({ file }) => (file ? [`${this.#folder}/${file}`] : []));
    if (files.length === 0) return;
    data.effectAllowed = "copy";
    data.setData("text/uri-list", files.join("\r\n"));
    data.setData(draggedTasks, JSON.stringify(rows.map((row) => row.id)));
  }

  /** Also where a click, Tab or a screen reader has moved it. */
  #onFocus(id: string): void {
    if (this.#selection.active === id) return;
    this.#selection = { ...this.#selection, active: id };
    this.#actions.redraw();
  }

  #point(id: string | undefined): void {
    if (this.#playing === id) return;
    const row = this.#rows.find((one) => one.id === id);
    const isVideo = row !== undefined && row.kind !== "other" && mediaFacts(row.kind).element === "video";
    const next = isVideo && !hasReducedMotion() ? id : undefined;
    if (this.#playing === next) return;
    this.#playing = next;
    this.#actions.redraw();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    const isDone = event.ctrlKey || event.metaKey ? this.#withControl(event.key) : this.#withKey(event);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #withControl(key: string): boolean {
    if (key.toLowerCase() !== "a") return false;
    this.#select(selectAll(this.#selection, this.#order));
    return true;
  }

  /** False for a key that does nothing here. */
  #withKey({ key, shiftKey }: KeyboardEvent): boolean {
    const active = this.#selection.active ?? this.#order[0];
    if (active === undefined) return false;
    const target = this.#grid.indexAfter(key, this.#order.indexOf(active));
    const next = target === undefined ? undefined : this.#order[target];
    if (next !== undefined) {
      this.#select(shiftKey ? extendTo(this.#selection, this.#order, next) : moveTo(this.#selection, next));
      this.#grid.reveal(next, { withFocus: true });
      return true;
    }
    if (this.#selection.active === undefined) this.#selection = moveTo(this.#selection, active);
    switch (key.toLowerCase()) {
      case " ":
        this.#select(toggle(this.#selection, active));
        return true;
      case "enter":
        this.#act("open-task", [active]);
        return true;
      case "escape":
        this.#select(selectNone(this.#selection));
        return true;
      case "c":
        if (this.#canCompare()) this.#openCompare();
        return true;
      case "k":
        this.#judge({ choice: this.#areAll("kept") ? "none" : "kept" });
        return true;
      case "x":
        this.#judge({ choice: this.#areAll("rejected") ? "none" : "rejected" });
        return true;
      default:
        if (!/^[0-9]$/.test(key) || Number(key) > maxRating) return false;
        this.#judge({ rating: Number(key) });
        return true;
    }
  }

  #areAll(choice: "kept" | "rejected"): boolean {
    const targets = new Set(this.#targets);
    return this.#rows.every((row) => !targets.has(row.id) || row.choice === choice);
  }
}

function hasReducedMotion(): boolean {
  return (
    matchMedia("(prefers-reduced-motion: reduce)").matches || document.body.classList.contains("vscode-reduce-motion")
  );
}
