/** The Tasks view (T6): the tasks of the board in groups by state. A change redraws only the rows that it concerns. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { describeUnwritten } from "../domain/describeError";
import type { TaskEvent } from "../domain/task";
import type { TaskBoard } from "../tasks/board";
import type { TaskPoller } from "../tasks/poller";
import { groupOf, type TaskGroup, taskGroups } from "../tasks/taskRow";
import { formatsOf } from "../tasks/timeFormats";
import { views } from "./ids";
import { createRow, createTree, type ShownRow, type ShownTree } from "./show";
import { shownLine, shownParagraphs } from "./shownText";
import { eventItem, groupItem, taskItem, tooltipOf } from "./taskTreeItems";

/** VS Code compares elements by identity, so each group and each task keeps one object. */
export type TaskElement =
  | { readonly kind: "group"; readonly group: TaskGroup }
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "event"; readonly task: string; readonly event: TaskEvent }
  | { readonly kind: "note"; readonly task: string; readonly text: string };

export interface TaskTreePorts {
  readonly board: TaskBoard;
  readonly poller: TaskPoller;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Reads the events of a task from the gateway into the board. Never rejects. */
  readonly loadEvents: (id: string) => Promise<void>;
}

/** Milliseconds; all changes within this time are one redraw. */
const redrawDelay = 250;

