/** Says why the page keeps a prompt instead of sending it. The host would silently drop a message outside the limits of the contract. */
import { t } from "@vscode/l10n";
import { type Chat, promptCap, toolCalls, turnStart } from "../../../domain/chat/chat";
import { plural, textLanguage } from "../../../domain/words/plural";
import { askedQuestions } from "./questionCards";
import { approvalKey } from "./chatKeys";

export function refuseLength({ length }: string): string | undefined {
  if (length <= promptCap) return undefined;
  const [count, cap] = [length, promptCap].map((one) => one.toLocaleString(textLanguage()));
  return plural(
    length,
    { other: "The text is too long: {0} characters, of {1} at most. It was not sent." },
    count ?? "",
    cap ?? "",
  );
}

export function stillReading(): string {
  return t("An image is still being read. Your text is kept.");
}

/** `isReading`: a reply of the host is missing for an attachment. While a question waits, an Enter in the empty box was probably meant for it. */
export function refusePrompt(text: string, isReading: boolean, chat: Chat): string | undefined {
  if (isReading) return stillReading();
  if (text.trim() !== "") return refuseLength(text);
  if (askedQuestions(chat).length > 0) return t("A question of the model waits above ({0}).", approvalKey);
  return isApprovalWaiting(chat)
    ? t("A question waits above: Allow or Don't Allow ({0}).", approvalKey)
    : t("Write a prompt first.");
}

/** Whether an approval waits. Only a running turn can ask. */
function isApprovalWaiting({ running, entries }: Chat): boolean {
  const turn = running ? entries.slice(turnStart(entries)) : [];
  return turn.some(
    (entry) => entry.type === "answer" && toolCalls(entry).some(({ progress }) => progress.state === "waiting"),
  );
}
