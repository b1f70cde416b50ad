/** A lock between processes: SQLite's lock on a separate file, which the system releases when the process ends in any way. */
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
   * Returns `undefined` while another holder has the lock, also one in this process. Throws a `DatabaseFailure` where there can't be a lock:
   * the folder is read-only, its file system has no locks, or this Node has no SQLite.
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

  /** Whether another holder has the lock, without waiting for it; false also where there is no file, or where there can't be a lock. */
  static isHeld(path: string): boolean {
    // Only SQLite opens the file: when a process closes another descriptor of it, the system drops every lock of that process on it.
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
