/** The sentences for the live region. They report what has changed, but never the text of an answer as it streams. Pure. */
import { t } from "@vscode/l10n";
import { describeFailure } from "../../domain/words/describeAnswer";
import { describeReasons, describeFileReference } from "../../domain/words/describeTool";
import { editsWords } from "../../domain/words/modeWords";
import { type Chat, lastAnswer, type ToolCallBlock } from "../../domain/chat/chat";
import type { ChatPageStatus } from "../contract/chatPageContract";
import { revealName } from "../../webview/hiddenCharacters";
import { askedCalls, askedTitle, openQuestions } from "./rows/approvalGroup";
import { askedQuestions } from "./shared/questionCards";
import { describeWait } from "./shared/retryWords";
import type { SavedState } from "./shared/savedState";
import { summaryTitle } from "./shared/turn";

export function announce(before: Chat | undefined, now: Chat): string[] {
  if (before === now) return [];
  const known = new Set(before && openQuestions(before).map(approvalOf));
  const said = openQuestions(now)
    .filter((question) => !known.has(approvalOf(question)))
    .map((question) => {
      const calls = askedCalls(question).map(({ call }) => call);
      return t("Approval needed: {0} ({1})", askedTitle(calls), describeReasons(calls[0]?.approval.reasons ?? []));
    });
  const asked = new Set(before && askedQuestions(before).map(({ id }) => id));
  for (const { id, question } of askedQuestions(now))
    if (!asked.has(id)) said.push(t("The model asks: {0}", revealName(question.text)));
  if (before?.id === now.id && before.running && !now.running && now.entries.at(-1)?.type !== "summary")
    said.push(describeTurnEnd(now));
  if (before?.id === now.id)
    said.push(
      ...announceSummary(before, now),
      ...announceQueue(before, now),
      ...announceUnread(before, now),
      ...announceRetry(before, now),
    );
  return said;
}

/** Reports that the newest summary has begun or ended. */
function announceSummary(before: Chat, now: Chat): string[] {
  const [was, is] = [before, now].map(({ entries }) => entries.findLast((entry) => entry.type === "summary"));
  if (is === undefined || (was?.id === is.id && was.state === is.state)) return [];
  return [summaryTitle(is)];
}

function announceQueue({ queue: before = [] }: Chat, { queue = [], entries }: Chat): string[] {
  if (queue.length > before.length) return [t("Queued: {0} waiting", queue.length)];
  const gone = before.filter(({ id }) => queue.every((prompt) => prompt.id !== id));
  if (gone.length === 0) return [];
  const isSent = entries.some(({ id }) => id === gone[0]?.id);
  return [isSent ? t("Sent: {0} waiting", queue.length) : t("Removed: {0} waiting", queue.length)];
}

/** Reports that a request is retried after a wait, but only the first time for each answer. */
function announceRetry(before: Chat, now: Chat): string[] {
  const [retry] = lastAnswer(now)?.retries ?? [];
  if (retry?.delayMs === undefined || retry === lastAnswer(before)?.retries?.[0]) return [];
  return [describeWait(retry, retry.delayMs)];
}

/** Reports the files of the last prompt that were not sent. */
function announceUnread(before: Chat, now: Chat): string[] {
  const [last, known] = [now, before].map(({ entries }) => entries.findLast((entry) => entry.type === "user"));
  if (last?.type !== "user" || last === known) return [];
  const unread = (last.attachments ?? []).filter(({ type }) => type === "unread");
  return unread.map((attachment) => t("Not sent: {0}", revealName(describeFileReference(attachment))));
}

type ReviewStatus = Pick<ChatPageStatus, "edits" | "undecided">;

/** Reports how edits are handled from now on, and that there are changes to decide about, or none any more. */
export function announceReview(before: ReviewStatus, now: ReviewStatus): string[] {
  const said: string[] = [];
  if (now.edits !== undefined && now.edits !== before.edits) said.push(editsWords(now.edits));
  const [had, has] = [before, now].map(({ undecided }) => undecided !== undefined);
  if (had !== has) said.push(has ? t("There are changes to keep or undo.") : t("No changes are left to keep or undo."));
  return said;
}

type DraftState = Pick<SavedState, "draft" | "references">;

/** Reports files that were attached to the draft or removed from it. Sending clears both text and files and is not reported. */
export function announceReferences(before: DraftState, now: DraftState): string[] {
  const only = (these: DraftState["references"], others: DraftState["references"]): string[] =>
    these.filter((one) => !others.includes(one)).map((one) => revealName(describeFileReference(one)));
  const attached = only(now.references, before.references).map((label) => t("Attached: {0}", label));
  const removed = before.draft === now.draft ? only(before.references, now.references) : [];
  return [...attached, ...removed.map((label) => t("Removed: {0}", label))];
}

function describeTurnEnd(chat: Chat): string {
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

function approvalOf(question: readonly ToolCallBlock[]): string | undefined {
  return askedCalls(question)[0]?.call.approval.id;
}
