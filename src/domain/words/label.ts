/** A prompt or a title as the label of a row or a tab. */
import { t } from "@vscode/l10n";

/** The first line with words in it, cut at a word near `longest` characters. */
export function cutLabel(prompt: string, longest = 60): string {
  const line = prompt
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (line === undefined) return t("(no prompt)");
  // The line is cut by code points: half of a surrogate pair would be shown as a character of its own.
  const begun = Array.from(line.slice(0, longest * 2 + 2));
  if (begun.length <= longest) return line;
  const cut = begun.slice(0, longest).join("");
  const space = cut.lastIndexOf(" ");
  const isWhole = /^[\s,;:.!?)–-]/u.test(begun[longest] ?? "");
  const words = isWhole || space <= longest / 2 ? cut : cut.slice(0, space);
  return `${words.replace(/(?<![\s,;:.–-])[\s,;:.–-]+$/u, "")}…`;
}
