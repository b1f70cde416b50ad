/** The schema's steps: each takes the file from one `user_version` to the next, forward only, in a transaction of its own. */
import { DatabaseFailure } from "./failure";
import { type SqlConnection, numberIn } from "./sqlConnection";

/** The step at index n leads from version n to n + 1. Once shipped, a step is never changed. */
export type Migration = (connection: SqlConnection) => void;

export function readSchemaVersion(connection: SqlConnection): number {
  return numberIn(connection.value("PRAGMA user_version"));
}

/**
 * Takes one step inside the caller's write transaction; returns whether there is another one. The version is read here,
 * under the lock: another process may have taken the step meanwhile. Throws a `DatabaseFailure` of kind `corrupt` for a
 * file that has lost its version.
 */
export function migrateOnce(connection: SqlConnection, migrations: readonly Migration[]): boolean {
  const version = readSchemaVersion(connection);
  const step = migrations[version];
  if (step === undefined) return false;
  // Each step commits its tables with its version: a file with tables and without a version has a damaged header.
  if (version === 0 && connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table'") !== undefined)
    throw new DatabaseFailure("corrupt", "The file has tables and no version.");
  step(connection);
  connection.exec(`PRAGMA user_version = ${version + 1}`);
  return version + 1 < migrations.length;
}
