/** The chat index on a thread of its own, called from this one. The thread is started with the first call, and again after it has ended. */
import { Worker } from "node:worker_threads";
import { type ThreadAnswer, type ThreadCall, ThreadCalls } from "../../base/async/threadCalls";
import { type AppError, AppFailure } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";
import { storageError } from "../../domain/errors/storageError";
import type { ChatHit, ChatIndex, ChatSummary } from "./chatIndex";

/** What crosses between the threads: calls, their answers, and why a session is not listed. */
export type IndexCall = ThreadCall<keyof ChatIndex>;

export type IndexMessage =
  | { readonly type: "answered"; readonly answer: ThreadAnswer<AppError> }
  | { readonly type: "skipped"; readonly reason: string };

export interface WorkerChatIndexOptions {
  /** The bundle of `storageThread.ts`. */
  readonly program: string;
  /** Of the database, and of the session files. */
  readonly path: string;
  readonly sessions: string;
  readonly log: Log;
}

export class WorkerChatIndex implements ChatIndex {
  readonly #options: WorkerChatIndexOptions;
  readonly #calls = new ThreadCalls<keyof ChatIndex, AppError>((error) => new AppFailure(error));
  #worker: Worker | undefined;

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

  #call<T>(method: keyof ChatIndex, ...args: readonly unknown[]): Promise<T> {
    return this.#calls.begin(method, args, (call) => {
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage(call satisfies IndexCall);
      } catch (failure) {
        this.#end(storageError(failure).error);
      }
    });
  }

  #start(): Worker {
    const { program, path, sessions, log } = this.#options;
    const worker = new Worker(program, { workerData: { path, sessions } });
    worker.on("error", (failure) => this.#end({ ...storageError(failure).error, code: "thread-ended" }));
    worker.on("exit", () =>
      this.#end({ kind: "storage", code: "thread-ended", message: "The chat index's thread ended." }),
    );
    worker.on("message", (message: IndexMessage) => {
      if (message.type === "answered") this.#calls.settle(message.answer);
      else log.warn("A stored chat can't be listed.", { message: message.reason });
    });
    return worker;
  }

  /** Rejects all calls under way; the next one starts another thread. */
  #end(error: AppError): void {
    this.#worker = undefined;
    this.#calls.rejectAll(error);
  }
}
