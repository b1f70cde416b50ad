/** Whether a chat holds the text of a file that may hold a secret: an address could carry it out, so no rule allows one. Pure. */
import { type Chat, type Entry, toolCalls } from "../../domain/chat/chat";

/** `isSecret`: by the path, as shown to the person. Also what a summary covers by now: the summary may quote it. */
export function hasSecret({ entries }: Pick<Chat, "entries">, isSecret: (path: string) => boolean): boolean {
  return entries.some((entry) => pathsOf(entry).some(isSecret));
}

/** Files that were read or changed in the entry, or attached to it. What a command printed is not known. */
function pathsOf(entry: Entry): readonly string[] {
  if (entry.type === "user")
    return (entry.attachments ?? []).flatMap((one) =>
      one.type === "text" && one.kind === undefined ? [one.path] : [],
    );
  if (entry.type !== "answer") return [];
  return toolCalls(entry).flatMap(({ progress }) =>
    progress.state === "done" && "path" in progress.action ? [progress.action.path] : [],
  );
}