export class TaskTree implements vscode.TreeDataProvider<TaskElement>, Disposable {
  readonly view: ShownTree<TaskElement>;
  readonly #ports: TaskTreePorts;
  readonly #registrations = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<TaskElement[] | undefined>();
  readonly #groups = new Map<TaskGroup, TaskElement>(taskGroups.map((group) => [group, { kind: "group", group }]));
  readonly #elements = new Map<string, TaskElement>();
  /** The group of each task at the last redraw. A task that changes its group redraws the whole tree. */
  readonly #drawnIn = new Map<string, TaskGroup>();
  /** Rows that the person has expanded: they stay so when they move to another group. */
  readonly #opened = new Set<string>();
  /** Newest first in each group; `undefined` after a change, until it is needed. */
  #grouped: ReadonlyMap<TaskGroup, string[]> | undefined;
  /** Changed since the last redraw. */
  readonly #pending = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: TaskTreePorts) {
    this.#ports = ports;
    this.view = createTree(views.tasks, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#registrations.add(this.view);
    this.#registrations.add(this.#changed);
    this.#registrations.add(
      this.view.onDidExpandElement(({ element }) => {
        if (element.kind === "task") this.#opened.add(element.id);
      }),
    );
    this.#registrations.add(
      this.view.onDidCollapseElement(({ element }) => {
        if (element.kind === "task") this.#opened.delete(element.id);
      }),
    );
    this.#registrations.add(ports.board.onDidChange((ids) => this.#scheduleRedraw(ids)));
    this.#registrations.add(ports.poller.status.onDidChange(() => this.#showMessage()));
    this.#registrations.add(ports.board.unwritten.onDidChange(() => this.#showMessage()));
  }

  get onDidChangeTreeData(): vscode.Event<TaskElement[] | undefined> {
    return this.#changed.event;
  }

  /** The tasks that a command was called for: the selection, or the row whose menu or button was used. */
  chosenIds(args: readonly unknown[]): readonly string[] {
    const [clicked, selected] = args;
    const elements =
      Array.isArray(selected) && selected.length > 0 ? selected : clicked ? [clicked] : this.view.selection;
    return elements.flatMap((element: unknown) => {
      const id = typeof element === "object" && element !== null && "id" in element ? element.id : undefined;
      return typeof id === "string" && this.#ports.board.tasks.has(id) ? [id] : [];
    });
  }

  getChildren(element?: TaskElement): TaskElement[] | Promise<TaskElement[]> {
    const { board } = this.#ports;
    if (!element)
      return taskGroups.filter((group) => this.#idsIn(group).length > 0).map((group) => this.#groupElement(group));
    if (element.kind === "group") return this.#idsIn(element.group).map((id) => this.#taskElement(id));
    if (element.kind !== "task") return [];
    const task = board.tasks.get(element.id);
    return task?.submission.state === "accepted" ? this.#eventsOf(element.id) : [];
  }

  getParent(element: TaskElement): TaskElement | undefined {
    if (element.kind === "group") return undefined;
    if (element.kind !== "task") return this.#taskElement(element.task);
    const group = this.#drawnIn.get(element.id);
    return group && this.#groupElement(group);
  }

  getTreeItem(element: TaskElement): ShownRow {
    switch (element.kind) {
      case "group":
        return groupItem(element.group, this.#idsIn(element.group).length);
      case "task": {
        const task = this.#ports.board.tasks.get(element.id);
        // Removed since VS Code asked for the children: the redraw that follows takes the row away.
        if (!task) return createRow({ label: "" });
        return taskItem(element.id, task, this.#ports.now(), this.#opened.has(element.id));
      }
      case "event":
        return eventItem(element.task, element.event);
      case "note":
        return createRow({ label: element.text });
    }
  }

  resolveTreeItem(item: ShownRow, element: TaskElement): ShownRow {
    const task = element.kind === "task" ? this.#ports.board.tasks.get(element.id) : undefined;
    if (task) item.tooltip = shownParagraphs(tooltipOf(task, this.#ports.now()));
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#registrations.dispose();
  }

  #idsIn(group: TaskGroup): readonly string[] {
    this.#grouped ??= this.#group();
    return this.#grouped.get(group) ?? [];
  }

  #group(): ReadonlyMap<TaskGroup, string[]> {
    const { board, now } = this.#ports;
    const grouped = new Map<TaskGroup, string[]>();
    for (const [id, task] of board.tasks) {
      const group = groupOf(task, now());
      this.#drawnIn.set(id, group);
      const ids = grouped.get(group);
      if (ids) ids.push(id);
      else grouped.set(group, [id]);
    }
    for (const ids of grouped.values()) ids.reverse();
    return grouped;
  }

  async #eventsOf(id: string): Promise<TaskElement[]> {
    const read = (): readonly TaskEvent[] | undefined => {
      const submission = this.#ports.board.tasks.get(id)?.submission;
      return submission?.state === "accepted" ? submission.events : undefined;
    };
    if (!read()) await this.#ports.loadEvents(id);
    const events = read();
    if (!events) return [{ kind: "note", task: id, text: t("The events could not be read.") }];
    return events.map((event) => ({ kind: "event", task: id, event }));
  }

  #scheduleRedraw(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#pending.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#redraw();
    }, redrawDelay);
  }

  #redraw(): void {
    const { board, now } = this.#ports;
    const ids = [...this.#pending];
    this.#pending.clear();
    this.#grouped = undefined;
    const moved = ids.some((id) => {
      const task = board.tasks.get(id);
      return (task && groupOf(task, now())) !== this.#drawnIn.get(id);
    });
    for (const id of ids) if (!board.tasks.has(id)) this.#forget(id);
    // A move changes the counts and children of two groups, and `undefined` redraws the tree; otherwise only the rows change.
    this.#changed.fire(moved ? undefined : ids.map((id) => this.#taskElement(id)));
  }

  #forget(id: string): void {
    this.#elements.delete(id);
    this.#opened.delete(id);
    this.#drawnIn.delete(id);
  }

  #groupElement(group: TaskGroup): TaskElement {
    return this.#groups.get(group) ?? { kind: "group", group };
  }

  #taskElement(id: string): TaskElement {
    let element = this.#elements.get(id);
    if (!element) this.#elements.set(id, (element = { kind: "task", id }));
    return element;
  }

  #showMessage(): void {
    const { pausedUntil, offlineSince } = this.#ports.poller.status.current;
    const unwritten = this.#ports.board.unwritten.current;
    const { time } = formatsOf(vscode.env.language);
    if (unwritten) {
      this.view.message = shownLine(describeUnwritten(unwritten.accepted, unwritten.error).title);
    } else if (pausedUntil !== undefined) {
      this.view.message = shownLine(t("Paused by the gateway until {0} (rate limit).", time.format(pausedUntil)));
    } else if (offlineSince !== undefined) {
      this.view.message = shownLine(t("Offline since {0}. Rows show the last known state.", time.format(offlineSince)));
    } else {
      // Any value hides the welcome text, `undefined` too; only a missing message shows it.
      delete this.view.message;
    }
  }
}
