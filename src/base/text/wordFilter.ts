/** The text filter of lists: every word of the search must occur in the text. Case, accents and the width of letters are ignored. */

/** Accents of Latin, Greek and Cyrillic letters, once they are characters of their own. The vowel signs of other scripts are none. */
const accents = /[\u0300-\u036f]+/g;

/** A text as it is compared. Texts that are searched often are folded once. */
export function foldText(text: string): string {
  return text.normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase();
}

/** Whether a folded text has every word of the search; `undefined` for a search without words, which every text passes. */
export function createWordFilter(search: string): ((folded: string) => boolean) | undefined {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : (folded) => words.every((word) => folded.includes(word));
}
