/** A task's request as a command for a POSIX shell, without the key (T7). */
import { curl } from "../../domain/words/requestReport";
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";

const json = { "Content-Type": "application/json" };

/**
 * The request that creates the task, with its idempotency key: sent again, the gateway answers with the same task. A task that was not
 * submitted here has no body: then the request that reads it. `undefined` where there is neither.
 */
export function taskCurl(task: Task, body: string | undefined): string | undefined {
  const { baseUrl } = task.intent.home;
  if (task.intent.isWatched !== true)
    return body === undefined ? undefined : curl({ url: `${baseUrl}/tasks`, headers: json, body });
  if (!isAccepted(task)) return undefined;
  return curl({ url: `${baseUrl}/tasks/${encodeURIComponent(task.submission.taskId)}` });
}
