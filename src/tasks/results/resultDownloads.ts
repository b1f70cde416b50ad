/** All downloads of results in this window: whoever asks for the same result at the same time waits for the same download (T8). */
import { abortable, isAbort } from "../../base/async/abort";
import type { Disposable } from "../../base/disposable";
import { storageError } from "../../domain/errors/appError";
import { fetchResult, type ResultPorts } from "./fetchResult";
import type { FetchTerms } from "./fetchTerms";

interface Running {
  readonly path: Promise<string>;
  readonly terms: FetchTerms;
  readonly ended: AbortController;
  /** People who wait for it; the window itself is none. */
  people: number;
}

export interface PersonsRequest {
  /** When everybody who asked has cancelled, the download ends and leaves no file. */
  readonly signal?: AbortSignal | undefined;
  /** Downloads it again although it is there. */
  readonly anew?: boolean | undefined;
}

export class ResultDownloads implements Disposable {
  readonly #ports: ResultPorts;
  readonly #running = new Map<string, Running>();
  #isDisposed = false;

  constructor(ports: ResultPorts) {
    this.#ports = ports;
  }

  /** The path of the result, for a person: without a limit of size. Rejects with an `AppFailure` or an `AbortError`. */
  async get(id: string, { signal, anew = false }: PersonsRequest = {}): Promise<string> {
    signal?.throwIfAborted();
    const running =
      this.#running.get(id) ?? this.#start(id, { limit: Infinity, isAsked: true, keepsPart: false, anew });
    running.terms.limit = Infinity;
    running.terms.isAsked = true;
    running.people += 1;
    try {
      return await (signal === undefined ? running.path : abortable(running.path, signal));
    } finally {
      running.people -= 1;
      if (signal?.aborted && running.people === 0) {
        running.ended.abort();
        // Until nothing of it is left on the disk.
        await running.path.catch(() => undefined);
      }
    }
  }

  /** The path of the result, for the window itself: up to `limit` bytes. */
  getUnasked(id: string, limit: number): Promise<string> {
    const running = this.#running.get(id) ?? this.#start(id, { limit, isAsked: false, keepsPart: false, anew: false });
    return running.path;
  }

  /** Ends all downloads; what arrived is continued by the next window. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { terms, ended } of this.#running.values()) {
      terms.keepsPart = true;
      ended.abort();
    }
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.allSettled([...this.#running.values()].map(({ path }) => path));
  }

  #start(id: string, terms: FetchTerms): Running {
    const ended = new AbortController();
    if (this.#isDisposed) ended.abort();
    const running: Running = { path: this.#fetch(id, terms, ended.signal), terms, ended, people: 0 };
    this.#running.set(id, running);
    return running;
  }

  async #fetch(id: string, terms: FetchTerms, signal: AbortSignal): Promise<string> {
    const { board, clock, log } = this.#ports;
    try {
      // After a microtask `#start` has added the download to `#running`; else the `finally` below could remove it too early.
      await Promise.resolve();
      signal.throwIfAborted();
      return await fetchResult(this.#ports, id, terms, signal);
    } catch (failure) {
      if (isAbort(failure)) throw failure;
      const error = storageError(failure).error;
      log.warn("A result could not be fetched.", { task: id, kind: error.kind, status: error.status });
      await board.applyThenWrite({ type: "task-fetch-failed", id, at: clock.now(), error });
      throw failure;
    } finally {
      this.#running.delete(id);
    }
  }
}
