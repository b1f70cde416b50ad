/** How much room the disk of a folder has for what this person writes. */
import { statfs } from "node:fs/promises";

/** Bytes that are free; `undefined` where the file system does not report them. */
export async function freeSpace(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  // Some network drives answer with a total of zero.
  return found === undefined || found.blocks === 0 ? undefined : found.bavail * found.bsize;
}
