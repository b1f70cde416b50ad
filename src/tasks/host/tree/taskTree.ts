/** The Tasks view (T6): the tasks of the board in groups. A change redraws only the rows that it concerns. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { PacedChanges } from "../../../base/async/pacedChanges";
import type { MonotonicClock, Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { acceptedOf, isAccepted, isWaitingToSend } from "../../../domain/task/phase";
import type { Connections } from "../../../domain/ports";
import type { Task, TaskEvent } from "../../../domain/task/task";
import {
  eachDay,
  type GroupRules,
  TaskGroups,
  idsOf,
  type TaskElement,
  TaskElements,
  tasksIn,
} from "../../view/taskGroups";
import { markSeen } from "../../view/clearedTasks";
import { createFilter, isFiltering, noFilter } from "../../view/taskFilter";
import type { TaskPoller } from "../../polling/poller";
import { elsewhereName, connectionWords } from "../../view/taskRow";
import type { UsualTime } from "../../usualTimes";
import { views } from "../../../vscode/ids";
import { isOpenHere } from "../../../vscode/openFolders";
import { createRow, createTree, type ShownRow, type ShownTree, showBadge } from "../../../vscode/interface/show";
import { shownParagraphs, shownLine } from "../../../vscode/interface/shownText";
import { createTaskDrag } from "./taskDrag";
import {
  type DrawContext,
  eventItem,
  groupItem,
  hiddenItem,
  moreItem,
  rowSignature,
  taskItem,
  tooltipOf,
  treeDescription,
} from "./taskTreeItems";
import { plural } from "../../../domain/words/plural";
import type { ReadonlyStore } from "../../../base/store";
import type { TaskBoard } from "../../board/board";
import { type TaskCounts, viewMessage } from "../../view/taskCounts";
import type { TaskViewStore } from "./taskViewChoices";

interface TaskTreeOptions extends TaskViewHeaderOptions {
  readonly clock: MonotonicClock;
  /** Reads the events of a task from the gateway into the board. Never rejects. */
  readonly loadEvents: (id: string) => Promise<void>;
  /** The usual time of this person's own tasks; `undefined` while there are too few of them. */
  readonly usualTime: (type: string, model: string) => UsualTime | undefined;
  readonly poller: Pick<TaskPoller, "status" | "pausedUntil">;
  readonly connections: Pick<Connections, "current">;
}

/** Milliseconds; all changes within this time are one redraw. */
const redrawDelay = 250;
/**
 * The fewest milliseconds between two redraws of a row. On a redraw VS Code rebuilds the buttons of the row, closes its tooltip, and loses a press
 * that has begun on it.
 */
const rowPace = 1000;

const maxReveals = 4;

/** Rows of a group that are shown at first, and more at each request. */
const pageSize = 200;

export class TaskTree implements vscode.TreeDataProvider<TaskElement>, Disposable {
  readonly view: ShownTree<TaskElement>;
  readonly #options: TaskTreeOptions;
  readonly #registrations = new DisposableStore();
  readonly #ended = new AbortController();
  readonly #changed = new vscode.EventEmitter<TaskElement[] | undefined>();
  readonly #elements = new TaskElements();
  readonly #groups: TaskGroups;
  readonly #changes: PacedChanges<string>;
  /** The signature of each row as it was drawn last. A row that would look the same is not drawn again. */
  readonly #drawn = new Map<string, string>();
  /** The tooltips that VS Code has asked for since their rows were drawn; it keeps them until the next draw. */
  readonly #explained = new Map<string, string>();
  readonly #drawnGroups = new Map<string, string>();
  /** Rows that the person has expanded: they stay so when they move to another group. */
  readonly #opened = new Set<string>();
  /** Rows to show of a group, where that is more than the first page. */
  readonly #limits = new Map<string | undefined, number>();
  /** The selected rows. One that only needed to be seen stays in the group for attention until the selection leaves it. */
  #held: ReadonlySet<string> = new Set();
  #hidden = 0;

