/** Finds out which batches have ended while this window was open. A task that was submitted alone is a batch of its own. */
import type { Disposable } from "../../base/disposable";
import { Emitter, type Event } from "../../base/event";
import { conditionOf, isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";

type Tasks = Pick<TaskBoard, "tasks" | "onDidChange">;

interface LiveBatch {
  /** Those that are being sent or run. */
  readonly live: Set<string>;
  /** Those that ended while they were watched. */
  readonly ended: string[];
}

export class FinishedBatches implements Disposable {
  readonly #board: Tasks;
  readonly #batches = new Map<string, LiveBatch>();
  readonly #finished = new Emitter<readonly string[]>();
  readonly #registration: Disposable;

  constructor(board: Tasks) {
    this.#board = board;
    for (const [id, task] of board.tasks) if (isLive(task)) this.#batchOf(task).live.add(id);
    this.#registration = board.onDidChange((ids) => this.#look(ids));
  }

  /** The ids of the tasks of one batch that have ended, once none of it is left. */
  readonly onDidFinish: Event<readonly string[]> = this.#finished.event;

  dispose(): void {
    this.#registration.dispose();
    this.#finished.dispose();
  }

  #look(ids: ReadonlySet<string>): void {
    const touched = new Set<string>();
    for (const id of ids) {
      const task = this.#board.tasks.get(id);
      if (!task) continue;
      if (isLive(task)) {
        this.#batchOf(task).live.add(id);
        continue;
      }
      const name = nameOf(task);
      const batch = this.#batches.get(name);
      if (!batch?.live.delete(id)) continue;
      touched.add(name);
      if (isAccepted(task)) batch.ended.push(id);
    }
    for (const name of touched) {
      const batch = this.#batches.get(name);
      // A task that was removed meanwhile will not be heard of again.
      if (!batch || [...batch.live].some((id) => this.#board.tasks.has(id))) continue;
      this.#batches.delete(name);
      if (batch.ended.length > 0) this.#finished.fire(batch.ended);
    }
  }

  #batchOf(task: Task): LiveBatch {
    const name = nameOf(task);
    let batch = this.#batches.get(name);
    if (!batch) this.#batches.set(name, (batch = { live: new Set(), ended: [] }));
    return batch;
  }
}

function nameOf({ intent }: Task): string {
  return intent.batch ?? intent.id;
}

function isLive(task: Task): boolean {
  return conditionOf(task) === "running";
}
