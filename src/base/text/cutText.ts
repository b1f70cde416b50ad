/** Cuts a text that is stored for long. The cut text is copied, because the result of `slice` alone would keep the whole text in memory. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : structuredClone(text.slice(0, maxLength));
}

/**
 * The longest beginning of a text that has at most `maxBytes` bytes as UTF-8. It does not end within a character.
 */
export function firstBytes(text: string, maxBytes: number): string {
  const whole = text.toWellFormed();
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  // A decoder that waits for more does not report the character that was cut.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(Buffer.from(whole).subarray(0, Math.max(0, maxBytes)), { stream: true });
}

/** The longest end of a text that has at most `maxBytes` bytes as UTF-8. */
export function lastBytes(text: string, maxBytes: number): string {
  const whole = Buffer.from(text.toWellFormed());
  let from = Math.max(0, whole.length - Math.max(0, maxBytes));
  while (((whole[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return whole.subarray(from).toString();
}

/** Removes the given characters at the end of a text. A regular expression would be slow, because it tries each run of them anywhere in the text. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The letters and digits of a name in lower case, to compare it with a mistyped one. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Names with their pairs of letters, which are made once where several written names are compared with them. */
export type ComparedNames = ReadonlyMap<string, ReadonlySet<string>>;

export function comparedNames(names: readonly string[]): ComparedNames {
  return new Map(names.map((name) => [name, pairsOf(name)]));
}

/** The name that shares the most pairs of letters with the written one, if it shares more than `share` (0 to 1) of all their pairs. */
export function nearestName(written: string, names: ComparedNames, share = 0): string | undefined {
  const pairs = pairsOf(written.slice(0, 200));
  let nearest: string | undefined;
  let bestShare = share;
  for (const [name, own] of names) {
    const shared = [...own].filter((pair) => pairs.has(pair)).length;
    const likeness = shared / (own.size + pairs.size - shared);
    if (likeness > bestShare) [nearest, bestShare] = [name, likeness];
  }
  return nearest;
}

function pairsOf(name: string): ReadonlySet<string> {
  const plain = comparableName(name);
  return new Set(Array.from(plain, (letter, at) => letter + (plain[at + 1] ?? "")));
}
