/** The output of a command as it is kept for `read_result`, and the part of it that its result has at once. */
import { firstBytes, lastBytes } from "../../base/text/cutText";
import { revealHidden } from "../../base/text/revealHidden";

/** Characters of an output that are kept. */
const keptLength = 8 * 1024 * 1024;
/** Characters of the result. A quarter of them is its beginning, because the errors are mostly at the end. */
const shownLength = 32 * 1024;
/** For the note between. */
const noteLength = 250;

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

export interface ShownOutput {
  readonly text: string;
  /** Characters of the whole one, where it was cut. */
  readonly cutFrom?: number;
}

/**
 * The text for the model, hidden characters visible. Of a long one the beginning and the end, cut once and between lines where there
 * are any; `keep` stores the whole and returns the id that the note names. `room`: bytes that it may have.
 */
export function shownOutput(text: string, keep: (text: string) => string, room = Infinity): ShownOutput {
  const revealed = revealHidden(text);
  if (revealed.length <= shownLength && Buffer.byteLength(revealed) <= room) return { text: revealed };
  const size = Math.min(shownLength, Math.max(0, room - noteLength));
  const headEnd = lineEndBefore(revealed, firstBytes(revealed.slice(0, size), Math.floor(size / 4)).length);
  const tailLength = lastBytes(revealed.slice(-size), size - Math.floor(size / 4)).length;
  const tailStart = lineStartAfter(revealed, Math.max(headEnd, revealed.length - tailLength));
  const id = keep(revealed);
  const lines = countLines(revealed, 0, revealed.length);
  const first = countLines(revealed, 0, headEnd) + (isLineStart(revealed, headEnd) ? 1 : 0);
  const last = lines - countLines(revealed, tailStart, revealed.length) + (isLineStart(revealed, tailStart) ? 0 : 1);
  const which = last > first ? `lines ${first} to ${last} of ${lines}` : `in line ${first} of ${lines}`;
  const note = `(${tailStart - headEnd} characters are left out here, ${which}: read_result with id "${id}" gives them by lines or by a text)\n`;
  const shown = [revealed.slice(0, headEnd).toWellFormed(), note, revealed.slice(tailStart).toWellFormed()];
  return { text: shown.join(isLineStart(revealed, headEnd) ? "" : "\n"), cutFrom: revealed.length };
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charAt(at - 1) === "\n";
}

/** After a line feed, unless the line before the cut is longer than half of what is shown. */
function lineEndBefore(text: string, end: number): number {
  const at = text.lastIndexOf("\n", end - 1) + 1;
  return at > end / 2 ? at : end;
}

function lineStartAfter(text: string, start: number): number {
  const at = text.indexOf("\n", start - 1) + 1;
  return at > 0 && at - start < (text.length - start) / 2 ? at : start;
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
