/**
 * Translates the sentences of the local gateway. It speaks English, as every gateway uses its own words, but its texts about models and tasks are
 * ours, so a person reads them in the language of the window.
 */
import { t } from "@vscode/l10n";
import { textLanguage } from "./plural";

const sentences: ReadonlyMap<string, () => string> = new Map([
  ["Task created; play money is reserved for it.", () => t("Task created; play money is reserved for it.")],
  ["Queued for a generator.", () => t("Queued for a generator.")],
  ["The generator works on it.", () => t("The generator works on it.")],
  [
    "The generator has no drawing of these words: it draws hills.",
    () => t("The generator has no drawing of these words: it draws hills."),
  ],
  [
    "The result is ready; the play money for the real usage is taken.",
    () => t("The result is ready; the play money for the real usage is taken."),
  ],
  ["The time to live ran out.", () => t("The time to live ran out.")],
  ["The reserved play money is given back.", () => t("The reserved play money is given back.")],
  ["Cancelled.", () => t("Cancelled.")],
  ["Refunded. Nothing had been charged.", () => t("Refunded. Nothing had been charged.")],
  ["Refunded. The charge is returned.", () => t("Refunded. The charge is returned.")],
  [
    "The generator stopped before the result was complete.",
    () => t("The generator stopped before the result was complete."),
  ],
  ["The prompt was not accepted by the content filter.", () => t("The prompt was not accepted by the content filter.")],
  ["The generator did not answer in time.", () => t("The generator did not answer in time.")],
  [
    "Demo model of chat completions: answers by rules, real tool calls.",
    () => t("Demo model of chat completions: answers by rules, real tool calls."),
  ],
  [
    "Demo model of the messages API: answers by rules, real tool calls.",
    () => t("Demo model of the messages API: answers by rules, real tool calls."),
  ],
  [
    "Demo model of generate content: answers by rules, real tool calls.",
    () => t("Demo model of generate content: answers by rules, real tool calls."),
  ],
  [
    "Demo model: films such a drawing, up to 60 seconds.",
    () => t("Demo model: films such a drawing, up to 60 seconds."),
  ],
]);

const patterns: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/^Cancelled: (.+)\.$/s, (reason) => t("Cancelled: {0}.", reason)],
  [/^Refunded: (.+)\. Nothing had been charged\.$/s, (reason) => t("Refunded: {0}. Nothing had been charged.", reason)],
  [/^Refunded: (.+)\. The charge is returned\.$/s, (reason) => t("Refunded: {0}. The charge is returned.", reason)],
  [
    /^Demo model: draws .+ by rules, PNG, JPEG or WebP up to (\d+x\d+)\.$/s,
    (size) => t("Demo model: draws what your words name, by rules, PNG, JPEG or WebP up to {0}.", size),
  ],
];

/** A sentence of the local gateway in the language of the window; any other text as it is. */
export function ownWords(text: string): string {
  if (textLanguage() === "en") return text;
  const known = sentences.get(text)?.();
  if (known !== undefined) return known;
  for (const [pattern, words] of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return words(found);
  }
  return text;
}
