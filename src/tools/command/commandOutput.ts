/** The output of one command: passed on to the person in steps, and kept, head and tail, for the model. */
import type { Clock } from "../../base/clock";
import { revealHidden } from "../../base/text/revealHidden";
import { type CappedText, capText, emptyOutput, joinOutput } from "../../domain/chat/cappedText";
import { PlainOutput } from "./plainOutput";

/** Milliseconds between two reports: the second once so many characters were reported, since each report is stored. */
const intervals = { first: 100, later: 2000 };
const muchOutput = 256 * 1024;

export class CommandOutput {
  readonly #clock: Clock;
  readonly #report: (output: CappedText) => void;
  readonly #plain = new PlainOutput();
  readonly #ended = new AbortController();
  #whole: CappedText = emptyOutput;
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

  /** For the model: hidden characters are visible, and what was left out is said. */
  get text(): string {
    const { head, omitted, tail } = this.#whole;
    const note = (count: number): string => `\n(${count} characters of the output were left out here)\n`;
    const text = omitted === 0 ? head + tail : `${head.toWellFormed()}${note(omitted)}${tail.toWellFormed()}`;
    // Marks for hidden characters are longer than these.
    const shown = capText(revealHidden(text));
    return shown.omitted === 0 ? shown.head + shown.tail : shown.head + note(shown.omitted) + shown.tail;
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
    this.#whole = joinOutput(this.#whole, output);
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
