/** Posts what the task board has of the tasks whose cards a chat page has drawn, and again when it changes. */
import { definedFields } from "../../base/definedFields";
import type { Clock } from "../../base/clock";
import { Coalescer } from "../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Task } from "../../domain/task/task";
import type { TaskCardState, TaskCardView } from "../contract/taskCardMessages";
import type { TaskBoard } from "../../tasks/board/board";

export interface TaskCardsPorts {
  readonly board: Pick<TaskBoard, "listed" | "onDidChange" | "loaded">;
  readonly clock: Clock;
  readonly viewOf: (task: Task) => TaskCardView;
  readonly post: (cards: readonly TaskCardState[]) => void;
}

/** Milliseconds for which changes are gathered. */
const batchTime = 100;

export class TaskCards implements Disposable {
  readonly #ports: TaskCardsPorts;
  readonly #registrations = new DisposableStore();
  readonly #coalescer: Coalescer<string>;
  /** What was last sent to the page for each task that it watches, as JSON; empty for nothing yet. */
  #watched = new Map<string, string>();

  constructor(ports: TaskCardsPorts) {
    this.#ports = ports;
    this.#coalescer = this.#registrations.add(
      new Coalescer({ clock: ports.clock, delay: batchTime, flush: (ids) => this.#send(ids) }),
    );
    this.#registrations.add(
      ports.board.onDidChange((ids) => {
        const watched = [...this.#watched.keys()].filter((id) => ids.has(id));
        if (watched.length > 0) this.#coalescer.add(watched);
      }),
    );
  }

  /** The page has drawn these cards and no others. */
  watch(ids: readonly string[]): void {
    const { board } = this.#ports;
    const before = this.#watched;
    this.#watched = new Map(ids.map((id) => [id, before.get(id) ?? ""]));
    const fresh = ids.filter((id) => !before.has(id));
    const isKnown = (id: string): boolean => board.listed.has(id);
    this.#send(fresh.filter(isKnown));
    const missing = fresh.filter((id) => !isKnown(id));
    // Older tasks are read from disk after the newest.
    if (missing.length > 0) void board.loaded().then(() => this.#send(missing));
  }

  /** What the views are made of beside the tasks has changed. */
  refresh(): void {
    this.#coalescer.add([...this.#watched.keys()]);
  }

  /** The page is hidden or loaded again: it has no cards. */
  reset(): void {
    this.#watched.clear();
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #send(ids: Iterable<string>): void {
    const { board, viewOf, post } = this.#ports;
    const changed: TaskCardState[] = [];
    for (const id of ids) {
      const task = board.listed.get(id);
      const state: TaskCardState = { id, ...definedFields({ view: task && viewOf(task) }) };
      const text = JSON.stringify(state);
      const last = this.#watched.get(id);
      if (last === undefined || last === text) continue;
      this.#watched.set(id, text);
      changed.push(state);
    }
    if (changed.length > 0) post(changed);
  }
}
