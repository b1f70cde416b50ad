/**
 * Mark files in the results folder: they show which bytes a window was reading when it stopped responding, so that they are not read again without a
 * click (T8).
 */
import { constants } from "node:fs";
import { appendFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppFailure } from "../../domain/errors/appError";
import { heldBackCode } from "./resultFile";

/** Readings of one result that began and never ended. */
const maxUnended = 2;
const flag = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Rejects with the error `heldBackCode` where `maxUnended` readings never ended. `name` is that of the file in the folder that is read. */
export async function refuseHeldBack(folder: string, name: string): Promise<void> {
  const unended = await stat(markOf(folder, name)).then(
    ({ size }) => size,
    () => 0,
  );
  if (unended < maxUnended) return;
  const message = `VS Code stopped answering ${unended} times while this was read.`;
  throw new AppFailure({ kind: "malformed", code: heldBackCode, message });
}

/**
 * Calls `read` while there is a mark: one byte is appended to it before, and the file is removed after. Where the mark can't be written, the result
 * is read without one.
 */
export async function readMarked<T>(folder: string, name: string, read: () => T): Promise<T> {
  const mark = markOf(folder, name);
  await appendFile(mark, ".", { flag, mode: 0o600 }).catch(() => undefined);
  try {
    return read();
  } finally {
    await rm(mark, { force: true });
  }
}

function markOf(folder: string, name: string): string {
  return join(folder, `${name}.reading`);
}
