/** Decides when a task is read next (T4): within the service's 2 to 5 s while the window has the focus, slower otherwise. Pure. */
import { acceptedOf } from "../../domain/task/phase";
import { isFinal, type Task, type TaskState } from "../../domain/task/task";

/** The facts that the interval depends on; times in milliseconds. */
export interface Pace {
  readonly state: TaskState;
  /** The time since the task was accepted. */
  readonly age: number;
  /** The time since the window lost the focus; absent while it has it. */
  readonly unfocusedFor?: number;
  /** 0 to 1, drawn for each wait. */
  readonly random: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The wait before the next read, with ±20 % jitter that never leaves the service's bounds. */
export function pollInterval({ state, age, unfocusedFor, random }: Pace): number {
  const jitter = 0.8 + 0.4 * random;
  if (age > 24 * hour) return 5 * minute * jitter;
  if (unfocusedFor !== undefined) return (unfocusedFor < 10 * minute ? 10 * second : 30 * second) * jitter;
  if (state === "unknown") return 10 * second * jitter;
  const base = age < 20 * second ? 2 * second : age < 2 * minute ? 3 * second : 5 * second;
  return clamp(base * jitter, 2 * second, 5 * second);
}

/** The shortest time between two reads of a task, whatever asks for one. */
export const minReadInterval = 2 * second;

/** A refund may follow the end of a task: it is read once more, this long after its end was seen. */
export const recheckAfter = minute;
/** The time after its end in which a task is still read once more: a year's list is not read again. */
const recheckWithin = 24 * hour;

/** The time until the recheck of a task; `undefined` when none is due: it has happened, or its time is over. */
export function untilRecheck(task: Task, now: number): number | undefined {
  const accepted = acceptedOf(task);
  if (accepted === undefined || accepted.lookedAt !== undefined) return undefined;
  const { state } = accepted.remote;
  if (!isFinal(state) || state === "refunded") return undefined;
  // A clock that was set back makes the end lie ahead: the recheck is then as far off as one can be.
  const since = Math.max(0, now - accepted.checkedAt);
  return since > recheckWithin ? undefined : Math.max(0, recheckAfter - since);
}

const day = 24 * hour;

/** The pause of an account: as the service asked, up to a day; after a 429 that named no time, doubling each time. */
export function requestedPause(retryAfterMs: number | undefined, times: number): number {
  if (retryAfterMs !== undefined) return clamp(retryAfterMs, second, day);
  return Math.min(5 * second * 2 ** Math.max(0, times - 1), minute);
}

/** The wait of an account's reads after `times` failures in a row: 2 to 60 s, at random below the doubling bound. */
export function failurePause(times: number, random: number): number {
  const bound = Math.min(2 * second * 2 ** Math.max(0, times - 1), minute);
  return Math.max(2 * second, bound * random);
}

/** The wait with a key that is missing or refused; a key that is set ends it at once. */
export const refusedKeyPause = 15 * minute;

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
