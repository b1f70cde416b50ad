/** Recognises errors of the system by their code, for modules that read and write files, and start processes or servers. */

/** Whether the error has one of the codes. */
export function hasSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Whether the error means that nothing has that name in its folder. */
export function isMissingFile(error: unknown): boolean {
  return hasSystemCode(error, "ENOENT");
}

/** Whether the error means that nothing is at that path, also because a part of the path is a file. */
export function isMissingPath(error: unknown): boolean {
  return hasSystemCode(error, "ENOENT", "ENOTDIR");
}

/**
 * Whether the process that made a file still runs; otherwise its unfinished work may be continued or removed. `pid` may come unchecked from
 * a file: a value that can't be the id of a process gives false.
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
