/** Finds a key, or a piece of it, in a text: as it is, URL-encoded, and in base64 behind any other text. */

/** Longer than prefixes and masks (`sk-proj-`, `sk-a…wxyz`), which identify a key without revealing it. */
export const shortestPiece = 10;
/** Characters that are looked up at once. */
const gram = 8;

export interface KeySearch {
  /** Ranges of the text that hold `shortest` or more characters of one of the key's forms in a row: start, end, start, end, … */
  find(text: string, shortest: number): readonly number[];
}

/** A run counts when each eight neighbours are neighbours in a form of the key, so two pieces that meet count as one. */
export function createKeySearch(key: string): KeySearch {
  const grams = new Set<string>();
  for (const form of formsOf(key).map((one) => one.toLowerCase())) {
    for (let at = 0; at + gram <= form.length; at += 1) grams.add(form.slice(at, at + gram));
  }
  return {
    find(text, shortest) {
      const lower = text.toLowerCase();
      // The lower case of a few letters is longer than they are, which would move all that follows.
      const searched = lower.length === text.length ? lower : text;
      const found: number[] = [];
      for (let at = 0; at + gram <= searched.length; at += 1) {
        if (!grams.has(searched.slice(at, at + gram))) continue;
        const start = at;
        while (grams.has(searched.slice(at + 1, at + 1 + gram))) at += 1;
        if (at + gram - start >= shortest) found.push(start, at + gram);
      }
      return found;
    },
  };
}

function formsOf(key: string): readonly string[] {
  const packed = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    // A character at either end also encodes bits of the bytes around the key, so it is cut off.
    const own: [number, number] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString("base64").slice(...own), bytes.toString("base64url").slice(...own)];
  });
  const plain = [key, ...packed];
  return [...plain, ...plain.map(encodeURIComponent)];
}
