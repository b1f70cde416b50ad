import { hasSucceeded } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";

/**
 * Milliseconds from accept to success, by the gateway's own clock at both ends: when this machine read the end says nothing of the work, VS Code may
 * have been closed. `undefined` where the gateway does not give both.
 */
export function timeToResult(task: Task): number | undefined {
  if (!hasSucceeded(task)) return undefined;
  const { createdAt, completedAt } = task.submission.remote;
  if (createdAt === undefined || completedAt === undefined) return undefined;
  const duration = completedAt - createdAt;
  return duration >= 0 ? duration : undefined;
}
