/** The texts of files that the model of one chat has seen, as far as this window has shown them: a whole file is replaced only when it still reads so. */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import type { SeenTexts } from "../../domain/tools/tool";

/** Files; the one that was seen longest ago is forgotten, and must be read again. */
const cap = 2000;

export class SeenTextHashes implements SeenTexts {
  readonly #hashes = new BoundedMap<string, string>(cap);

  note(file: string, text: string): void {
    this.#hashes.set(file, hashOf(text));
  }

  has(file: string, text: string): boolean {
    return this.#hashes.get(file) === hashOf(text);
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
