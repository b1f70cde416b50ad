/** The times that this person's tasks of a type and model usually take, from those that have succeeded (T12). */
import { type Disposable, DisposableStore } from "../base/disposable";
import { isRunning, hasSucceeded } from "../domain/task/phase";
import type { Task } from "../domain/task/task";
import type { TaskBoard } from "./board/board";

/** Milliseconds: half of the tasks took up to `p50`, nine of ten up to `p90`. */
export interface UsualTime {
  readonly p50: number;
  readonly p90: number;
  readonly samples: number;
}

/** The fewest samples of which a usual time is given. */
const fewestSamples = 3;
/** The newest samples of a type and model that count: a gateway may become faster or slower. */
const maxSamples = 200;
/** Milliseconds; a longer time is not one of work and does not count. */
const maxDuration = 24 * 3_600_000;

/** Grows by one sample when a task succeeds: the board is walked once, with the first question. */
export class UsualTimes implements Disposable {
  readonly #board: Pick<TaskBoard, "all" | "onDidChange">;
  readonly #registrations = new DisposableStore();
  readonly #durations = new Map<string, number[]>();
  readonly #usual = new Map<string, UsualTime | undefined>();
  readonly #counted = new Set<string>();
  #isBuilt = false;

  constructor(board: Pick<TaskBoard, "all" | "onDidChange">) {
    this.#board = board;
    this.#registrations.add(
      board.onDidChange((ids) => {
        if (this.#isBuilt) for (const id of ids) this.#learn(id);
      }),
    );
  }

  /** `undefined` with fewer than three finished tasks of that type and model. */
  usualTime(type: string, model: string): UsualTime | undefined {
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      for (const id of this.#board.all.keys()) this.#learn(id);
    }
    const key = keyOf(type, model);
    if (!this.#usual.has(key)) this.#usual.set(key, usualOf(this.#durations.get(key) ?? []));
    return this.#usual.get(key);
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #learn(id: string): void {
    const task = this.#board.all.get(id);
    if (!task || this.#counted.has(id)) return;
    const duration = timeToResult(task);
    if (duration === undefined || duration >= maxDuration) return;
    this.#counted.add(id);
    const key = keyOf(task.intent.type, task.intent.model);
    const durations = this.#durations.get(key);
    if (!durations) this.#durations.set(key, [duration]);
    else if (durations.push(duration) > maxSamples) durations.shift();
    this.#usual.delete(key);
  }
}

/** Whether the task has run for longer than nine of ten did. `now` in milliseconds since 1970. */
export function isLongerThanUsual(task: Task, usual: UsualTime | undefined, now: number): boolean {
  if (!usual || !isRunning(task)) return false;
  return now - task.submission.at > usual.p90;
}

function keyOf(type: string, model: string): string {
  return `${type} ${model}`;
}

function usualOf(durations: readonly number[]): UsualTime | undefined {
  const samples = durations.length;
  if (samples < fewestSamples) return undefined;
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(samples - 1, Math.ceil(part * samples) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), samples };
}

/**
 * Milliseconds from accept to success, by the gateway's own clock at both ends. The time at which this machine read the end does not count: VS Code
 * may have been closed. `undefined` where the gateway does not give both.
 */
export function timeToResult(task: Task): number | undefined {
  // The time of a placeholder does not show how long the real task takes.
  if (!hasSucceeded(task) || task.intent.isRehearsal === true) return undefined;
  const { createdAt, completedAt } = task.submission.remote;
  if (createdAt === undefined || completedAt === undefined) return undefined;
  const duration = completedAt - createdAt;
  return duration >= 0 ? duration : undefined;
}
