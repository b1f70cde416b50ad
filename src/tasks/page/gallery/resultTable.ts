/** Results on a page: the grid, its selection, and actions by key, pointer, menu and button. The gallery and the batch page set rows and cells. */
import { html, type nothing, type TemplateResult } from "lit-html";
import { maxRating } from "../../../domain/task/judgement";
import { mediaFacts } from "../../../domain/task/taskTypes";
import type { GalleryAction, GalleryRow, ResultIntent, ResultOptionsById } from "../../contract/galleryPageContract";
import { consumeKey } from "../../../webview/keys";
import type { PageActions } from "../../../webview/page";
import { canCompare, CompareView, isComparable } from "./compareView";
import { PointerMenu, actionList, canActOn, offeredActions, selectionBar } from "./selectionBar";
import { type CellContext, type CellPlace, isMissing, type JudgeFields, selectedWords } from "./resultCell";
import { draggedTasks } from "../../../domain/task/taskPort";
import { ResultGrid } from "./resultGrid";
import {
  extendTo,
  keepPresent,
  keptIds,
  moveTo,
  noSelection,
  readSelected,
  selectAll,
  selectedOf,
  selectKept,
  type Selection,
  selectNone,
  selectOnly,
  targetsOf,
  toggle,
} from "./selection";
import { SentMarks } from "./sentMarks";
import { SmallPictures } from "./smallPictures";

export interface TableState<Row extends GalleryRow> {
  /** The address of the results folder, and its URI for what is dragged out. */
  readonly base: string;
  readonly folder: string;
  /** All results, including those that a filter hides. Both lists stay the same objects as long as nothing has changed. */
  readonly source: readonly Row[];
  /** The results that are shown, in their order. */
  readonly rows: readonly Row[];
  readonly options: ResultOptionsById;
}

export interface TableLook<Row extends GalleryRow> {
  readonly cell: (row: Row, place: CellPlace, cells: CellContext) => TemplateResult;
  /** Actions that are always in view for the selected results. */
  readonly firstActions: readonly GalleryAction[];
}

export class ResultTable<Row extends GalleryRow> {
  readonly #actions: PageActions<ResultIntent>;
  readonly #look: TableLook<Row>;
  readonly #pictures: SmallPictures;
  readonly #grid: ResultGrid<Row>;
  readonly #compare: CompareView;
  readonly #failed = new Set<string>();
  #state: TableState<Row> = { base: "", folder: "", source: [], rows: [], options: {} };
  #order: readonly string[] = [];
  #selection: Selection = noSelection;
  /** The ids that were selected when the tab was hidden, until their results have come. */
  readonly #waiting: Set<string>;
  /** The ids of the results that are compared. */
  #compared: readonly string[] = [];
  readonly #menu: PointerMenu;
  #playing: string | undefined;
  /** Whether the table had the focus before the render. */
  #hadFocus = false;
  readonly #marks: SentMarks;

