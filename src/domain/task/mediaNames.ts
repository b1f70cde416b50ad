/** Which files a text names, of those that are looked for: by the last part of their paths, as documents and code write them. */

/** What ends a path on both sides, and what separates its parts. */
const limits = /["'`()<>[\]{},;=\s\\/]+/;

export class MediaNames {
  /** Names that a path in a document holds in one piece. */
  readonly #whole = new Set<string>();
  /** Those with a blank or a bracket in them: each is looked for in the whole text. */
  readonly #divided = new Set<string>();

  constructor(names: Iterable<string>) {
    for (const name of names) (limits.test(name) ? this.#divided : this.#whole).add(name);
  }

  /** Without query and fragment, and with escapes read. */
  in(text: string): ReadonlySet<string> {
    const found = new Set([...this.#divided].filter((name) => text.includes(name)));
    for (const piece of text.split(limits)) {
      const [written = ""] = piece.split(/[?#]/, 1);
      const name = written.includes("%") ? unescaped(written) : written;
      if (this.#whole.has(name) || this.#divided.has(name)) found.add(name);
    }
    return found;
  }
}

function unescaped(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
