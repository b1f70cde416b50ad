/** Whether the process that made a file is still there: what one that is gone has begun may be continued or removed. */
import { hasSystemCode } from "./systemErrors";

/** `pid`: as it was read; what is no number of a process is that of none. */
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