  constructor(actions: PageActions<ResultIntent>, look: TableLook<Row>) {
    this.#actions = actions;
    this.#look = look;
    this.#waiting = readSelected(actions.kept);
    this.#marks = new SentMarks(actions);
    this.#pictures = new SmallPictures(actions.redraw);
    this.#grid = new ResultGrid({
      onKey: (event) => this.#onKey(event),
      onClick: (id, event) => this.#onClick(id, event),
      onDrag: (id, data) => this.#drag(id, data),
      onFocus: (id) => this.#onFocus(id),
      onOpen: (id) => this.#act("open-task", [id]),
      onPoint: (id) => this.#point(id),
      onMenu: (id, x, y) => this.#openMenu(id, x, y),
      redraw: actions.redraw,
    });
    this.#menu = new PointerMenu({ redraw: actions.redraw, focusGrid: () => this.#focusActive() });
    this.#compare = new CompareView({
      redraw: actions.redraw,
      keep: (id, isKept) => this.#judge([id], { choice: isKept ? "kept" : "none" }),
      openFile: (id) => this.#act("open-result", [id]),
      step: (by) => this.#step(by),
      closed: () => this.#focusActive(),
    });
  }

  /** Takes over the state before a render. */
  update(state: TableState<Row>): void {
    const before = this.#state;
    this.#state = state;
    this.#hadFocus = document.hasFocus() && document.activeElement !== document.body;
    this.#pictures.begin();
    if (before.source !== state.source) {
      this.#forgetChanged(before.source);
      this.#marks.announce(state.source);
    }
    if (before.rows === state.rows) return;
    const order = state.rows.map(({ id }) => id);
    this.#selection = selectKept(keepPresent(this.#selection, this.#order, order), order, this.#waiting);
    this.#order = order;
    this.#closeEmptyMenu();
  }

  /** `size`: the least width of a cell; `lines`: lines of text below a picture. */
  renderGrid(size: number, lines: number): TemplateResult {
    const cells = this.#cells;
    return this.#grid.render({
      rows: this.#state.rows,
      selection: this.#selection,
      size,
      lines,
      cell: (row, place) => this.#look.cell(row, place, cells),
    });
  }

  renderBar(): TemplateResult {
    const ids = selectedOf(this.#selection, this.#order);
    const targets = this.#rowsOf(ids);
    const { firstActions } = this.#look;
    const act = (action: GalleryAction): void => this.#act(action, ids);
    const inMenu = (action: GalleryAction): boolean => !this.#menu.isOfBar || !firstActions.includes(action);
    const list = () => actionList(offeredActions({ targets, isLacking: this.#isLacking }).filter(inMenu), { act });
    return html`${selectionBar({
      targets,
      isLacking: this.#isLacking,
      isMenuOpen: this.#menu.isOfBar,
      toggleMenu: (button) => this.#menu.toggle(button),
      firstActions,
      judge: (change) => this.#judge(ids, change),
      act,
      compare: canCompare(targets) ? () => this.#openCompare(ids) : undefined,
      lastMarks: this.#marks.lastWords,
      undo: () => this.#undoMarks(),
    })}${this.#menu.render(list)}`;
  }

  renderDialog(): TemplateResult | typeof nothing {
    const { base, source, options } = this.#state;
    const rows = this.#compared.flatMap((id) => source.find((row) => row.id === id) ?? []);
    return this.#compare.render({ base, rows, options });
  }

  get selected(): ReadonlySet<string> {
    return this.#selection.selected;
  }

  /** The ids that VS Code keeps. */
  get keptIds(): readonly string[] {
    return keptIds(this.#selection, this.#waiting);
  }

  /** Opens the comparison with the next `renderDialog`. Results that a filter hides are shown too. */
  compare(ids: readonly string[]): void {
    this.#compared = ids;
    this.#compare.open();
    this.#actions.send({ type: "results-compare", tasks: [...ids] });
  }

  rendered(): void {
    this.#grid.rendered();
    this.#compare.rendered();
    this.#pictures.load();
    this.#menu.rendered();
    this.#keepFocus();
  }

  /** Scrolls with the next render, because other results are shown. */
  scrollToStart(): void {
    this.#grid.scrollToStart();
  }

  get #cells(): CellContext {
    return {
      base: this.#state.base,
      pictures: this.#pictures,
      failed: this.#failed,
      onFailed: (address) => {
        this.#failed.add(address);
        this.#actions.redraw();
      },
      playing: this.#playing,
    };
  }

  get #targetIds(): readonly string[] {
    return targetsOf(this.#selection, this.#order);
  }

  get #targets(): readonly Row[] {
    return this.#rowsOf(this.#targetIds);
  }

  #rowsOf(ids: readonly string[]): readonly Row[] {
    const wanted = new Set(ids);
    // Results that a filter hides are included, because those that are compared may be among them.
    return this.#state.source.filter(({ id }) => wanted.has(id));
  }

  readonly #isLacking = (row: GalleryRow): boolean => row.file === undefined || isMissing(row, this.#cells);

  /** Forgets the failures of files whose rows have changed, because the files may be there now. */
  #forgetChanged(before: readonly Row[]): void {
    const { base, source } = this.#state;
    const known = new Set(before);
    for (const row of source) {
      if (known.has(row)) continue;
      for (const file of [row.file, row.thumbnail]) {
        if (file === undefined) continue;
        const address = `${base}/${file}`;
        this.#failed.delete(address);
        if (this.#pictures.peek(address)?.state === "failed") this.#pictures.forget(address);
      }
    }
  }

  #select(selection: Selection): void {
    const count = selection.selected.size;
    if (count !== this.#selection.selected.size) this.#actions.announce(selectedWords(count));
    this.#selection = selection;
    this.#marks.hideLast();
    this.#waiting.clear();
    this.#actions.keep();
    this.#closeEmptyMenu();
    this.#actions.redraw();
  }

  #closeEmptyMenu(): void {
    if (this.#menu.isOpen && this.#selection.selected.size === 0) this.#menu.close();
  }

  #judge(ids: readonly string[], change: JudgeFields): void {
    this.#marks.send(this.#rowsOf(ids), change);
    this.#marks.announce(this.#state.source);
  }

  /** If nothing is selected, the results are selected again once they are shown. */
  #undoMarks(): void {
    const ids = this.#marks.undo();
    if (this.#selection.selected.size === 0) for (const id of ids) this.#waiting.add(id);
    this.#actions.redraw();
  }

  /** Sends the action for each of the results that allow it. */
  #act(action: GalleryAction, ids: readonly string[]): void {
    const tasks = this.#rowsOf(ids)
      .filter((row) => canActOn(action, row, this.#isLacking))
      .map(({ id }) => id);
    if (tasks.length > 0) this.#actions.send({ type: "results-act", action, tasks });
    if (this.#menu.isOpen) this.#menu.leave();
  }

  #openCompare(ids: readonly string[]): void {
    this.compare(ids);
    this.#actions.redraw();
  }

  /** Enlarges the next result that can be enlarged. It becomes the active one, from which the keys of the grid go on. */
  #step(by: 1 | -1): void {
    const { rows } = this.#state;
    let at = rows.findIndex(({ id }) => id === this.#compared[0]) + by;
    while (rows[at] !== undefined && !rows.slice(at, at + 1).every(isComparable)) at += by;
    const row = rows[at];
    if (row === undefined) return;
    this.#compared = [row.id];
    this.#selection = selectOnly(row.id);
    this.#grid.reveal(row.id);
    this.#actions.send({ type: "results-compare", tasks: [row.id] });
    this.#actions.redraw();
  }

  #focusActive(id = this.#selection.active): void {
    if (id !== undefined) this.#grid.reveal(id, { withFocus: true });
    this.#actions.redraw();
  }

  /** If the element with the focus was removed, as a button is after rejecting, the focus goes to the grid, or to the button in the grid's place. */
  #keepFocus(): void {
    if (!this.#hadFocus || document.activeElement !== document.body) return;
    if (this.#order.length > 0) this.#focusActive(this.#selection.active ?? this.#order[0]);
    else document.querySelector<HTMLElement>(".missing button")?.focus();
  }

  /** Opens the menu of the selected results if this one is among them, else of this one alone. */
  #openMenu(id: string, x: number, y: number): void {
    const isAmong = this.#selection.selected.has(id);
    this.#select(isAmong ? { ...this.#selection, active: id } : selectOnly(id));
    this.#menu.open(x, y);
  }

  #onClick(id: string, { ctrlKey, metaKey, shiftKey }: MouseEvent): void {
    if (shiftKey) this.#select(extendTo(this.#selection, this.#order, id));
    else this.#select(ctrlKey || metaKey ? toggle(this.#selection, id) : selectOnly(id));
    this.#grid.reveal(id, { withFocus: true });
  }

  /** Drags the selected results if that one is among them, else that one alone. */
  #drag(id: string, data: DataTransfer): void {
    const { selected } = this.#selection;
    const isDragged = (one: string): boolean => (selected.has(id) ? selected.has(one) : one === id);
    const { rows, folder } = this.#state;
    dragResults(
      rows.filter((row) => isDragged(row.id)),
      folder,
      data,
    );
  }

  /** Follows the focus, also where a click, Tab or a screen reader has moved it. */
  #onFocus(id: string): void {
    if (this.#selection.active === id) return;
    this.#selection = { ...this.#selection, active: id };
    this.#actions.redraw();
  }

  #point(id: string | undefined): void {
    if (this.#playing === id) return;
    const row = this.#state.rows.find((one) => one.id === id);
    const next = row !== undefined && playsUnderPointer(row) ? id : undefined;
    if (this.#playing === next) return;
    this.#playing = next;
    this.#actions.redraw();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    const isDone = event.ctrlKey || event.metaKey ? this.#withControl(event.key) : this.#withKey(event);
    if (!isDone) return;
    consumeKey(event);
  }

  #withControl(key: string): boolean {
    const letter = key.toLowerCase();
    if (letter === "a") this.#select(selectAll(this.#selection, this.#order));
    else if (letter === "z") this.#undoMarks();
    else return false;
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
        if (canCompare(this.#targets)) this.#openCompare(this.#targetIds);
        return true;
      case "k":
        this.#toggleChoice("kept");
        return true;
      case "x":
        this.#toggleChoice("rejected");
        return true;
      default:
        if (!/^[0-9]$/.test(key) || Number(key) > maxRating) return false;
        this.#judge(this.#targetIds, { rating: Number(key) });
        return true;
    }
  }

  #toggleChoice(choice: "kept" | "rejected"): void {
    const areAll = this.#targets.every((row) => row.choice === choice);
    this.#judge(this.#targetIds, { choice: areAll ? "none" : choice });
  }
}

/** Only a video plays, without sound; with reduced motion nothing does. */
function playsUnderPointer({ kind }: GalleryRow): boolean {
  if (kind === "other" || mediaFacts(kind).element !== "video") return false;
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return !isReduced && !document.body.classList.contains("vscode-reduce-motion");
}

/** Drags results as the Tasks view does: an editor takes the files, a Markdown document their pictures. `folder`: the URI of the results folder. */
function dragResults(rows: readonly GalleryRow[], folder: string, data: DataTransfer): void {
  const files = rows.flatMap(({ file }) => (file ? [`${folder}/${file}`] : []));
  if (files.length === 0) return;
  data.effectAllowed = "copy";
  data.setData("text/uri-list", files.join("\r\n"));
  data.setData(draggedTasks, JSON.stringify(rows.map(({ id }) => id)));
}
