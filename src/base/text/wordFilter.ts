/** The text filter of lists: every word of the search must occur in the text. Case, accents and the width of letters are ignored. */

/** Combining accents of Latin, Greek and Cyrillic letters. The vowel signs of other scripts are not among them. */
const accents = /[\u0300-\u036f]+/g;

/** The form in which texts are compared. A caller that searches a text often folds it once. */
export function foldText(text: string): string {
  return text.normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase();
}

/** Whether a folded text has every word of the search; `undefined` for a search without words, which every text passes. */
export function createWordFilter(search: string): ((folded: string) => boolean) | undefined {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : (folded) => words.every((word) => folded.includes(word));
}
