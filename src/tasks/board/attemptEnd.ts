/** When an attempt of another window is over without an outcome: that window has ended, or was silent for long and left no mark. */
import type { Clock } from "../../base/clock";
import type { SenderState } from "../store/taskStore";

export interface WatchedAttempt {
  /** Nothing more was written of the task. */
  readonly isCurrent: () => boolean;
  readonly senderState: () => Promise<SenderState> | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks. */
const interval = 5000;
/** Milliseconds of silence for a window without a mark. */
const silenceLimit = 60_000;

/** False when something was written of it. Never rejects. */
export async function endsWithoutOutcome(attempt: WatchedAttempt): Promise<boolean> {
  const { isCurrent, senderState, clock, signal } = attempt;
  for (let silence = interval; ; silence += interval) {
    await clock.delay(interval, signal).catch(() => undefined);
    const state = (await senderState()?.catch(() => undefined)) ?? "unmarked";
    if (!isCurrent()) return false;
    if (state === "ended" || (state === "unmarked" && silence >= silenceLimit)) return true;
  }
}
