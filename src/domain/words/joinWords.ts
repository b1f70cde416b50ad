/** Lists of words as the interface's language separates them. */
import { t } from "@vscode/l10n";

export function joinWords(words: readonly string[]): string {
  return words.join(t(", "));
}
