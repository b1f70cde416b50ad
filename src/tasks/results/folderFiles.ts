/** The results folder: which of its files are results. */
import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Whether a stored path is a regular file of this folder. */
export async function isResultFile(folder: string, path: string): Promise<boolean> {
  if (dirname(resolve(path)) !== resolve(folder)) return false;
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
