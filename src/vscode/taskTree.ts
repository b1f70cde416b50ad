/** The Tasks view (T6): rows from the board, by state; only what changed is drawn again. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { describeUnwritten } from "../domain/describeError";
import { quoteForeign } from "../domain/quoteForeign";
import type { Task, TaskEvent } from "../domain/task";
import type { TaskBoard } from "../tasks/board";
import type { TaskPoller } from "../tasks/poller";
import { groupOf, type TaskGroup, taskGroups, taskRow } from "../tasks/taskRow";
import { remoteStateName } from "../tasks/taskWords";
import { formatsOf } from "../tasks/timeFormats";
import { commands, views } from "./ids";
import { createRow, createTree, type ShownRow, type ShownTree } from "./show";
import { shownLine, shownParagraphs } from "./shownText";

/** Elements are told apart by identity, so each group and task has one for its lifetime. */
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
  /** Reads the events of a task again; never rejects. */
  readonly loadEvents: (id: string) => Promise<void>;
}

/** Of a prompt in a tooltip, in characters. */
const longestPrompt = 600;

/** How long changes are gathered before rows are drawn again, in milliseconds. */
const gathering = 250;

export class TaskTree implements vscode.TreeDataProvider<TaskElement>, Disposable {
  readonly view: ShownTree<TaskElement>;
  readonly #ports: TaskTreePorts;
  readonly #registrations = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<TaskElement[] | undefined>();
  readonly #groups = new Map<TaskGroup, TaskElement>(taskGroups.map((group) => [group, { kind: "group", group }]));
  readonly #elements = new Map<string, TaskElement>();
  /** Which group a row was last drawn in: a move redraws both. */
  readonly #drawnIn = new Map<string, TaskGroup>();
  /** Rows that the person has opened: they stay open when they move to another group. */
  readonly #opened = new Set<string>();
  #grouped: ReadonlyMap<TaskGroup, string[]> | undefined;
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
    this.#registrations.add(ports.board.onDidChange((ids) => this.#gather(ids)));
    this.#registrations.add(ports.poller.status.onDidChange(() => this.#showMessage()));
    this.#registrations.add(ports.board.unwritten.onDidChange(() => this.#showMessage()));
  }

  get onDidChangeTreeData(): vscode.Event<TaskElement[] | undefined> {
    return this.#changed.event;
  }

  /** The ids of the tasks that a command is meant for: those selected, or the one whose menu it was. */
  chosen(args: readonly unknown[]): readonly string[] {
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
        return this.#groupItem(element.group);
      case "task":
        return this.#taskItem(element.id);
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

  /** Newest first. Counted anew only after something has changed. */
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

  #gather(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#pending.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#redraw();
    }, gathering);
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
    // A row that moves between groups changes their counts and their children; otherwise only the rows themselves.
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

  #groupItem(group: TaskGroup): ShownRow {
    const collapsed = group === "earlier";
    const item = createRow({
      label: groupName(group),
      description: String(this.#idsIn(group).length),
      state: collapsed ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded,
    });
    item.id = `group:${group}`;
    item.contextValue = "group";
    return item;
  }

  #taskItem(id: string): ShownRow {
    const task = this.#ports.board.tasks.get(id);
    if (!task) return createRow({ label: "" });
    const row = taskRow(task, this.#ports.now(), vscode.env.language);
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const open = this.#opened.has(id) ? Expanded : Collapsed;
    const { label, description, spoken } = row;
    const item = createRow({ label, description, spoken, state: task.submission.state === "accepted" ? open : None });
    item.id = id;
    item.contextValue = row.contextValue;
    item.iconPath = new vscode.ThemeIcon(
      row.icon.id,
      row.icon.color ? new vscode.ThemeColor(row.icon.color) : undefined,
    );
    if (row.contextValue.includes("openable")) {
      item.command = { command: commands.openResult, title: t("Open Result"), arguments: [{ kind: "task", id }] };
    }
    return item;
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
      // A message that is set, even to nothing, hides the welcome text.
      delete this.view.message;
    }
  }
}

/** Plain text: in Markdown the prompt, the gateway's words and bare addresses would become links. */
function tooltipOf(task: Task, now: number): string {
  const { submission, intent } = task;
  const row = taskRow(task, now, vscode.env.language);
  const ids = submission.state === "accepted" ? [submission.taskId, submission.holdId] : [];
  // What the gateway said is one line: with line ends it could write others, of the money for one.
  const lines = [row.state, row.money, shownId(intent.model), ids.map(shownId).filter(Boolean).join(" · ")].map(
    (line) => shownLine(line, 600),
  );
  return [shownParagraphs(intent.prompt, longestPrompt), ...lines].filter((line) => line !== "").join("\n\n");
}

/** An id stands for itself; words in its place could read as ours. */
function shownId(id = ""): string {
  return /^[\w.:/@+-]{0,200}$/.test(id) ? id : quoteForeign(id, 100);
}

function groupName(group: TaskGroup): string {
  switch (group) {
    case "attention":
      return t("Needs attention");
    case "running":
      return t("Running");
    case "today":
      return t("Finished today");
    case "earlier":
      return t("Earlier");
  }
}

function eventItem(task: string, event: TaskEvent): ShownRow {
  const { exact } = formatsOf(vscode.env.language);
  const at = event.createdAt === undefined ? "" : ` · ${exact.format(event.createdAt)}`;
  const state = remoteStateName(event.state, event.rawStatus);
  const item = createRow({ label: event.message || event.type, description: `${state}${at}` });
  item.id = `${task}:${event.id}`;
  item.iconPath = new vscode.ThemeIcon("circle-small-filled");
  item.contextValue = "event";
  return item;
}
