/** A language for tests: every text of the interface in accented letters, two fifths longer, in marks that show where it begins and ends. */
import { bundleKeys, readWords } from "../../scripts/words.mjs";

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

/** The bundle of that language. */
export function pseudoWords(): Record<string, string> {
  // The forms of `plural()` are those of English.
  const keys = [...bundleKeys(readWords(), language)].filter((key) => key !== "en");
  return { en: language, ...Object.fromEntries(keys.map((key) => [key, pseudo(key.replace(/\/one$/, ""))])) };
}

/** What is left of a shown text without the interface's words, the values in them included. */
export function withoutWords(text: string): string {
  const shorter = text.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
  return shorter === text ? text.trim() : withoutWords(shorter);
}
