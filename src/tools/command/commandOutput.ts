/** The output of one command: passed on to the person in steps, and kept for the model. */
import type { Clock } from "../../base/clock";
import { type CappedText, capText, emptyOutput, joinOutput } from "../../domain/chat/cappedText";
import { PlainOutput } from "./plainOutput";
import { WholeOutput } from "./wholeOutput";

/** Milliseconds between two reports: the second once so many characters were reported, since each report is stored. */
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
