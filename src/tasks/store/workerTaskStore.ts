/** The task store on a thread of its own, called from this one. */
import { Worker } from "node:worker_threads";
import { Emitter } from "../../base/event";
import { type GatewayError, GatewayFailure } from "../../domain/errors";
import { storageError } from "../storageError";
import type { TaskStore } from "./taskStore";
import type { StoreMethod, WorkerCall, WorkerMessage } from "./workerCalls";

/** Starts the program (the bundle of `worker.ts`) on a file. Rejects with a `GatewayFailure` of kind `storage`. */
export async function openWorkerTaskStore(program: string, path: string): Promise<TaskStore> {
  const changed = new Emitter<"written" | "replaced">();
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<undefined>();
  let worker: Worker;
  try {
    worker = new Worker(program, { workerData: { path } });
  } catch (failure) {
    throw storageError(failure);
  }
  let ended: GatewayFailure | undefined;
  const end = (error: GatewayError): void => {
    ended ??= new GatewayFailure(error);
    opened.reject(ended);
    for (const { reject } of calls.values()) reject(ended);
    calls.clear();
  };
  worker.on("error", (failure) => end({ ...storageError(failure).error, code: "thread-ended" }));
  worker.on("exit", () => end({ kind: "storage", code: "thread-ended", message: "The task store's thread ended." }));
  worker.on("message", (message: WorkerMessage) => {
    switch (message.type) {
      case "opened":
        opened.resolve(undefined);
        return;
      case "failed":
        end(message.error);
        return;
      case "changed":
        changed.fire(message.change);
        return;
      case "result":
        calls.get(message.call)?.resolve(message.value);
        calls.delete(message.call);
        return;
      case "rejected":
        calls.get(message.call)?.reject(new GatewayFailure(message.error));
        calls.delete(message.call);
    }
  });
  let last = 0;
  const call = <T>(method: StoreMethod, ...args: readonly unknown[]): Promise<T> => {
    if (ended) return Promise.reject(ended);
    const result = Promise.withResolvers<unknown>();
    last += 1;
    calls.set(last, result);
    worker.postMessage({ call: last, method, args } satisfies WorkerCall);
    return result.promise as Promise<T>;
  };
  try {
    await opened.promise;
  } catch (failure) {
    await worker.terminate();
    throw failure;
  }
  return {
    onDidChange: changed.event,
    apply: (records) => call("apply", records),
    snapshot: (newest) => call("snapshot", newest),
    page: (before, limit) => call("page", before, limit),
    changesSince: (change) => call("changesSince", change),
    async close() {
      changed.dispose();
      try {
        if (!ended) await call("close");
      } finally {
        await worker.terminate();
      }
    },
  };
}
