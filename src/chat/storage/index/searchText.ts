/** Writes texts and queries in the form of the full-text index, and finds the line that a hit shows. Pure. */

/** Characters of scripts that put no blanks between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const wordCharacter = /[\p{L}\p{N}]/u;

/** Makes each of these characters a word of its own, because SQLite's tokenizer takes a run of letters for a word. */
export function spacedText(text: string): string {
  return text.replaceAll(unspaced, " $& ");
}

/** The words of a query in lower case. */
export function queryWords(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => wordCharacter.test(word));
}

/**
 * Matches texts with all words, each also as the beginning of a longer one. What is no letter or digit separates words, as in the texts. `undefined`
 * where there is nothing to search for.
 */
export function matchExpression(query: string): string | undefined {
  const terms = queryWords(query).map((word) => {
    const phrase = `"${spacedText(word).replaceAll('"', " ")}"`;
    // A single letter as a beginning would match nearly every text.
    return word.length === 1 ? phrase : `${phrase}*`;
  });
  return terms.length === 0 ? undefined : terms.join(" AND ");
}

/** Whether the text has all words. It matches as the index does, and also inside words. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.length > 0 && words.every((word) => lower.includes(word));
}

/** Characters before the word, and of the whole line. */
const before = 40;
const maxLineLength = 200;

/** The line with the first of the words, cut around it. */
export function lineOfHit(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const at = found.length === 0 ? 0 : Math.min(...found);
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  const start = Math.max(lineStart, at - before);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, start + maxLineLength);
  return `${start > lineStart ? "…" : ""}${text.slice(start, end).trim()}`;
}