  constructor(options: TaskTreeOptions) {
    this.#options = options;
    const { board, choices, clock } = options;
    this.#groups = new TaskGroups(() => board.listed, this.#rules());
    this.#hidden = board.listed.size - this.#groups.size;
    this.view = createTree(views.tasks, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: createTaskDrag(board),
    });
    this.#changes = new PacedChanges({ clock, delay: redrawDelay, pace: rowPace, flush: (ids) => this.#redraw(ids) });
    for (const part of [this.view, this.#changed, this.#changes]) this.#registrations.add(part);
    this.#listenToView();
    for (const registration of [
      board.onDidChange((ids) => this.#changes.add(ids)),
      choices.onDidChange(() => this.#regroup()),
      // The rows show their gateway and its pause.
      options.connections.current.onDidChange(() => this.#redrawTexts()),
      options.poller.status.onDidChange(() => this.#redrawTexts()),
      createTaskViewHeader(this.view, options),
    ]) {
      this.#registrations.add(registration);
    }
    // Tasks that ended today belong to *Earlier* after midnight.
    void eachDay(clock, this.#ended.signal, () => this.#regroup());
  }

  get onDidChangeTreeData(): vscode.Event<TaskElement[] | undefined> {
    return this.#changed.event;
  }

  /** The tasks that a command was called for: the selection, or the row or group whose menu or button was used. */
  chosenIds(args: readonly unknown[]): readonly string[] {
    const [clicked, selected] = args;
    const elements =
      Array.isArray(selected) && selected.length > 0 ? selected : clicked ? [clicked] : this.view.selection;
    const ids = elements.flatMap((element: unknown) => idsOf(element, (group) => this.#groups.idsIn(group)));
    return [...new Set(ids)].filter((id) => this.#options.board.all.has(id));
  }

  /** The task for a command that acts on one: that of the clicked row, also where others are selected with it. */
  chosenId([clicked]: readonly unknown[]): string | undefined {
    return this.chosenIds([clicked])[0];
  }

  /** Shows the next page of a group, or of the groups. */
  showMore(group: string | undefined): void {
    this.#limits.set(group, this.#limitOf(group) + pageSize);
    this.#changed.fire(group === undefined ? undefined : [this.#elements.group(group)]);
  }

  /** Shows the view with this row selected, and takes away a filter that hides it. */
  async reveal(id: string): Promise<void> {
    this.#changes.flush();
    const { choices } = this.#options;
    if (this.#groups.groupOf(id) === undefined)
      choices.set({ ...choices.current, filter: noFilter, hidesFinished: false });
    const group = this.#groups.groupOf(id);
    if (group === undefined) return;
    const index = this.#groups.idsIn(group).indexOf(id);
    if (index >= this.#limitOf(group)) {
      this.#limits.set(group, index + 1);
      this.#changed.fire([this.#elements.group(group)]);
    }
    await this.#select(id);
  }

  /**
   * VS Code drops a reveal without an error while it asks for all rows again, and also when it shows the view that was hidden until then.
   * Therefore no row is redrawn meanwhile, and a reveal that has selected nothing is repeated.
   */
  async #select(id: string): Promise<void> {
    const hold = this.#changes.hold();
    try {
      for (let attempt = 1; attempt <= maxReveals; attempt += 1) {
        const isLast = attempt === maxReveals;
        await this.view
          .reveal(this.#elements.task(id), { select: true, focus: true })
          .then(undefined, (error: unknown) => {
            if (isLast) throw error;
          });
        if (tasksIn(this.view.selection).includes(id)) return;
      }
    } finally {
      hold.dispose();
    }
  }

  /** Expands the view at this row, which is neither selected nor focused. */
  async uncover(id: string): Promise<void> {
    this.#changes.flush();
    const group = this.#groups.groupOf(id);
    if (group !== undefined) await this.view.reveal(this.#elements.group(group), { select: false, focus: false });
  }

  getChildren(element?: TaskElement): TaskElement[] | Promise<TaskElement[]> {
    if (!element) {
      const groups = this.#page(undefined, this.#groups.keys, (key) => this.#elements.group(key));
      return this.#hidden > 0 ? [this.#elements.hidden, ...groups] : groups;
    }
    if (element.kind === "group") {
      return this.#page(element.group, this.#groups.idsIn(element.group), (id) => this.#elements.task(id));
    }
    if (element.kind !== "task") return [];
    return isAccepted(this.#options.board.listed.get(element.id)) ? this.#eventsOf(element.id) : [];
  }

  getParent(element: TaskElement): TaskElement | undefined {
    switch (element.kind) {
      case "group":
      case "hidden":
        return undefined;
      case "more":
        return element.group === undefined ? undefined : this.#elements.group(element.group);
      case "event":
      case "note":
        return this.#elements.task(element.task);
      case "task": {
        const group = this.#groups.groupOf(element.id);
        return group === undefined ? undefined : this.#elements.group(group);
      }
    }
  }

  getTreeItem(element: TaskElement): ShownRow | Promise<ShownRow> {
    const { board } = this.#options;
    switch (element.kind) {
      case "group": {
        const item = this.#groupItem(element.group);
        this.#drawnGroups.set(element.group, textOf(item));
        return item;
      }
      case "task": {
        const task = board.listed.get(element.id);
        // The task was removed since VS Code asked for the children: the redraw that follows takes the row away.
        if (!task) return createRow({ label: "" });
        this.#drawn.set(element.id, this.#signatureOf(element.id, task));
        this.#explained.delete(element.id);
        return taskItem(task, { ...this.#context(task), isOpen: this.#opened.has(element.id) });
      }
      case "event":
        return eventItem(element.task, element.event);
      case "note":
        return createRow({ label: element.text });
      case "more":
        return moreItem(element.group, this.#lengthOf(element.group) - this.#limitOf(element.group), pageSize);
      case "hidden":
        return hiddenItem(this.#options.choices.current, this.#groups.size, this.#hidden);
    }
  }

  resolveTreeItem(item: ShownRow, element: TaskElement): ShownRow {
    if (element.kind !== "task") return item;
    const task = this.#options.board.listed.get(element.id);
    if (!task) return item;
    const tooltip = tooltipOf(task, this.#context(task));
    this.#explained.set(element.id, tooltip);
    item.tooltip = shownParagraphs(tooltip);
    return item;
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  #rules(): GroupRules {
    const { choices, clock } = this.#options;
    const { grouping, filter, hidesFinished } = choices.current;
    return { grouping, includes: createFilter(filter, hidesFinished), now: clock.now() };
  }

  #context(task: Task): DrawContext {
    const { clock, usualTime, connections, poller } = this.#options;
    const { type, model, home } = task.intent;
    return {
      now: clock.now(),
      usual: usualTime(type, model),
      elsewhere: elsewhereName(home, connections.current.current),
      waitsUntil: isWaitingToSend(task) ? poller.pausedUntil(home) : undefined,
      isOpenHere,
    };
  }

  #signatureOf(id: string, task: Task): string {
    return rowSignature(task, { ...this.#context(task), isOpen: this.#opened.has(id) });
  }

  #limitOf(group: string | undefined): number {
    return this.#limits.get(group) ?? pageSize;
  }

  #lengthOf(group: string | undefined): number {
    return group === undefined ? this.#groups.keys.length : this.#groups.idsIn(group).length;
  }

  #page(group: string | undefined, names: readonly string[], element: (name: string) => TaskElement): TaskElement[] {
    const limit = this.#limitOf(group);
    const shown = names.slice(0, limit).map(element);
    return names.length > limit ? [...shown, this.#elements.more(group)] : shown;
  }

  async #eventsOf(id: string): Promise<TaskElement[]> {
    const read = (): readonly TaskEvent[] | undefined => acceptedOf(this.#options.board.listed.get(id))?.events;
    if (!read()) await this.#options.loadEvents(id);
    const events = read();
    if (!events) return [{ kind: "note", task: id, text: t("The events could not be read.") }];
    return events.map((event) => ({ kind: "event", task: id, event }));
  }

  #listenToView(): void {
    for (const registration of [
      this.view.onDidExpandElement(({ element }) => {
        if (element.kind === "task") this.#opened.add(element.id);
      }),
      this.view.onDidCollapseElement(({ element }) => {
        if (element.kind === "task") this.#opened.delete(element.id);
      }),
      this.view.onDidChangeSelection(({ selection }) => {
        this.#hold(tasksIn(selection));
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (!visible) this.#hold([]);
      }),
    ]) {
      this.#registrations.add(registration);
    }
  }

  /** Stores the selected rows, and marks their tasks as seen. */
  #hold(ids: readonly string[]): void {
    const { board, clock } = this.#options;
    const before = this.#held;
    this.#held = new Set(ids);
    this.#changes.add([...before].filter((id) => !this.#held.has(id)));
    void markSeen(board, ids, clock.now());
  }

  /** Returns the rows that were drawn again. */
  #redraw(ids: ReadonlySet<string>): Iterable<string> {
    const { board } = this.#options;
    // A selection that is made while VS Code asks for rows again is reported as empty; the view has it once they are there.
    this.#held = new Set([...this.#held, ...(this.view.visible ? tasksIn(this.view.selection) : [])]);
    const { isRestructured, groups } = this.#groups.apply(ids, this.#held);
    for (const id of ids) if (!board.listed.has(id)) this.#forget(id);
    const hidden = board.listed.size - this.#groups.size;
    const wasHidden = this.#hidden;
    this.#hidden = hidden;
    if (isRestructured || hidden > 0 !== wasHidden > 0) {
      this.#changed.fire(undefined);
      return ids;
    }
    const redrawn = new Set(groups);
    // The row of a batch counts its running tasks.
    for (const group of new Set([...ids].flatMap((id) => this.#groups.groupOf(id) ?? [])))
      if (this.#drawnGroups.get(group) !== textOf(this.#groupItem(group))) redrawn.add(group);
    const elements = [...redrawn].map((group) => this.#elements.group(group));
    if (hidden !== wasHidden) elements.push(this.#elements.hidden);
    const rows: string[] = [];
    for (const id of ids) {
      // A group is redrawn with its rows.
      const isInGroup = redrawn.has(this.#groups.groupOf(id) ?? "");
      if (!isInGroup && !this.#looksDifferent(id)) continue;
      rows.push(id);
      if (!isInGroup) elements.push(this.#elements.task(id));
    }
    if (elements.length > 0) this.#changed.fire(this.#keepsPaint(elements) ? elements : undefined);
    return rows;
  }

  /**
   * When VS Code redraws a selected row, alone or with its group, it no longer paints the selected rows below it as selected, though commands still
   * act on them. A redraw of the whole view keeps the paint.
   */
  #keepsPaint(elements: readonly TaskElement[]): boolean {
    const selected = new Set(tasksIn(this.view.selection));
    if (this.view.selection.length < 2) return true;
    return !elements.some((element) =>
      idsOf(element, (group) => this.#groups.idsIn(group)).some((id) => selected.has(id)),
    );
  }

  /** Whether a drawn row would look different now, or has a tooltip that is out of date. */
  #looksDifferent(id: string): boolean {
    const task = this.#options.board.listed.get(id);
    const drawn = this.#drawn.get(id);
    if (!task || drawn === undefined) return false;
    const explained = this.#explained.get(id);
    if (explained !== undefined && explained !== tooltipOf(task, this.#context(task))) return true;
    return this.#signatureOf(id, task) !== drawn;
  }

  /** Redraws the rows that would look different now. */
  #redrawTexts(): void {
    this.#changes.add([...this.#drawn.keys()].filter((id) => this.#looksDifferent(id)));
  }

  #groupItem(group: string): ShownRow {
    const { board, choices, clock } = this.#options;
    const { grouping, filter } = choices.current;
    const isFirst = this.#groups.keys[0] === group;
    const ids = this.#groups.idsIn(group);
    return groupItem(grouping, group, ids, board.listed, clock.now(), isFirst, isFiltering(filter));
  }

  #forget(id: string): void {
    this.#elements.forget(id);
    this.#opened.delete(id);
    this.#drawn.delete(id);
    this.#explained.delete(id);
  }

  #regroup(): void {
    this.#groups.reset(this.#rules());
    this.#hidden = this.#options.board.listed.size - this.#groups.size;
    this.#limits.clear();
    this.#changed.fire(undefined);
  }
}

function textOf({ label, description }: ShownRow): string {
  return JSON.stringify([label, description]);
}

// Shows the parts of the Tasks view outside its rows: message, description and the badge on its icon.

/** Characters; enough for a whole sentence about the file of tasks. */
const maxMessageLength = 500;

interface TaskViewHeaderOptions {
  readonly board: TaskBoard;
  readonly poller: Pick<TaskPoller, "status">;
  readonly counts: ReadonlyStore<TaskCounts>;
  readonly choices: TaskViewStore;
  readonly clock: Clock;
  /** The connection that a new task goes to. */
  readonly connections: Pick<Connections, "current">;
}

function createTaskViewHeader(view: ShownTree<TaskElement>, options: TaskViewHeaderOptions): Disposable {
  const { board, poller, counts, choices, clock, connections } = options;
  const store = new DisposableStore();
  const drawn = { message: "", description: "", attention: 0 };
  // Each assignment is sent to the window, even if the value is the same.
  const draw = (): void => {
    const state = {
      unwritten: board.unwritten.current,
      status: poller.status.current,
      file: board.file.current,
      counts: counts.current,
    };
    const message = viewMessage(state, clock.now(), vscode.env.language) ?? "";
    // An empty message lets the welcome text show. To `delete` the property would remove VS Code's setter, and no later message would be shown.
    if (message !== drawn.message) view.message = shownLine(message, maxMessageLength);
    const description = treeDescription(choices.current, connectionWords(connections.current.current));
    if (description !== drawn.description) view.description = shownLine(description);
    const { attention } = counts.current;
    if (attention !== drawn.attention) {
      showBadge(
        view,
        attention,
        plural(attention, { one: "1 task needs attention", other: "{0} tasks need attention" }),
      );
    }
    Object.assign(drawn, { message, description, attention });
  };
  for (const event of [
    choices.onDidChange,
    counts.onDidChange,
    poller.status.onDidChange,
    board.unwritten.onDidChange,
    board.file.onDidChange,
    connections.current.onDidChange,
  ] as const) {
    store.add((event as (listener: () => void) => Disposable)(draw));
  }
  draw();
  return store;
}
