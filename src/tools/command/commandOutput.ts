/** The output of one command: passed on to the person in steps, and kept for the model. */
import type { Clock } from "../../base/clock";
import { type CappedText, capText, emptyOutput, joinOutput } from "../../domain/chat/cappedText";
import { firstBytes, lastBytes } from "../../base/text/cutText";
import { revealHidden } from "../../base/text/revealHidden";

/** Milliseconds between two reports: `later` once `muchOutput` characters were reported, because each report is stored. */
const intervals = { first: 100, later: 2000 };
const muchOutput = 256 * 1024;

export class CommandOutput {
  readonly #clock: Clock;
  readonly #report: (output: CappedText) => void;
  readonly #plain = new PlainOutput();
  readonly #ended = new AbortController();
  readonly #whole = new WholeOutput();
  #unreported: CappedText = emptyOutput;
  #reported = 0;
  #isWaiting = false;

  constructor(clock: Clock, report: (output: CappedText) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  readonly add = (chunk: string): void => {
    this.#keep(this.#plain.add(chunk));
  };

  /** All of it, up to a bound. */
  get text(): string {
    return this.#whole.text;
  }

  /** Reports the rest. */
  end(): void {
    this.#ended.abort();
    this.#keep(this.#plain.end());
    this.#flush();
  }

  #keep(text: string): void {
    if (text === "") return;
    const output = capText(text);
    this.#whole.add(text);
    this.#unreported = joinOutput(this.#unreported, output);
    if (!this.#isWaiting && !this.#ended.signal.aborted) this.#wait();
  }

  #wait(): void {
    this.#isWaiting = true;
    const delay = this.#reported < muchOutput ? intervals.first : intervals.later;
    this.#clock.delay(delay, this.#ended.signal).then(
      () => {
        this.#isWaiting = false;
        this.#flush();
      },
      () => undefined,
    );
  }

  #flush(): void {
    const output = this.#unreported;
    if (output === emptyOutput) return;
    this.#unreported = emptyOutput;
    this.#reported += output.head.length + output.tail.length;
    this.#report(output);
  }
}

/** Characters of an output that are kept. */
const keptLength = 8 * 1024 * 1024;
/** Characters of the result. A quarter of them is its beginning, because the errors are mostly at the end. */
const shownLength = 32 * 1024;
/** Characters for the note between the shown parts. */
const noteLength = 250;

/** Keeps the beginning and the end of the output, half of the bound each; the oldest chunks of the end are dropped. */
class WholeOutput {
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

  /** The output, with a line about what was dropped between. */
  get text(): string {
    const note = this.#dropped === 0 ? "" : `\n(${this.#dropped} characters were written here and are not kept)\n`;
    return `${this.#head.join("")}${note}${this.#tail.join("")}`;
  }
}

export interface ShownOutput {
  readonly text: string;
  /** Characters of the whole output, where it was cut. */
  readonly cutFrom?: number;
}

/**
 * The text for the model, with hidden characters made visible. A long one keeps its beginning and its end, cut once and between lines
 * where there are any; `keep` stores the whole and returns the id that the note names. `room`: bytes that the text may have.
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

/** Moves the cut back to a line feed, unless the line before it is longer than half of what is shown. */
function lineEndBefore(text: string, end: number): number {
  const at = text.lastIndexOf("\n", end - 1) + 1;
  return at > end / 2 ? at : end;
}

function lineStartAfter(text: string, start: number): number {
  const at = text.indexOf("\n", start - 1) + 1;
  return at > 0 && at - start < (text.length - start) / 2 ? at : start;
}

/** Counts line feeds, and a last line without one. */
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

/**
 * A CSI sequence, a string (title, link, image) up to its end, any other escape. No part of one may be another control
 * character, so the time is linear in whatever a program writes.
 */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/g;
/** A sequence that may go on in the next chunk. */
const unfinished =
  /(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*\u001b?|\u001b[ -/]*|\r)$/;
/** A longer one is not held as a sequence, which would hide what follows. */
const maxSequenceLength = 4096;

export class PlainOutput {
  /** The start of a sequence, or a carriage return whose line feed may follow. */
  #held = "";

  /** The text of the chunk, with line feeds as line ends: a line that would be written over is a line of its own. */
  add(chunk: string): string {
    const text = this.#held + chunk;
    const cut = text.search(unfinished);
    const isHeld = cut >= 0 && text.length - cut <= maxSequenceLength;
    this.#held = isHeld ? text.slice(cut) : "";
    return plain(isHeld ? text.slice(0, cut) : text);
  }

  /** Returns what was held back for a rest that did not come. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    return plain(text);
  }
}

function plain(text: string): string {
  return text.replace(sequences, "").replace(/\r\n?/g, "\n");
}
