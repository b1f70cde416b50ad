/** Loads `node:sqlite` with the first file: a host without it can load our bundle, and one that warns about it warns only when it is used. */
import type * as sqlite from "node:sqlite";
import { DatabaseFailure } from "./failure";

export type Runtime = typeof sqlite;

/** The part of a `DatabaseSync` that is used; a test wraps one to fail as a full disk does. */
export type NativeDatabase = Pick<sqlite.DatabaseSync, "exec" | "prepare" | "close">;
export type OpenNative = (path: string, options: { readonly readOnly: boolean }) => NativeDatabase;

export const openNative: OpenNative = (path, { readOnly }) => {
  const { DatabaseSync } = loadRuntime();
  return new DatabaseSync(path, { readOnly });
};

let runtime: Runtime | undefined;

/** Throws a `DatabaseFailure` of kind `missing-runtime`. */
export function loadRuntime(): Runtime {
  runtime ??= withoutSqliteWarning((): Runtime | undefined => process.getBuiltinModule("node:sqlite"));
  if (runtime !== undefined) return runtime;
  throw new DatabaseFailure("missing-runtime", `Node ${process.version} has no node:sqlite.`);
}

/** Suppresses Node 22's warning that SQLite is experimental, which it emits once during the synchronous load. Other warnings pass. */
function withoutSqliteWarning<T>(load: () => T): T {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: [never]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning.call(process, warning, ...rest);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
