/** Which of several names a mistyped one may mean. */

/** Letters and digits only, in lower case. */
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
