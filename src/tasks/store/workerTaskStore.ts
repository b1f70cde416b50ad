/** The task store on a thread of its own, called from this one. */
import { Worker } from "node:worker_threads";
import { ThreadCalls } from "../../base/async/threadCalls";
import { Emitter } from "../../base/event";
import { type AppError, AppFailure, storageError } from "../../domain/errors/appError";
import type { PollStep, RecordToApply, StoredPause, TaskStore } from "./taskStore";
import type { StoreMessage, StoreMethod } from "./workerCalls";

/** Starts the program (the bundle of `storageThread.ts`) on a file. Rejects with an `AppFailure` of kind `storage`. */
export async function openWorkerTaskStore(program: string, path: string): Promise<TaskStore> {
  let worker: Worker;
  try {
    worker = new Worker(program, { workerData: { path } });
  } catch (failure) {
    throw storageError(failure);
  }
  const store = new WorkerTaskStore(worker);
  try {
    await store.opened;
  } catch (failure) {
    await worker.terminate();
    throw failure;
  }
  return store;
}

class WorkerTaskStore implements TaskStore {
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

  apply(records: readonly RecordToApply[]): ReturnType<TaskStore["apply"]> {
    return this.#call("apply", records);
  }

  snapshot(newest: number): ReturnType<TaskStore["snapshot"]> {
    return this.#call("snapshot", newest);
  }

  page(after: number, limit: number): ReturnType<TaskStore["page"]> {
    return this.#call("page", after, limit);
  }

  readBody(id: string): ReturnType<TaskStore["readBody"]> {
    return this.#call("readBody", id);
  }

  changesSince(change: number): ReturnType<TaskStore["changesSince"]> {
    return this.#call("changesSince", change);
  }

  senderState(sender: string | undefined): ReturnType<TaskStore["senderState"]> {
    return this.#call("senderState", sender);
  }

  stepPollLease(step: PollStep): ReturnType<TaskStore["stepPollLease"]> {
    return this.#call("stepPollLease", step);
  }

  releasePollLease(): ReturnType<TaskStore["releasePollLease"]> {
    return this.#call("releasePollLease");
  }

  keepPause(pause: StoredPause): ReturnType<TaskStore["keepPause"]> {
    return this.#call("keepPause", pause);
  }

  pauses(): ReturnType<TaskStore["pauses"]> {
    return this.#call("pauses");
  }

  async close(): Promise<void> {
    this.#changed.dispose();
    try {
      if (!this.#ended) await this.#call("close");
    } finally {
      await this.#worker.terminate();
    }
  }

  #call<T>(method: StoreMethod, ...args: readonly unknown[]): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    return this.#calls.begin(method, args, (call) => this.#worker.postMessage(call));
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
        this.#calls.settle(message.answer);
    }
  }

  /** Rejects all calls under way and all later ones. */
  #end(error: AppError): void {
    this.#ended ??= new AppFailure(error);
    this.#opened.reject(this.#ended);
    this.#calls.rejectAll(error);
  }
}
