/** Why the page keeps a prompt instead of sending it, in a sentence. The host would drop what is outside of the protocol's bounds without a word. */
import { t } from "@vscode/l10n";
import { promptCap } from "../../../domain/chat/chat";
import { plural, textLanguage } from "../../../domain/words/plural";

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

/** `isReading`: the host has not answered for all that was attached. */
export function refusePrompt(text: string, isReading: boolean): string | undefined {
  if (isReading) return stillReading();
  if (text.trim() === "") return t("Write a prompt first.");
  return refuseLength(text);
}
