/** Finds the files that the person did not let the model read in this chat. A command must not print them either (A13). Pure. */
import { type Chat, toolCalls } from "../../domain/chat/chat";

/** The names of the files as the person was asked, without those that a later call was allowed to read. */
export function refusedReads({ entries }: Pick<Chat, "entries">): readonly string[] {
  const refused = new Set<string>();
  for (const entry of entries)
    if (entry.type === "answer")
      for (const { progress } of toolCalls(entry)) {
        if (!("action" in progress) || progress.action.type !== "read-file") continue;
        if (progress.state === "denied") refused.add(progress.action.path);
        else if (progress.state === "done") refused.delete(progress.action.path);
      }
  return [...refused];
}
