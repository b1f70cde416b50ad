/**
 * Groups and orders the tasks of the Tasks view (T6) task by task, so that the cost of one change does not depend on how many there are. Starts
 * anew at midnight.
 */
import { startOfDay, startOfNextDay } from "../../base/localDay";
import { conditionOf } from "../../domain/task/phase";
import { isTaskType, type Task, taskTypes, type TaskEvent } from "../../domain/task/task";
import type { Clock } from "../../base/clock";

export const groupings = ["state", "type", "day", "batch"] as const;
export type Grouping = (typeof groupings)[number];

export type StateGroup = "attention" | "running" | "today" | "earlier";
export const stateGroups: readonly StateGroup[] = ["attention", "running", "today", "earlier"];

/** The group of all tasks that were submitted one by one. */
export const singleTasks = "single";

export interface GroupRules {
  readonly grouping: Grouping;
  readonly includes: (task: Task) => boolean;
  /** Milliseconds since 1970; decides what ended today. */
  readonly now: number;
}

/** The parts that a redraw has to draw. */
interface GroupChange {
  /** A group appeared or went, or everything was sorted again. */
  readonly isRestructured: boolean;
  /** The groups whose members are others than before. */
  readonly groups: ReadonlySet<string>;
}

/** The place of a task: the newest first, and the tasks of a batch in the order in which they were submitted. */
interface Order {
  readonly startedAt: number;
  /** The number of the task, or of the first one of its batch. */
  readonly start: number;
  readonly number: number;
}

/** More changes than this are cheaper to sort at once than to insert one by one. */
const maxInserts = 1000;

export class TaskGroups {
  readonly #tasks: () => ReadonlyMap<string, Task>;
  #rules: GroupRules;
  #midnight: number;
  readonly #orders = new Map<string, Order>();
  readonly #batches = new Map<string, { readonly startedAt: number; readonly start: number }>();
  /** The group that each included task is in. */
  readonly #places = new Map<string, string>();
  readonly #members = new Map<string, string[]>();
  #keys: readonly string[] | undefined;
  #numbered = 0;

  constructor(tasks: () => ReadonlyMap<string, Task>, rules: GroupRules) {
    this.#tasks = tasks;
    this.#rules = rules;
    this.#midnight = startOfDay(rules.now);
    this.reset(rules);
  }

  /** The groups that have members, in their order. */
  get keys(): readonly string[] {
    this.#keys ??= this.#sortedKeys();
    return this.#keys;
  }

  get rules(): GroupRules {
    return this.#rules;
  }

  /** The number of tasks that are in a group; the others are filtered out. */
  get size(): number {
    return this.#places.size;
  }

  idsIn(key: string): readonly string[] {
    return this.#members.get(key) ?? [];
  }

  groupOf(id: string): string | undefined {
    return this.#places.get(id);
  }

