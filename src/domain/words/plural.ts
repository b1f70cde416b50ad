/** Sentences with a count, in as many forms as the language has. */
import { t } from "@vscode/l10n";

/** The English forms. `one` is left out where the count is never 1, or where English has the same words for it. */
export interface PluralForms {
  readonly one?: string;
  readonly other: string;
}

/** The rules are kept for each language: creating them takes 0.1 ms, using them 1 µs, and a page may show a count in each marker of a line. */
const rules = new Map<string, Intl.PluralRules>();

function rulesOf(language: string): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}

/** The language of the shown texts. A bundle translates this word to the tag of its own language, because VS Code's language may have no bundle. */
export function textLanguage(): string {
  return t("en");
}

/**
 * The form for `count` by the rules of the shown language (`Intl.PluralRules`). `args` replace `{0}`, `{1}` …; without any, `{0}` is the
 * count. A bundle has the form for `other` under its English text, those of the language's further categories under that text with `/one`,
 * `/few` and so on behind it; a missing one is shown as `other`.
 */
export function plural(count: number, { one, other }: PluralForms, ...args: readonly (string | number)[]): string {
  const values = args.length > 0 ? args : [count];
  const language = textLanguage();
  const category = rulesOf(language).select(count);
  if (language === "en") return fill(category === "one" ? (one ?? other) : other, values);
  const form = t({ message: other, comment: category });
  return category === "other" || form === other ? fill(t(other), values) : fill(form, values);
}

function fill(text: string, values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}
