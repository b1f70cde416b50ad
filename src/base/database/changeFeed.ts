/** Fires an event when another connection has committed to the database, by polling `PRAGMA data_version`. */
import { isAbort } from "../async/abort";
import type { Clock } from "../clock";
import type { Disposable } from "../disposable";
import { Emitter, type Event } from "../event";
import type { Database } from "./database";

export interface ChangeFeedOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds between two polls; each costs about 20 µs. */
  readonly interval?: number;
}

export class ChangeFeed implements Disposable {
  readonly #options: ChangeFeedOptions;
  readonly #changed = new Emitter<void>();
  readonly #ended = new AbortController();
  /** Settles after `dispose`. */
  readonly ended: Promise<void>;

  /** The event does not say what changed: the listener reads the database. */
  readonly onDidChange: Event<void> = this.#changed.event;

  private constructor(options: ChangeFeedOptions, known: string | undefined) {
    this.#options = options;
    this.ended = this.#run(known);
  }

  /** Notices each commit that another connection makes after this has resolved, so the caller reads the database only then. Never rejects. */
  static async start(options: ChangeFeedOptions): Promise<ChangeFeed> {
    return new ChangeFeed(options, await options.database.dataVersion().catch(() => undefined));
  }

  dispose(): void {
    this.#ended.abort();
    this.#changed.dispose();
  }

  /** Polls until disposed. When a poll fails because of a lock or the disk, the next one still notices the change. */
  async #run(before: string | undefined): Promise<void> {
    const { database, clock, interval = 500 } = this.#options;
    const { signal } = this.#ended;
    let known = before;
    while (!signal.aborted) {
      try {
        await clock.delay(interval, signal);
        const version = await database.dataVersion(signal);
        if (version !== known) this.#changed.fire();
        known = version;
      } catch (error) {
        if (isAbort(error)) return;
      }
    }
  }
}
