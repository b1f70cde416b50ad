/** Writes the mark by which the next window sees that no task is unfinished. */
import { stat } from "node:fs/promises";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { LoopPause } from "../../base/async/loopPause";
import { isRunning } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { untilRecheck } from "./pollSchedule";
import { writeIdleMark } from "./idleMark";

export interface IdleMarkOptions {
  readonly board: Pick<TaskBoard, "listed" | "all" | "unwritten" | "onDidChange" | "loaded">;
  readonly clock: Clock;
  readonly taskFile: string;
  /** Whether something is still to be done with an ended task: its result is to be fetched, or to be placed in the project. */
  readonly hasWork: (task: Task) => boolean;
}

/** Milliseconds. Two writes in a row may leave the same time of change, so only a file that has been quiet is marked. */
const quietTime = 2000;

/** Runs until the signal aborts; never rejects. */
export async function keepIdleMark(options: IdleMarkOptions, signal: AbortSignal): Promise<void> {
  const { board, clock } = options;
  const pause = new LoopPause();
  const listening = board.onDidChange(() => pause.end());
  try {
    for (;;) {
      await clock.delay(quietTime, signal);
      if (await markIfIdle(options)) await pause.wait(Infinity, clock, signal);
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  } finally {
    listening.dispose();
  }
}

/** False when the file was written so recently that it must be looked at again. */
async function markIfIdle({ board, clock, taskFile, hasWork }: IdleMarkOptions): Promise<boolean> {
  try {
    // The file is looked at before the board reads it: what another window writes after this makes the mark void.
    const file = await stat(taskFile);
    if (Math.abs(clock.now() - file.mtimeMs) < quietTime) return false;
    await board.loaded();
    const now = clock.now();
    const isUnfinished = [...board.listed.values()].some((task) => needsWindow(task, now));
    // The result of a task that was taken off the list is fetched and placed, too.
    const isIdle = !isUnfinished && ![...board.all.values()].some(hasWork);
    if (board.unwritten.current === undefined && isIdle) await writeIdleMark(taskFile, file);
  } catch {
    // Without a mark the next window loads the tasks and finds nothing to do.
  }
  return true;
}

/**
 * Whether a task has something to go on with when no view is open; a window that starts loads the tasks for it (T1). `now` in milliseconds since 1970. Results that are to be fetched or placed are not looked at.
 */
export function needsWindow(task: Task, now: number): boolean {
  const { submission } = task;
  switch (submission.state) {
    // These are shown to the person, who may reconcile; an attempt under way may have been cut.
    case "prepared":
    case "sending":
    case "outcome-unknown":
      return true;
    case "not-accepted":
      return false;
    case "accepted":
      break;
  }
  // A later read shows the outcome of a cancel.
  return isRunning(task) || submission.cancel?.state === "requested" || untilRecheck(task, now) !== undefined;
}
