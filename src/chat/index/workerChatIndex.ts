/** The chat index on a thread of its own, called from this one. The thread is started with the first call, and again after it has ended. */
import { Worker } from "node:worker_threads";
import { type GatewayError, GatewayFailure } from "../../domain/errors";
import type { Log } from "../../domain/ports";
import { storageError } from "../../domain/storageError";
import type { ChatHit, ChatIndex, ChatSummary } from "./chatIndex";

/** What crosses between the threads: calls by number, their results, and why a session is not listed. */
export interface IndexCall {
  readonly call: number;
  readonly method: keyof ChatIndex;
  readonly query: string;
}

export type IndexMessage =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly error: GatewayError }
  | { readonly skipped: string };

export interface WorkerChatIndexOptions {
  /** The bundle with `worker.ts`. */
  readonly program: string;
  /** Of the database, and of the session files. */
  readonly path: string;
  readonly sessions: string;
  readonly log: Log;
}

export class WorkerChatIndex implements ChatIndex {
  readonly #options: WorkerChatIndexOptions;
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #last = 0;

  constructor(options: WorkerChatIndexOptions) {
    this.#options = options;
  }

  list(): Promise<readonly ChatSummary[]> {
    return this.#call("list");
  }

  search(query: string): Promise<readonly ChatHit[]> {
    return this.#call("search", query);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    try {
      await this.#call("close");
    } finally {
      this.#worker = undefined;
      await worker.terminate();
    }
  }

  #call<T>(method: keyof ChatIndex, query = ""): Promise<T> {
    const result = Promise.withResolvers<unknown>();
    this.#last += 1;
    this.#calls.set(this.#last, result);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ call: this.#last, method, query } satisfies IndexCall);
    } catch (failure) {
      this.#end(storageError(failure).error);
    }
    return result.promise as Promise<T>;
  }

  #start(): Worker {
    const { program, path, sessions, log } = this.#options;
    const worker = new Worker(program, { workerData: { path, sessions } });
    worker.on("error", (failure) => this.#end({ ...storageError(failure).error, code: "thread-ended" }));
    worker.on("exit", () =>
      this.#end({ kind: "storage", code: "thread-ended", message: "The chat index's thread ended." }),
    );
    worker.on("message", (message: IndexMessage) => {
      if ("skipped" in message) {
        log.warn("A stored chat can't be listed.", { message: message.skipped });
        return;
      }
      const result = this.#calls.get(message.call);
      this.#calls.delete(message.call);
      if ("error" in message) result?.reject(new GatewayFailure(message.error));
      else result?.resolve(message.value);
    });
    return worker;
  }

  /** Rejects all calls under way; the next one starts another thread. */
  #end(error: GatewayError): void {
    this.#worker = undefined;
    for (const { reject } of this.#calls.values()) reject(new GatewayFailure(error));
    this.#calls.clear();
  }
}
