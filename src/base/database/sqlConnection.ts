/** One open connection: prepared statements by their text, and errors as `DatabaseFailure`. All calls are synchronous. */
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { toDatabaseFailure } from "./failure";
import type { NativeDatabase } from "./runtime";

export type Row = Readonly<Record<string, SQLOutputValue>>;
/** By name (`{ id }` for `:id`). */
export type Values = Readonly<Record<string, SQLInputValue>>;

export class SqlConnection {
  readonly #native: NativeDatabase;
  readonly #statements = new Map<string, StatementSync>();

  constructor(native: NativeDatabase) {
    this.#native = native;
  }

  /** Runs statements without values. */
  exec(sql: string): void {
    translated(() => this.#native.exec(sql));
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: Values = {}): number {
    return translated(() => Number(this.#statement(sql).run(values).changes));
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return translated(() => this.#statement(sql).get(values));
  }

  all(sql: string, values: Values = {}): readonly Row[] {
    return translated(() => this.#statement(sql).all(values));
  }

  /** Row by row, so that what was read before an unreadable page is not lost. */
  *iterate(sql: string, values: Values = {}): IterableIterator<Row> {
    const rows = translated(() => this.#statement(sql).iterate(values));
    for (;;) {
      const next = translated(() => rows.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** The only value of the first row, as a PRAGMA answers. */
  value(sql: string): SQLOutputValue | undefined {
    const row = this.get(sql);
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /**
   * For an update that names one row and what is known of it (`where id = :id and revision = :revision`). False when the
   * row has changed or gone since: the caller decides what a conflict means.
   */
  changeRow(sql: string, values: Values): boolean {
    const changed = this.run(sql, values);
    if (changed > 1) throw new Error(`${changed} rows changed instead of one: ${sql}`);
    return changed === 1;
  }

  /** Never throws: an end that fails leaves nothing to be done. */
  rollback(): void {
    try {
      this.#native.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, as after a full disk.
    }
  }

  close(): void {
    this.#statements.clear();
    translated(() => this.#native.close());
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#native.prepare(sql)));
    return statement;
  }
}

function translated<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw toDatabaseFailure(error) as Error;
  }
}

/** The number in a row, for counts and versions. */
export function numberIn(value: SQLOutputValue | undefined): number {
  if (typeof value === "number") return value;
  throw new TypeError(`A number was expected, not ${typeof value}.`);
}
