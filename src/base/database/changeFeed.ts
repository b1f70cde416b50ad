/** Says when another connection, of this process or another one, has committed to the database. */
import { isAbort } from "../abort";
import type { Clock } from "../clock";
import type { Disposable } from "../disposable";
import { Emitter, type Event } from "../event";
import type { Database } from "./database";

export interface ChangeFeedOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds between two looks; each costs about 20 µs. */
  readonly interval?: number;
}

export class ChangeFeed implements Disposable {
  readonly #options: ChangeFeedOptions;
  readonly #changed = new Emitter<void>();
  readonly #ended = new AbortController();

  /** What changed is the listener's to read. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Runs until disposed; never rejects. A look that fails (a lock, a disk) is made up for by the next one. */
  async run(): Promise<void> {
    const { database, clock, interval = 500 } = this.#options;
    const { signal } = this.#ended;
    let known: string | undefined;
    while (!signal.aborted) {
      try {
        const version = await database.dataVersion(signal);
        if (known !== undefined && version !== known) this.#changed.fire();
        known = version;
      } catch (error) {
        if (isAbort(error)) return;
      }
      await clock.delay(interval, signal).catch(() => undefined);
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#changed.dispose();
  }
}
