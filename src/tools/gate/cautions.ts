/** The reasons to ask a person before a file is read or changed, and their words. */
import { t } from "@vscode/l10n";

/** `unknown`: a rule file can't be used, so nobody can say whether git ignores it. `executed` counts for changes only. */
export type Caution = "secret" | "ignored" | "unknown" | "unlisted" | "hard-link" | "executed";

/** Nothing for what may be read without a question. */
export function reasonToAskForRead(cautions: readonly Caution[]): string | undefined {
  const words = cautions.filter((caution) => caution !== "executed").map(wordsFor);
  return words.length === 0 ? undefined : words.join(", ");
}

/** A change always asks. */
export function reasonToAskForChange(cautions: readonly Caution[]): string {
  return cautions.length === 0 ? t("writes a file") : cautions.toReversed().map(wordsFor).join(", ");
}

function wordsFor(caution: Caution): string {
  switch (caution) {
    case "secret":
      return t("may hold a secret");
    case "ignored":
      return t("git ignores it");
    case "unknown":
      return t("the rules of what git ignores can't be read there");
    case "unlisted":
      return t("lies in a folder of packages or of version control");
    case "hard-link":
      return t("has another name on this disk (hard link)");
    case "executed":
      return t("changes a file that an editor, a shell, git, CI or an agent would run");
  }
}
