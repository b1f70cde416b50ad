/** The words for a request that was copied as curl. */
import { t } from "@vscode/l10n";
import type { Task } from "../../domain/task/task";

/** What running it costs; `undefined` for the request of a watched task, which only reads. */
export function describeCopiedKey({ intent }: Task): string | undefined {
  if (intent.isWatched === true) return undefined;
  return t(
    "Copied with the idempotency key of this task: within 24 hours of the first request it makes no second task, later it may make a second, paid one. Set SLUICE_API_KEY before you run it.",
  );
}
