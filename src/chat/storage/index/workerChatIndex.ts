/** Runs the chat index on a thread, which starts with a call and ends a minute after the last one, because it holds tens of megabytes. */
import { Worker } from "node:worker_threads";
import type { Clock } from "../../../base/clock";
import { type ThreadAnswer, type ThreadCall, ThreadCalls } from "../../../base/async/threadCalls";
import { type AppError, AppFailure, storageError } from "../../../domain/errors/appError";
import type { Log } from "../../../domain/ports";
import type { ChatHit, ChatIndex, ChatSummary } from "./chatIndex";
import type { TokenUsage } from "../../../domain/prices/tokenDays";

/** The messages between the threads: calls, their answers, why a session is not listed, and where a damaged database is. */
export type IndexCall = ThreadCall<keyof ChatIndex>;

export type IndexMessage =
  | { readonly type: "answered"; readonly answer: ThreadAnswer<AppError> }
  | { readonly type: "skipped"; readonly reason: string }
  | { readonly type: "set-aside"; readonly file: string };

export interface WorkerChatIndexOptions {
  /** The bundle of `storageThread.ts`. */
  readonly program: string;
  /** The file of the database. `sessions`: the folder of the session files. */
  readonly path: string;
  readonly sessions: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Milliseconds without a call after which the thread ends. */
const idleTime = 60_000;

export class WorkerChatIndex implements ChatIndex {
  readonly #options: WorkerChatIndexOptions;
  #thread: IndexThread | undefined;
  #idle = new AbortController();

  constructor(options: WorkerChatIndexOptions) {
    this.#options = options;
  }

  list(): Promise<readonly ChatSummary[]> {
    return this.#call("list");
  }

  search(query: string): Promise<readonly ChatHit[]> {
    return this.#call("search", query);
  }

  usage(since: number): Promise<readonly TokenUsage[]> {
    return this.#call("usage", since);
  }

  /** Ends the thread. A later call starts another one. */
  async close(): Promise<void> {
    this.#idle.abort();
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  async #call<T>(method: keyof ChatIndex, ...args: readonly unknown[]): Promise<T> {
    this.#idle.abort();
    if (this.#thread?.hasEnded !== false) this.#thread = new IndexThread(this.#options);
    const thread = this.#thread;
    try {
      return await thread.call<T>(method, ...args);
    } finally {
      if (thread === this.#thread && !thread.isBusy) this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    this.#idle = new AbortController();
    this.#options.clock.delay(idleTime, this.#idle.signal).then(
      () => this.close().catch(() => undefined),
      () => undefined,
    );
  }
}

class IndexThread {
  readonly #calls = new ThreadCalls<keyof ChatIndex, AppError>((error) => new AppFailure(error));
  /** Missing where it could not be started. */
  readonly #worker: Worker | undefined;
  #failure: AppError | undefined;

  constructor({ program, path, sessions, log }: WorkerChatIndexOptions) {
    try {
      const worker = new Worker(program, { workerData: { path, sessions } });
      worker.on("error", (failure) => this.#end({ ...storageError(failure).error, code: "thread-ended" }));
      worker.on("exit", () =>
        this.#end({ kind: "storage", code: "thread-ended", message: "The chat index's thread ended." }),
      );
      worker.on("message", (message: IndexMessage) => {
        if (message.type === "answered") this.#calls.resolve(message.answer);
        else if (message.type === "skipped") log.warn("A stored chat can't be listed.", { message: message.reason });
        else log.warn("The list of chats was damaged, so it is made again from the chats.", { damaged: message.file });
      });
      this.#worker = worker;
    } catch (failure) {
      this.#end(storageError(failure).error);
    }
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether a call has no answer yet. */
  get isBusy(): boolean {
    return this.#calls.count > 0;
  }

  call<T>(method: keyof ChatIndex, ...args: readonly unknown[]): Promise<T> {
    return this.#calls.begin(method, args, (call) => {
      if (this.#failure) this.#calls.rejectAll(this.#failure);
      else this.#worker?.postMessage(call satisfies IndexCall);
    });
  }

  async close(): Promise<void> {
    try {
      await this.call("close");
    } finally {
      await this.#worker?.terminate();
    }
  }

  #end(error: AppError): void {
    this.#failure ??= error;
    this.#calls.rejectAll(this.#failure);
  }
}
