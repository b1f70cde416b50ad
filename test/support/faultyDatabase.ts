/** SQLite on a disk that can be full, broken or locked, or stop with its process: the real file underneath holds what a restart would find. */
import { type NativeDatabase, type OpenNative, openNative } from "../../src/base/database/runtime";

/** Result codes of SQLite; https://www.sqlite.org/rescode.html. */
export const resultCodes = { busy: 5, readOnly: 8, io: 10, ioLock: 3850, corrupt: 11, full: 13 } as const;

export interface FaultyDatabase {
  readonly openNative: OpenNative;
  /** Each commit of a transaction that may write fails with this result code from now on. */
  commits: number | undefined;
  /** Each statement fails with this result code from now on. */
  statements: number | undefined;
  /** Acts like `kill -9`: from now on nothing is written any more. */
  kill(): void;
  readonly isDead: boolean;
  /** Resolves when it is killed. */
  readonly died: Promise<void>;
  /** Closes the real connections of a process that died. */
  close(): void;
}

/** `unsynced`: the kernel's copy survives whatever the test does. `fast`: no journal on disk either, for tests that replace no file. */
export function createFaultyDatabase(
  options: { readonly fast?: boolean; readonly unsynced?: boolean } = {},
): FaultyDatabase {
  const { fast = false, unsynced = fast } = options;
  const open = new Set<NativeDatabase>();
  const death = Promise.withResolvers<undefined>();
  let isDead = false;
  const check = (sql: string, writes = true): void => {
    if (isDead) throw sqliteError(resultCodes.io);
    if (faulty.statements !== undefined) throw sqliteError(faulty.statements);
    if (faulty.commits !== undefined && writes && sql === "COMMIT") throw sqliteError(faulty.commits);
  };
  const faulty: FaultyDatabase = {
    commits: undefined,
    statements: undefined,
    kill() {
      isDead = true;
      death.resolve(undefined);
    },
    get isDead() {
      return isDead;
    },
    died: death.promise,
    close() {
      for (const native of open) native.close();
      open.clear();
    },
    openNative(path, options) {
      check("open");
      const native = openNative(path, options);
      open.add(native);
      let writes = true;
      return {
        exec(sql) {
          if (sql.startsWith("BEGIN")) writes = sql !== "BEGIN";
          check(sql, writes);
          native.exec(unsynced ? sql.replace("synchronous = FULL", "synchronous = OFF") : sql);
        },
        prepare(sql) {
          check(sql);
          return native.prepare(fast ? sql.replace("journal_mode = TRUNCATE", "journal_mode = MEMORY") : sql);
        },
        close() {
          open.delete(native);
          native.close();
        },
      };
    },
  };
  return faulty;
}

export function sqliteError(errcode: number): Error {
  return Object.assign(new Error(`SQLite's result code ${errcode}`), { code: "ERR_SQLITE_ERROR", errcode });
}
