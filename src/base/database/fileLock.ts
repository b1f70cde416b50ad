/** One holder at a time among processes: SQLite's lock on a file of its own, which the system releases with the process, however that ends. */
import { existsSync } from "node:fs";
import { hasKind, toDatabaseFailure } from "./failure";
import { type NativeDatabase, type OpenNative, openNative as openWithRuntime } from "./runtime";
import { createDatabaseFile } from "./sqlConnection";

export class FileLock {
  readonly #native: NativeDatabase;

  private constructor(native: NativeDatabase) {
    this.#native = native;
  }

  /**
   * `undefined` while another one holds it, in this process too. Throws a `DatabaseFailure` where there can't be a lock: the folder is
   * read-only, its file system has no locks, or this Node has no SQLite.
   */
  static take(path: string, openNative: OpenNative = openWithRuntime): FileLock | undefined {
    let native: NativeDatabase | undefined;
    try {
      createDatabaseFile(path);
      native = openNative(path, { readOnly: false });
      native.exec("BEGIN EXCLUSIVE");
      return new FileLock(native);
    } catch (error) {
      native?.close();
      const failure = toDatabaseFailure(error);
      if (hasKind(failure, "busy")) return undefined;
      throw failure as Error;
    }
  }

  /** Whether another one holds it. Waits for nothing. */
  static isHeld(path: string): boolean {
    // Never read in another way: closing a descriptor drops every lock that this process holds on the file.
    if (!existsSync(path)) return false;
    try {
      const lock = FileLock.take(path);
      lock?.release();
      return lock === undefined;
    } catch {
      return false;
    }
  }

  /** The file stays: if it were removed, one process could lock the old file and another one a new one of the same name. */
  release(): void {
    this.#native.close();
  }
}
