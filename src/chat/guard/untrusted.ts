/** What a turn has read that others may have written: instructions in it must not run by a rule (A4). */
import type { PreparedCall } from "../../domain/tools/tool";
import { type AskReason, type Chat, type Entry, toolCalls, usedSummary } from "../../domain/chat/chat";

/** Files with these are not the project's own: downloaded, built or installed. */
const foreignFiles: ReadonlySet<AskReason> = new Set(["ignored", "ignore-rules-unreadable", "unlisted"]);

/** As shown to the person; `undefined` when the call reads what belongs to the project. */
export function untrustedOf(call: PreparedCall): string | undefined {
  if (call.untrusted !== undefined) return call.untrusted;
  if (call.reasons === undefined) return undefined;
  if (call.grant?.type === "foreign-tool") return call.grant.name;
  if (!call.reasons.some((reason) => foreignFiles.has(reason))) return undefined;
  const { action } = call;
  if ("path" in action) return action.path;
  return "folder" in action ? action.folder : ".";
}

/** The last such thing since the person's last prompt, or in a summary, whose words the model takes for its own. Read from the transcript, so that it outlives a reload. */
export function untrustedSince({ entries }: Chat): string | undefined {
  const prompt = entries.findLastIndex(({ type }) => type === "user");
  return untrustedIn(entries.slice(prompt + 1)) ?? usedSummary({ entries })?.untrusted;
}

export function untrustedIn(entries: readonly Entry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "answer") continue;
    for (const { progress } of toolCalls(entry).toReversed()) {
      if ("untrusted" in progress) return progress.untrusted;
    }
  }
  return undefined;
}
