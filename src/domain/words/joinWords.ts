/** Lists of words as the interface's language separates them. */
import { t } from "@vscode/l10n";

export function joinWords(words: readonly string[]): string {
  return words.join(t(", "));
}

/** A name at the start of a line. */
export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
