/** The sentences for the live region: what changed, never the text as it streams. Pure. */
import { t } from "@vscode/l10n";
import { describeFailure } from "../domain/describeAnswer";
import { describeAction, describeReasons } from "../domain/describeTool";
import { type Chat, lastAnswer, toolCalls, type WaitingCall } from "../domain/transcript";
import { revealName } from "./hiddenCharacters";

export function announce(before: Chat | undefined, now: Chat): string[] {
  if (before === now) return [];
  const said = waitingCalls(now)
    .filter(({ approval }) => !before || !waitingCalls(before).some((call) => call.approval.id === approval.id))
    .map(({ action, approval }) =>
      t("Approval needed: {0} ({1})", revealName(describeAction(action)), describeReasons(approval.reasons)),
    );
  if (before?.id === now.id && before.running && !now.running) said.push(describeEnd(now));
  const queued = now.queue?.length ?? 0;
  if (before?.id === now.id && queued > (before.queue?.length ?? 0)) said.push(t("Queued: {0} waiting", queued));
  return said;
}

function describeEnd(chat: Chat): string {
  const last = lastAnswer(chat);
  if (last === undefined) return t("Stopped");
  switch (last.state) {
    case "stopped":
      return t("Stopped");
    case "failed":
      return describeFailure(last)?.title ?? t("The answer failed");
    case "interrupted":
      return t("Interrupted");
    case "streaming":
    case "complete":
      return t("Answer finished");
  }
}

/** Only the running turn can ask. */
function waitingCalls(chat: Chat): WaitingCall[] {
  if (!chat.running) return [];
  const turn = chat.entries.slice(chat.entries.findLastIndex((entry) => entry.type === "user") + 1);
  const calls = turn.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));
  return calls.flatMap(({ progress }) => (progress.state === "waiting" ? [progress] : []));
}
