/** The task store on a thread of its own, called from this one. */
import { Worker } from "node:worker_threads";
import { remoteObject, ThreadCalls } from "../../base/async/threadCalls";
import { Emitter } from "../../base/event";
import { type AppError, AppFailure, storageError } from "../../domain/errors/appError";
import type { StoreMessage, StoreMethod, TaskStore } from "./taskStore";

/** Starts the program (the bundle of `storageThread.ts`) on a file. Rejects with an `AppFailure` of kind `storage`. */
export async function openWorkerTaskStore(program: string, path: string): Promise<TaskStore> {
  let worker: Worker;
  try {
    worker = new Worker(program, { workerData: { path } });
  } catch (failure) {
    throw storageError(failure);
  }
  const thread = new StoreThread(worker);
  try {
    await thread.opened;
  } catch (failure) {
    await worker.terminate();
    throw failure;
  }
  return remoteObject<TaskStore, Pick<TaskStore, "onDidChange" | "close">>(
    { onDidChange: thread.onDidChange, close: () => thread.close() },
    (method, args) => thread.call(method, args),
  );
}

class StoreThread {
  readonly #worker: Worker;
  readonly #changed = new Emitter<"written" | "replaced">();
  readonly #opened = Promise.withResolvers<undefined>();
  readonly #calls = new ThreadCalls<StoreMethod, AppError>((error) => new AppFailure(error));
  #ended: AppFailure | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("error", (failure) => this.#end({ ...storageError(failure).error, code: "thread-ended" }));
    worker.on("exit", () =>
      this.#end({ kind: "storage", code: "thread-ended", message: "The task store's thread ended." }),
    );
    worker.on("message", (message: StoreMessage) => this.#receive(message));
  }

  /** Rejects with the reason when the file can't be opened. */
  get opened(): Promise<undefined> {
    return this.#opened.promise;
  }

  readonly onDidChange = this.#changed.event;

  call(method: StoreMethod, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return this.#calls.begin(method, args, (call) => this.#worker.postMessage(call));
  }

  async close(): Promise<void> {
    this.#changed.dispose();
    try {
      if (!this.#ended) await this.call("close", []);
    } finally {
      await this.#worker.terminate();
    }
  }

  #receive(message: StoreMessage): void {
    switch (message.type) {
      case "opened":
        this.#opened.resolve(undefined);
        return;
      case "failed":
        this.#end(message.error);
        return;
      case "changed":
        this.#changed.fire(message.change);
        return;
      case "answered":
        this.#calls.resolve(message.answer);
    }
  }

  /** Rejects all calls that wait for an answer, and each later one. */
  #end(error: AppError): void {
    this.#ended ??= new AppFailure(error);
    this.#opened.reject(this.#ended);
    this.#calls.rejectAll(error);
  }
}
