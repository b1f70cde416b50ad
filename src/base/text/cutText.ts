/** Cuts a text that is stored for long: the result of `slice` alone would keep the whole text in memory. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : structuredClone(text.slice(0, most));
}

/**
 * Parts of a text by their size as UTF-8, without half a character at their ends. The longest beginning of a text that has at most so
 * many bytes.
 */
export function firstBytes(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (Buffer.byteLength(whole) <= most) return whole;
  // A decoder that waits for more does not report the character that was cut.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(Buffer.from(whole).subarray(0, Math.max(0, most)), { stream: true });
}

/** The longest end of a text that has at most so many bytes. */
export function lastBytes(text: string, most: number): string {
  const whole = Buffer.from(text.toWellFormed());
  let from = Math.max(0, whole.length - Math.max(0, most));
  while (((whole[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return whole.subarray(from).toString();
}

/** A text without some characters at its end: a pattern for it would try each run of them in the text. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Which of several names a mistyped one may mean. Letters and digits only, in lower case. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The one that shares the most pairs of letters with the written name, of those that share more than `share` (0 to 1) of all their pairs. */
export function nearestName(written: string, names: readonly string[], share = 0): string | undefined {
  const pairs = pairsOf(written.slice(0, 200));
  let nearest: string | undefined;
  let most = share;
  for (const name of names) {
    const own = pairsOf(name);
    const shared = [...own].filter((pair) => pairs.has(pair)).length;
    const likeness = shared / (own.size + pairs.size - shared);
    if (likeness > most) [nearest, most] = [name, likeness];
  }
  return nearest;
}

function pairsOf(name: string): ReadonlySet<string> {
  const plain = plainName(name);
  return new Set(Array.from(plain, (letter, at) => letter + (plain[at + 1] ?? "")));
}
