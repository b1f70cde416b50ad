/** The last sessions by the times of their files, with their titles: without the index, which need not be loaded for it. */
import type { SessionFolder } from "./sessionFolder";
import { readFirstPrompt } from "./firstPrompt";
import { titleOfPrompt } from "./promptTitle";

export interface RecentSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Newest first; those without a prompt are left out. Rejects with the error of the file system or the signal's reason. */
export async function recentSessions(
  folder: Pick<SessionFolder, "list" | "fileOf">,
  count: number,
  signal: AbortSignal,
): Promise<readonly RecentSession[]> {
  const recent: RecentSession[] = [];
  const files = [...(await folder.list())].sort((one, other) => other.changedAt - one.changedAt);
  for (const { id, changedAt } of files) {
    if (recent.length === count) break;
    // A file may be deleted meanwhile.
    const title = await readTitle(folder.fileOf(id), signal).catch(() => "");
    signal.throwIfAborted();
    if (title !== "") recent.push({ id, title, at: changedAt });
  }
  return recent;
}

async function readTitle(path: string, signal: AbortSignal): Promise<string> {
  const { prompt, named } = await readFirstPrompt(path, signal);
  return named === "" ? titleOfPrompt(prompt) : named;
}
