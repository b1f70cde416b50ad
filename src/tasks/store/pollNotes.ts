/**
 * Stores what the windows share about polling: the lease, the note of the one that polls, and what people do in the others. It is written every few
 * seconds and worth nothing once no window is open, so it has a file of its own, without syncs. The pauses of the accounts outlast the windows, so
 * they are stored with the tasks.
 */
import * as z from "zod/mini";
import { Lease, leaseSchema } from "../../base/database/lease";
import { Database, type DatabaseOptions } from "../../base/database/database";
import { numberIn, type SqlConnection } from "../../base/database/sqlConnection";
import type { MonotonicClock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { pollLease, type PollStep, type PollLease, type StoredPause } from "./taskStore";

export const pollNoteSchema = `
  CREATE TABLE poll_note (
    name TEXT PRIMARY KEY NOT NULL,
    text TEXT,
    count INTEGER NOT NULL
  ) STRICT
`;

const pauseSchema = z.object({ account: z.string(), until: z.number(), length: z.number() });
const pauseName = "pause ";
/** Milliseconds by which the wall clock may be corrected without a doubt about a pause. */
const roundingTime = 1000;

/** Milliseconds between two marks of a window that a person looks at. */
const watchedInterval = 20_000;

export interface PollNotesOptions extends Pick<DatabaseOptions, "openNative"> {
  readonly path: string;
  readonly clock: MonotonicClock;
  /** Unique among the windows. */
  readonly owner: string;
}

export class PollNotes {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #clock: MonotonicClock;
  #markedAt = -Infinity;
  readonly #released = { releases: 0 };

  private constructor(database: Database, { clock, owner }: PollNotesOptions) {
    const { renewal: interval, silence } = pollLease;
    this.#database = database;
    this.#clock = clock;
    this.#lease = new Lease({
      database,
      name: "poll",
      owner,
      clock,
      interval,
      silence,
      monotonic: () => clock.monotonic(),
    });
  }

  /** Rejects with a `DatabaseFailure`. */
  static async open(options: PollNotesOptions): Promise<PollNotes> {
    const schema = (connection: SqlConnection): void => connection.exec(`${leaseSchema}; ${pollNoteSchema}`);
    const database = await Database.open({
      ...options,
      migrations: [schema],
      durability: "process-end",
      isDisposable: true,
    });
    return new PollNotes(database, options);
  }

  async step({ note, isWatched, asksRefresh }: PollStep): Promise<PollLease> {
    const { releases } = this.#released;
    await this.#lease.step(undefined, (connection) => writeNote(connection, "status", note));
    // A release may have come while the step was under way.
    const isReleased = this.#released.releases !== releases;
    if (isReleased) await this.#lease.release();
    const isOurs = this.#lease.state.current.state === "held";
    if (!isOurs && !isReleased) await this.#tellPoller(isWatched, asksRefresh);
    return await this.#database.read((connection) => ({
      isOurs,
      ...definedFields({ note: readNote(connection, "status")?.text }),
      watched: readNote(connection, "watched")?.count ?? 0,
      refreshes: readNote(connection, "refreshes")?.count ?? 0,
    }));
  }

  async release(): Promise<void> {
    this.#released.releases += 1;
    await this.#lease.release();
  }

  async close(): Promise<void> {
    await this.release().catch(() => undefined);
    await this.#database.close();
  }

  async #tellPoller(isWatched: boolean, asksRefresh: boolean): Promise<void> {
    const now = this.#clock.monotonic();
    const marks = isWatched && now - this.#markedAt >= watchedInterval;
    if (marks || asksRefresh)
      await this.#database.write((connection) => {
        if (marks) writeNote(connection, "watched", null);
        if (asksRefresh) writeNote(connection, "refreshes", null);
      });
    if (marks) this.#markedAt = now;
    // A window that gets the focus is reported at once.
    if (!isWatched) this.#markedAt = -Infinity;
  }
}

/** Stores a pause in the file of the tasks, and deletes the pauses that are over or of another clock. */
export function storePause(connection: SqlConnection, pause: StoredPause, now: number): void {
  for (const known of allPauses(connection))
    if (known.until < now || !isOfThisClock(known, now))
      connection.run("DELETE FROM poll_note WHERE name = :name", { name: pauseName + known.account });
  const name = pauseName + pause.account;
  const known = readPause(readNote(connection, name)?.text);
  if (known === undefined || known.until < pause.until) writeNote(connection, name, JSON.stringify(pause));
}

export function readPauses(connection: SqlConnection, now: number): readonly StoredPause[] {
  return allPauses(connection).filter((pause) => isOfThisClock(pause, now));
}

/**
 * Whether the pause can have begun under the clock as it is now: no more of it is left than it has in all. Of one that was stored before the clock was
 * set back more may be left, and each look at it would begin it anew until the clock has caught up.
 */
function isOfThisClock({ until, length }: StoredPause, now: number): boolean {
  return until - now <= length + roundingTime;
}

function allPauses(connection: SqlConnection): readonly StoredPause[] {
  return connection
    .all("SELECT text FROM poll_note WHERE name LIKE :names", { names: `${pauseName}%` })
    .flatMap(({ text }) => readPause(text) ?? []);
}

export function writeNote(connection: SqlConnection, name: string, text: string | null): void {
  connection.run(
    `INSERT INTO poll_note (name, text, count) VALUES (:name, :text, 1)
     ON CONFLICT (name) DO UPDATE SET text = excluded.text, count = count + 1`,
    { name, text },
  );
}

function readPause(text: unknown): StoredPause | undefined {
  return typeof text === "string" ? pauseSchema.safeParse(JSON.parse(text)).data : undefined;
}

export function readNote(
  connection: SqlConnection,
  name: string,
): { text: string | undefined; count: number } | undefined {
  const row = connection.get("SELECT text, count FROM poll_note WHERE name = :name", { name });
  if (row === undefined) return undefined;
  const { text, count } = row;
  return { text: typeof text === "string" ? text : undefined, count: numberIn(count) };
}
