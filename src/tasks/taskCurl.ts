/** A task's request as a command for a POSIX shell, without the key (T7). */
import type { Task } from "../domain/task";

/** The variable that stands for the key. */
const key = "$SLUICE_API_KEY";

/**
 * The request that creates the task, with its idempotency key: sent again, the gateway answers with the same task. A task that was not
 * submitted here has no body: then the request that reads it. `undefined` where there is neither.
 */
export function taskCurl({ intent, submission }: Task, body: string | undefined): string | undefined {
  const { baseUrl } = intent.home;
  if (intent.isWatched !== true) return body === undefined ? undefined : curl(`${baseUrl}/tasks`, body);
  if (submission.state !== "accepted") return undefined;
  return curl(`${baseUrl}/tasks/${encodeURIComponent(submission.taskId)}`);
}

function curl(url: string, body?: string): string {
  const lines = [`curl ${quote(url)}`, `-H "Authorization: Bearer ${key}"`];
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${quote(body)}`);
  return lines.join(" \\\n  ");
}

/** Within single quotation marks a shell expands nothing; the mark itself ends them, is escaped, and begins them anew. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