  /** Sorts everything again. */
  reset(rules: GroupRules): void {
    this.#rules = rules;
    this.#midnight = startOfDay(rules.now);
    this.#orders.clear();
    this.#batches.clear();
    this.#places.clear();
    this.#members.clear();
    this.#keys = undefined;
    this.#numbered = 0;
    const entries: { readonly id: string; readonly task: Task; readonly order: Order }[] = [];
    for (const [id, task] of this.#tasks()) entries.push({ id, task, order: this.#orderOf(id, task) });
    // The entries are nearly sorted already, in the other direction, which the sort detects.
    entries.sort((one, other) => compareOrders(one.order, other.order));
    for (const { id, task } of entries) {
      if (!rules.includes(task)) continue;
      const key = this.#keyOf(task);
      this.#places.set(id, key);
      const members = this.#members.get(key);
      if (members) members.push(id);
      else this.#members.set(key, [id]);
    }
  }

  /** Takes over what has changed. A task in `held` stays where it needed attention: looking at it is what ends that. */
  apply(ids: ReadonlySet<string>, held: ReadonlySet<string> = new Set()): GroupChange {
    if (ids.size > maxInserts) {
      this.reset(this.#rules);
      return { isRestructured: true, groups: new Set() };
    }
    const tasks = this.#tasks();
    const groups = new Set<string>();
    const count = this.#members.size;
    let isRestructured = false;
    for (const id of ids) {
      const task = tasks.get(id);
      const before = this.#places.get(id);
      const wanted = task && this.#rules.includes(task) ? this.#keyOf(task) : undefined;
      const after = task && before === "attention" && held.has(id) ? before : wanted;
      if (before === after) continue;
      if (before !== undefined) {
        groups.add(before);
        isRestructured = this.#take(id, before) || isRestructured;
      }
      if (task && after !== undefined) {
        groups.add(after);
        isRestructured = this.#insert(id, task, after) || isRestructured;
      }
    }
    if (isRestructured || count !== this.#members.size) this.#keys = undefined;
    return { isRestructured, groups };
  }

  /** Takes a task out of its group. True when the group is empty now. */
  #take(id: string, key: string): boolean {
    this.#places.delete(id);
    const members = this.#members.get(key);
    const order = this.#orders.get(id);
    if (!members || !order) return false;
    members.splice(this.#indexOf(members, order), 1);
    return members.length === 0 && this.#members.delete(key);
  }

  /** Inserts a task into its group. True when the group is new. */
  #insert(id: string, task: Task, key: string): boolean {
    this.#places.set(id, key);
    const members = this.#members.get(key);
    if (!members) {
      this.#orderOf(id, task);
      this.#members.set(key, [id]);
      return true;
    }
    members.splice(this.#indexOf(members, this.#orderOf(id, task)), 0, id);
    return false;
  }

  /** The index at which the task with this order is, or belongs. */
  #indexOf(members: readonly string[], order: Order): number {
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#orders.get(members[middle] ?? "");
      if (other && compareOrders(other, order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The order of a task is the same for each call: one that was removed and is restored gets its place back. */
  #orderOf(id: string, { intent }: Task): Order {
    const known = this.#orders.get(id);
    if (known) return known;
    const number = this.#numbered++;
    const own = { startedAt: intent.createdAt, start: number };
    let batch = own;
    if (intent.batch !== undefined) {
      batch = this.#batches.get(intent.batch) ?? own;
      this.#batches.set(intent.batch, batch);
    }
    const order = { ...batch, number };
    this.#orders.set(id, order);
    return order;
  }

  #keyOf(task: Task): string {
    switch (this.#rules.grouping) {
      case "state":
        return stateGroupOf(task, this.#midnight);
      case "type":
        return task.intent.type;
      case "day":
        return String(startOfDay(task.intent.createdAt));
      case "batch":
        return task.intent.batch ?? singleTasks;
    }
  }

  #sortedKeys(): readonly string[] {
    const keys = [...this.#members.keys()];
    const rank = (key: string, ranks: readonly string[]): number => ranks.indexOf(key);
    switch (this.#rules.grouping) {
      case "state":
        return keys.sort((one, other) => rank(one, stateGroups) - rank(other, stateGroups));
      case "type":
        // A type of a later version has no place in the table: it comes last.
        return keys.sort((one, other) => typeRank(one) - typeRank(other) || one.localeCompare(other));
      case "day":
        return keys.sort((one, other) => Number(other) - Number(one));
      case "batch":
        return keys.sort((one, other) => this.#compareBatches(one, other));
    }
  }

  #compareBatches(one: string, other: string): number {
    if (one === singleTasks || other === singleTasks) return one === singleTasks ? 1 : -1;
    const [first, second] = [this.#batches.get(one), this.#batches.get(other)];
    return first && second ? second.startedAt - first.startedAt || second.start - first.start : 0;
  }
}

function typeRank(type: string): number {
  return isTaskType(type) ? taskTypes.indexOf(type) : taskTypes.length;
}

function compareOrders(one: Order, other: Order): number {
  return other.startedAt - one.startedAt || other.start - one.start || one.number - other.number;
}

/** `midnight`: the start of today. */
export function stateGroupOf(task: Task, midnight: number): StateGroup {
  const condition = conditionOf(task);
  if (condition === "needs-attention") return "attention";
  if (condition === "running") return "running";
  return endOf(task) >= midnight ? "today" : "earlier";
}

function endOf({ intent, submission }: Task): number {
  if (submission.state === "accepted") return submission.remote.completedAt ?? submission.checkedAt;
  return submission.state === "not-accepted" ? submission.at : intent.createdAt;
}

export function needsAttention(task: Task): boolean {
  return conditionOf(task) === "needs-attention";
}

/** Whether the task has ended, and nothing about it is open. */
export function isFinished(task: Task): boolean {
  return conditionOf(task) === "finished";
}

// Calls back after each local midnight, for lists that name today.

/** Resolves when the signal aborts; never rejects. */
export async function eachDay(clock: Clock, signal: AbortSignal, run: () => void): Promise<void> {
  let day = startOfDay(clock.now());
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    // The machine may sleep over midnight, so the day is looked at each hour.
    const wait = Math.min(startOfNextDay(clock.now()) - clock.now(), 3_600_000);
    await clock.delay(wait, signal).catch(() => undefined);
    if (isOver() || startOfDay(clock.now()) === day) continue;
    day = startOfDay(clock.now());
    run();
  }
}

// Each element of the Tasks view is one object, because VS Code compares them by identity.

export type TaskElement =
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "event"; readonly task: string; readonly event: TaskEvent }
  | { readonly kind: "note"; readonly task: string; readonly text: string }
  /** Shows the next page of a group, or of the groups themselves where `group` is missing. */
  | { readonly kind: "more"; readonly group: string | undefined }
  /** The row that names what is hidden; a click shows it again. */
  | { readonly kind: "hidden" };

export class TaskElements {
  readonly #groups = new Map<string, TaskElement>();
  readonly #more = new Map<string | undefined, TaskElement>();
  readonly #tasks = new Map<string, TaskElement>();
  readonly hidden: TaskElement = { kind: "hidden" };

  group(group: string): TaskElement {
    return kept(this.#groups, group, () => ({ kind: "group", group }));
  }

  more(group: string | undefined): TaskElement {
    return kept(this.#more, group, () => ({ kind: "more", group }));
  }

  task(id: string): TaskElement {
    return kept(this.#tasks, id, () => ({ kind: "task", id }));
  }

  forget(id: string): void {
    this.#tasks.delete(id);
  }
}

/** The ids of the tasks among selected rows. */
export function tasksIn(elements: readonly TaskElement[]): readonly string[] {
  return elements.flatMap((element) => (element.kind === "task" ? [element.id] : []));
}

/** The tasks of an argument that VS Code or another caller gave to a command: a task, or a group with its tasks. */
export function idsOf(element: unknown, idsIn: (group: string) => readonly string[]): readonly string[] {
  if (typeof element !== "object" || element === null) return [];
  if ("id" in element && typeof element.id === "string") return [element.id];
  return "group" in element && typeof element.group === "string" ? idsIn(element.group) : [];
}

function kept<Key>(elements: Map<Key, TaskElement>, key: Key, make: () => TaskElement): TaskElement {
  let element = elements.get(key);
  if (!element) elements.set(key, (element = make()));
  return element;
}
