/** The output of a command as it is kept for `read_result`, and the part of it that its result has at once. */
import { revealHidden } from "../../base/text/revealHidden";
import { keptLength } from "../base/keptResults";

/** Characters of the result: its beginning and its end. */
const bounds = { head: 8 * 1024, tail: 24 * 1024 };

/** The first and the last half of what is kept; chunks between them are dropped as they leave the last one. */
export class WholeOutput {
  readonly #head: string[] = [];
  #headLength = 0;
  readonly #tail: string[] = [];
  #tailStart = 0;
  #tailLength = 0;
  #dropped = 0;

  add(text: string): void {
    const room = keptLength / 2 - this.#headLength;
    const first = text.slice(0, Math.max(0, room));
    if (first !== "") this.#head.push(first);
    this.#headLength += first.length;
    const rest = text.slice(first.length);
    if (rest === "") return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tailLength > keptLength / 2 && this.#tailStart < this.#tail.length - 1) {
      const { length } = this.#tail[this.#tailStart] ?? "";
      this.#tail[this.#tailStart] = "";
      this.#tailStart += 1;
      this.#tailLength -= length;
      this.#dropped += length;
    }
  }

  /** With a line about what was dropped between. */
  get text(): string {
    const note = this.#dropped === 0 ? "" : `\n(${this.#dropped} characters were written here and are not kept)\n`;
    return `${this.#head.join("")}${note}${this.#tail.join("")}`;
  }
}

/**
 * The text for the model, hidden characters visible. Of a long one the beginning and the end, cut once and between lines where there
 * are any; `keep` stores the whole and returns the id that the note names.
 */
export function shownOutput(text: string, keep: (text: string) => string): string {
  const revealed = revealHidden(text);
  if (revealed.length <= bounds.head + bounds.tail) return revealed;
  const headEnd = lineEndBefore(revealed, bounds.head);
  const tailStart = lineStartAfter(revealed, revealed.length - bounds.tail);
  const id = keep(revealed);
  const lines = countLines(revealed, 0, revealed.length);
  const [first, last] = [countLines(revealed, 0, headEnd) + 1, lines - countLines(revealed, tailStart, revealed.length)];
  const between = tailStart - headEnd;
  const which = last > first ? `lines ${first} to ${last} of ${lines}` : `in line ${first} of ${lines}`;
  return [
    revealed.slice(0, headEnd).toWellFormed(),
    `(${between} characters are left out here, ${which}: read_result with id "${id}" gives them by lines or by a text)\n`,
    revealed.slice(tailStart).toWellFormed(),
  ].join(revealed.charAt(headEnd - 1) === "\n" ? "" : "\n");
}

/** After a line feed, unless the line before the cut is longer than half of what is shown. */
function lineEndBefore(text: string, end: number): number {
  const at = text.lastIndexOf("\n", end - 1) + 1;
  return at > end / 2 ? at : end;
}

function lineStartAfter(text: string, start: number): number {
  const at = text.indexOf("\n", start - 1) + 1;
  return at > 0 && at < start + bounds.tail / 2 ? at : start;
}

/** Line feeds; and what follows the last one, where that is something. */
function countLines(text: string, from: number, to: number): number {
  let count = 0;
  let at = from;
  for (;;) {
    const found = text.indexOf("\n", at);
    if (found < 0 || found >= to) return at < to ? count + 1 : count;
    count += 1;
    at = found + 1;
  }
}
