/** What an error of the system means, by its code: for whoever reads and writes files, and starts processes or servers. */

/** Whether the error has one of the codes. */
export function hasSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Nothing has that name in its folder. */
export function isMissingFile(error: unknown): boolean {
  return hasSystemCode(error, "ENOENT");
}

/** Nothing is at that path, also because a part of it is a file. */
export function isMissingPath(error: unknown): boolean {
  return hasSystemCode(error, "ENOENT", "ENOTDIR");
}

/**
 * Whether the process that made a file is still there: what one that is gone has begun may be continued or removed. `pid`: as it was
 * read; what is no number of a process is that of none.
 */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return hasSystemCode(error, "EPERM");
  }
}
