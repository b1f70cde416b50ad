/**
 * Notes with the tasks that the wall clock was set back. From the times of a task that was made before nobody can tell how old it is, also when the
 * clock has caught up with them.
 */
import * as z from "zod/mini";
import type { MonotonicClock } from "../../base/clock";
import { numberIn, type SqlConnection } from "../../base/database/sqlConnection";
import { parseJson } from "../../base/jsonValue";
import { readNote, writeNote } from "./pollNotes";

const noteName = "clock";
/** `latest`: milliseconds since 1970, the latest time that was seen. `tasks`: the number of the last task before the clock was set back. */
const noteSchema = z.object({ latest: z.number(), tasks: z.number() });

/** Milliseconds. The lifetime of a key has an hour to spare, so a smaller correction makes no key seem younger than it may be. */
const tolerance = 10 * 60_000;

/** What one window sees of the clock. */
export class ClockWatch {
  readonly #clock: MonotonicClock;
  /** The most milliseconds by which the wall clock was ahead of the monotonic one. Only setting the wall clock back makes them fewer. */
  #ahead: number;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** Whether the clock was set back since it was last noted; nothing is written. */
  isSetBack(connection: SqlConnection): boolean {
    const { now, ahead } = this.#look();
    const isBehind = ahead < this.#ahead - tolerance;
    this.#ahead = Math.max(this.#ahead, ahead);
    // The clock may have been set back while no window was open.
    return isBehind || now < (readClockNote(connection)?.latest ?? now) - tolerance;
  }

  /** Calls `write` with what adds the note to its transaction. Resolves and rejects as `write` does. */
  async note<T>(write: (note: (connection: SqlConnection) => void) => Promise<T>): Promise<T> {
    const { now, ahead } = this.#look();
    const done = { isNoted: false };
    const result = await write((connection) => {
      const known = readClockNote(connection);
      done.isNoted = this.isSetBack(connection);
      if (done.isNoted) keepNote(connection, { latest: now, tasks: lastTask(connection) });
      else if (known === undefined || now > known.latest + tolerance)
        keepNote(connection, { latest: now, tasks: known?.tasks ?? 0 });
    });
    // What was seen is forgotten only once the note is on the disk.
    if (done.isNoted) this.#ahead = ahead;
    return result;
  }

  #look(): { readonly now: number; readonly ahead: number } {
    const now = this.#clock.now();
    return { now, ahead: now - this.#clock.monotonic() };
  }
}

/** Whether the task was made before the clock was set back. */
export function isMadeBeforeSetBack(connection: SqlConnection, id: string): boolean {
  const row = connection.get("SELECT number FROM task WHERE id = :id", { id });
  return row !== undefined && numberIn(row["number"]) <= (readClockNote(connection)?.tasks ?? 0);
}

function keepNote(connection: SqlConnection, note: z.infer<typeof noteSchema>): void {
  writeNote(connection, noteName, JSON.stringify(note));
}

function lastTask(connection: SqlConnection): number {
  return numberIn(connection.value("SELECT coalesce(max(number), 0) FROM task"));
}

function readClockNote(connection: SqlConnection): z.infer<typeof noteSchema> | undefined {
  const text = readNote(connection, noteName)?.text;
  return text === undefined ? undefined : noteSchema.safeParse(parseJson(text)).data;
}
