/** Marks in the results folder: what a window was reading when it stopped answering is not read by the next one without a click (T8). */
import { constants } from "node:fs";
import { appendFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppFailure } from "../../domain/errors/appError";
import { heldBack } from "./fetchTerms";

/** Readings of one result that began and never ended. */
const maxUnended = 2;
const flag = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

/** `name`: of what is read, in the folder. */
export async function refuseHeldBack(folder: string, name: string): Promise<void> {
  const unended = await stat(markOf(folder, name)).then(
    ({ size }) => size,
    () => 0,
  );
  if (unended < maxUnended) return;
  const message = `VS Code stopped answering ${unended} times while this was read.`;
  throw new AppFailure({ kind: "malformed", code: heldBack, message });
}

/** The mark is one byte for each reading, so it is there for the moment of the reading only. A disk that has no room for it does not hold up the result. */
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
