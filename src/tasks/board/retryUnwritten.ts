/** While the disk does not take what the gateway said, tries again: once space is freed, nothing is left to do by hand. */
import type { Clock } from "../../base/clock";
import { Wake } from "../../base/async/wake";
import type { TaskBoard } from "./board";

/** Milliseconds between two tries. */
const interval = 5000;

/** Runs until the signal aborts; never rejects. */
export async function retryUnwritten(board: TaskBoard, clock: Clock, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const listening = board.unwritten.onDidChange(() => wake.wake());
  try {
    while (!signal.aborted) {
      if (board.unwritten.current === undefined) await wake.pause(Infinity, clock, signal);
      else {
        await clock.delay(interval, signal);
        await board.flush();
      }
    }
  } catch {
    // Only the signal ends a pause with an error.
  } finally {
    listening.dispose();
  }
}
