/** A language for tests: every text of the interface in accented letters, two fifths longer, in marks that show where it begins and ends. */
import { readFileSync } from "node:fs";

/** The tag of such languages. */
const language = "en-XA";

const accented = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ";

/** Values (`{0}`) stay; a text without a letter, such as a separator, stays as it is. */
function pseudo(text: string): string {
  if (!/[a-z]/i.test(text.replaceAll(/\{\d+\}/g, ""))) return text;
  const letters = text.replaceAll(/\{\d+\}|[a-z]/gi, (found) =>
    found.length > 1 ? found : (accented[found.toLowerCase().charCodeAt(0) - 97] ?? found),
  );
  const padding = "ẋẋẋẋẋ ".repeat(Math.ceil((text.length * 0.4) / 6)).slice(0, Math.ceil(text.length * 0.4));
  return `⟦${letters} ${padding.trim()}⟧`;
}

/**
 * The bundle of that language. Its texts are those of another bundle, which the unit tests compare with the sources: to read these takes more than
 * a second.
 */
export function pseudoWords(): Record<string, string> {
  const bundle = JSON.parse(readFileSync("l10n/bundle.l10n.zh-cn.json", "utf8")) as Record<string, string>;
  const texts = Object.keys(bundle).filter((key) => key !== "en");
  // Chinese has one form of `plural()`, whose key is a text like any other; English has two. Nothing asks for the second form of another text.
  const words = texts.flatMap((key) => [key, `${key}/one`].map((form) => [form, pseudo(key)]));
  return { en: language, ...Object.fromEntries(words) };
}

/** Removes the interface's words from a shown text, with the values in them. */
export function withoutWords(text: string): string {
  const shorter = text.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
  return shorter === text ? text.trim() : withoutWords(shorter);
}
