/** The sentences of the form for media: what is wrong with a field, and how long a prompt is. */
import { t } from "@vscode/l10n";
import type { FieldProblem } from "../../../domain/task/mediaFields";
import { plural, textLanguage } from "../../../domain/words/plural";

const problems: Readonly<Record<FieldProblem, () => string>> = {
  "no-model": () => t("Choose a model, or type the id of one."),
  "no-prompt": () => t("Describe what should be made."),
  "too-long": () => t("Shorten the prompt: the model takes no longer one."),
  "no-size": () => t("Type width and height, as in 1280x720."),
  "no-duration": () => t("Type seconds, as in 6."),
  "no-seed": () => t("Type a whole number, or nothing."),
  "no-path": () => t("Type a path inside of the workspace folder, as in assets/hero."),
};

export function describeFieldProblem(problem: FieldProblem): string {
  return problems[problem]();
}

export function lengthWords(count: number, limit: number | undefined): string {
  const number = new Intl.NumberFormat(textLanguage());
  return limit === undefined
    ? plural(count, { one: "1 character", other: "{0} characters" }, number.format(count))
    : plural(limit, { other: "{0} of {1} characters" }, number.format(count), number.format(limit));
}
