/**
 * One owner at a time for a piece of work, among processes that share a database. The owner counts a heartbeat up; the
 * others time its silence on their own monotonic clock, so that no wall clock matters.
 */
import { isAbort } from "../async/abort";
import type { Clock } from "../clock";
import { type ReadonlyStore, Store } from "../store";
import { type SqlConnection, numberIn } from "./sqlConnection";
import type { Database } from "./database";
import { DatabaseFailure } from "./failure";

/** The table of the leases; a migration of the database runs it. */
export const leaseSchema = `
  CREATE TABLE lease (
    name TEXT PRIMARY KEY NOT NULL,
    owner TEXT,
    heartbeat INTEGER NOT NULL,
    token INTEGER NOT NULL
  ) STRICT
`;

export interface LeaseOptions {
  readonly database: Database;
  readonly name: string;
  /** Unique among the processes. */
  readonly owner: string;
  readonly clock: Clock;
  /** Milliseconds that are never set back or forward. */
  readonly monotonic: () => number;
  /** Milliseconds between two heartbeats. */
  readonly interval: number;
  /** Milliseconds without a new heartbeat after which the lease is taken over. */
  readonly silence: number;
}

export type LeaseState =
  | { readonly state: "waiting"; readonly owner?: string }
  /** The token grows with each change of owner. */
  | { readonly state: "held"; readonly token: number };

interface Observed {
  readonly owner: string | null;
  readonly heartbeat: number;
  readonly token: number;
}

export class Lease {
  readonly #options: LeaseOptions;
  readonly #state = new Store<LeaseState>({ state: "waiting" });
  /** The row of another owner as it was last read, and since when it is unchanged on this process's monotonic clock. */
  #seen: (Observed & { readonly since: number }) | undefined;
  #renewedAt = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** The state after the last step. `isHeld` also checks the time since then, because this process may have been suspended. */
  get state(): ReadonlyStore<LeaseState> {
    return this.#state;
  }

  /** Also false when this process has not renewed the lease for `silence`, so that another one may have taken it. */
  get isHeld(): boolean {
    const { monotonic, silence } = this.#options;
    return this.#state.current.state === "held" && monotonic() - this.#renewedAt < silence;
  }

  /** Takes, renews or watches until the signal aborts, then releases. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, interval } = this.#options;
    while (!signal.aborted) {
      try {
        await this.step(signal);
      } catch (error) {
        if (isAbort(error)) break;
        // While the file can't be used, the lease is not renewed: `isHeld` turns false after `silence`, and the next step tries again.
      }
      await clock.delay(interval, signal).catch(() => undefined);
    }
    await this.release().catch(() => undefined);
  }

  /**
   * Reads the row and takes, renews or watches the lease. `whenHeld` runs in the transaction that takes or renews it. Rejects
   * with a `DatabaseFailure`.
   */
  async step(signal?: AbortSignal, whenHeld?: (connection: SqlConnection) => void): Promise<void> {
    const { database, name, owner, monotonic, silence } = this.#options;
    const now = monotonic();
    const silent = this.#seen !== undefined && now - this.#seen.since >= silence ? this.#seen : undefined;
    const isOthers = (row: Observed): boolean =>
      row.owner !== null && row.owner !== owner && (silent?.token !== row.token || silent.heartbeat !== row.heartbeat);
    const seen = await database.read((connection) => readLease(connection, name), signal);
    const found = isOthers(seen)
      ? seen
      : await database.write((connection): Observed => {
          const row = readLease(connection, name);
          if (isOthers(row)) return row;
          const token = row.owner === owner ? row.token : row.token + 1;
          const renewed = { owner, heartbeat: row.heartbeat + 1, token };
          connection.run(writeLease, { ...renewed, name });
          whenHeld?.(connection);
          return renewed;
        }, signal);
    if (found.owner === owner) {
      this.#renewedAt = now;
      this.#seen = undefined;
      const { current } = this.#state;
      if (current.state !== "held" || current.token !== found.token)
        this.#state.set({ state: "held", token: found.token });
      return;
    }
    const isNew = this.#seen?.token !== found.token || this.#seen.heartbeat !== found.heartbeat;
    if (isNew) this.#seen = { ...found, since: monotonic() };
    const { current } = this.#state;
    if (current.state === "held" || current.owner !== found.owner)
      this.#state.set({ state: "waiting", ...(found.owner === null ? {} : { owner: found.owner }) });
  }

  /**
   * A write of the owner. The token is compared inside the transaction: an owner that was paused and replaced meanwhile
   * gets a `DatabaseFailure` of kind `lease-lost`, and nothing is written.
   */
  async write<T>(work: (connection: SqlConnection) => T, signal?: AbortSignal): Promise<T> {
    const { database, name, owner } = this.#options;
    const { current } = this.#state;
    return database.write((connection) => {
      const row = readLease(connection, name);
      if (current.state !== "held" || row.owner !== owner || row.token !== current.token)
        throw new DatabaseFailure("lease-lost", `The lease ${name} belongs to ${row.owner ?? "nobody"}.`);
      return work(connection);
    }, signal);
  }

  /** Gives the lease up, so that another process need not wait for `silence`. */
  async release(): Promise<void> {
    const { database, name, owner } = this.#options;
    const { current } = this.#state;
    if (current.state !== "held") return;
    this.#state.set({ state: "waiting" });
    await database.write((connection) =>
      connection.run("UPDATE lease SET owner = NULL WHERE name = :name AND owner = :owner AND token = :token", {
        name,
        owner,
        token: current.token,
      }),
    );
  }
}

const writeLease = `
  INSERT INTO lease (name, owner, heartbeat, token) VALUES (:name, :owner, :heartbeat, :token)
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, heartbeat = excluded.heartbeat, token = excluded.token
`;

function readLease(connection: SqlConnection, name: string): Observed {
  const row = connection.get("SELECT owner, heartbeat, token FROM lease WHERE name = :name", { name });
  if (row === undefined) return { owner: null, heartbeat: 0, token: 0 };
  const { owner, heartbeat, token } = row;
  return { owner: typeof owner === "string" ? owner : null, heartbeat: numberIn(heartbeat), token: numberIn(token) };
}
