/** A mark that a process lives: SQLite's lock on a file of its own, which the system releases with the process, however that ends. */
import { existsSync, rmSync } from "node:fs";
import { hasKind, toDatabaseFailure } from "./failure";
import { createDatabaseFile } from "./open";
import { type NativeDatabase, type OpenNative, openNative as openWithRuntime } from "./runtime";

export class ProcessMark {
  readonly #path: string;
  readonly #native: NativeDatabase;

  private constructor(path: string, native: NativeDatabase) {
    this.#path = path;
    this.#native = native;
  }

  /** Throws a `DatabaseFailure` where there can't be one: the folder is read-only, or its file system has no locks. */
  static hold(path: string, openNative: OpenNative = openWithRuntime): ProcessMark {
    let native: NativeDatabase | undefined;
    try {
      createDatabaseFile(path);
      native = openNative(path, { readOnly: false });
      native.exec("BEGIN EXCLUSIVE");
      return new ProcessMark(path, native);
    } catch (error) {
      native?.close();
      throw toDatabaseFailure(error) as Error;
    }
  }

  release(): void {
    this.#native.close();
    removeMark(this.#path);
  }
}

/** Whether the process that holds this mark lives. Waits for nothing; the mark of a dead one is removed. */
export function isMarkHeld(path: string, openNative: OpenNative = openWithRuntime): boolean {
  // Never read in another way: closing a descriptor drops every lock that this process holds on the file.
  if (!existsSync(path)) return false;
  let native: NativeDatabase | undefined;
  try {
    native = openNative(path, { readOnly: false });
    native.exec("BEGIN EXCLUSIVE");
    native.exec("ROLLBACK");
  } catch (error) {
    return hasKind(toDatabaseFailure(error), "busy");
  } finally {
    native?.close();
  }
  removeMark(path);
  return false;
}

/** The name is never used again, so a file that can't be removed does no harm. */
function removeMark(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another process is looking at it; on Windows it can't be removed meanwhile.
  }
}
