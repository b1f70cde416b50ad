/** The results folder: which of its files are results, and whose unfinished ones may be continued. */
import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { hasSystemCode } from "../../base/systemErrors";

/** Whether a stored path is a regular file of this folder. */
export async function isResultFile(folder: string, path: string): Promise<boolean> {
  if (dirname(resolve(path)) !== resolve(folder)) return false;
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** What a process that is gone has begun may be continued or removed. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasSystemCode(error, "EPERM");
  }
}
