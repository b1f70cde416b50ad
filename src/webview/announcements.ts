/** What a screen reader is told: sentences about what changed, never the text as it streams. Pure. */
import { t } from "@vscode/l10n";
import { type Approval, type Chat, toolCalls } from "../domain/transcript";
import { revealName } from "./hiddenCharacters";

export function announce(before: Chat | undefined, now: Chat): string[] {
  if (before === now) return [];
  const said = openApprovals(now)
    .filter((approval) => !before || !openApprovals(before).some(({ id }) => id === approval.id))
    .map(({ title, reason }) => t("Approval needed: {0} ({1})", revealName(title), revealName(reason)));
  if (before?.id === now.id && before.running && !now.running) said.push(describeEnd(now));
  return said;
}

function describeEnd(chat: Chat): string {
  const last = chat.entries.at(-1);
  if (last?.type !== "answer") return t("Stopped");
  switch (last.state) {
    case "stopped":
      return t("Stopped");
    case "failed":
      return last.error?.title ?? t("The answer failed");
    case "streaming":
    case "complete":
      return t("Answer finished");
  }
}

/** Only the turn that runs can ask. */
function openApprovals(chat: Chat): Approval[] {
  if (!chat.running) return [];
  const turn = chat.entries.slice(chat.entries.findLastIndex((entry) => entry.type === "user") + 1);
  const calls = turn.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));
  return calls.flatMap(({ progress }) => (progress.state === "waiting" ? [progress.approval] : []));
}
