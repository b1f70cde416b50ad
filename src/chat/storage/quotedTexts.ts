/** Texts that a window has put into prompts and that others may have written, such as a terminal's: a prompt that holds a line of one is as foreign as that (A4). */
import { BoundedMap } from "../../base/boundedMap";

const maxLines = 20_000;
/** Characters. A person may well have written a shorter line; a text without a longer one is known by all of its lines. */
const leastLength = 10;

export class QuotedTexts {
  /** Where each line is from, as shown to the person. */
  readonly #sources = new BoundedMap<string, string>(maxLines);

  add(text: string, source: string): void {
    const lines = linesOf(text);
    const long = lines.filter(({ length }) => length >= leastLength);
    for (const line of long.length > 0 ? long : lines) this.#sources.set(line, source);
  }

  /** Of the last line that is known; `undefined` for a prompt of the person's own words. */
  sourceOf(prompt: string): string | undefined {
    const known = linesOf(prompt).findLast((line) => this.#sources.has(line));
    return known === undefined ? undefined : this.#sources.get(known);
  }
}

/** Blanks around a line change while a prompt is written. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
