/** The newest tasks as they are on disk, read on the extension host's thread while the store's own thread is still starting. */
import { readSchemaVersion, SqlConnection } from "../../base/database/sqlConnection";
import { openNative } from "../../base/database/runtime";
import { countTasks, readLastChange, readSnapshot, taskMigrations } from "./taskRows";
import { withAttempts } from "./windowMarks";
import type { TaskSnapshot } from "./taskStore";

/**
 * Takes a few milliseconds and waits for no lock. `undefined` where only the store can read the file: there is none,
 * it has another version, another window is writing, a write was cut, or it is damaged.
 */
export function readTasksEarly(path: string, newest: number): TaskSnapshot | undefined {
  let connection: SqlConnection | undefined;
  try {
    connection = new SqlConnection(openNative(path, { readOnly: true }));
    connection.exec("BEGIN");
    if (readSchemaVersion(connection) !== taskMigrations.length) return undefined;
    const { tasks, unreadable } = readSnapshot(connection, newest);
    const total = countTasks(connection).tasks;
    return { tasks: withAttempts(path, tasks), unreadable, total, change: readLastChange(connection) };
  } catch {
    return undefined;
  } finally {
    connection?.rollback();
    connection?.close();
  }
}
