/** The texts of files that the model of one chat has seen, as far as this window has shown them: a whole file is replaced only when it still reads so. */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import type { SeenTexts } from "../../domain/tools/tool";

/** Files; the one that was seen longest ago is forgotten, and must be read again. */
const cap = 2000;

export class SeenTextHashes implements SeenTexts {
  readonly #seen = new BoundedMap<string, SeenText>(cap);

  note(file: string, text: string): void {
    this.#seen.set(file, { hash: hashOf(text), upTo: Infinity });
  }

  noteLines(...[file, text, { first, last, of }]: Parameters<SeenTexts["noteLines"]>): void {
    const hash = hashOf(text);
    const known = this.#seen.get(file);
    const before = known?.hash === hash ? known.upTo : 0;
    const upTo = first <= before + 1 ? Math.max(before, last) : before;
    this.#seen.set(file, { hash, upTo: upTo >= of ? Infinity : upTo });
  }

  has(file: string, text: string): boolean {
    const known = this.#seen.get(file);
    return known?.upTo === Infinity && known.hash === hashOf(text);
  }
}

interface SeenText {
  readonly hash: string;
  /** The last of the lines that were shown from the first one on. */
  readonly upTo: number;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
