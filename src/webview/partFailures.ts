/** A part of a page that fails must not stop the others: it is reported to the host's log, once, because what fails in one render fails in the next ones too. */
import type { PageIntent } from "../base/pageContract";

export class PartFailures {
  readonly #send: (intent: PageIntent) => void;
  readonly #reported = new Set<string>();

  constructor(send: (intent: PageIntent) => void) {
    this.#send = send;
  }

  /** Runs the work of a part; an exception is reported. */
  attempt(what: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.report(what, error);
    }
  }

  report(what: string, error: unknown): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#send({ type: "page-failed", what, message: message.slice(0, 500) });
  }
}
