/** The program of the task store's thread: a commit waits for the disk, which may take a hundred milliseconds, and must not hold up the extension host. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/async/systemClock";
import { answerCall } from "../../base/async/threadCalls";
import { type AppError, storageError } from "../../domain/errors/appError";
import { openSqliteTaskStore } from "./sqliteTaskStore";
import type { StoreCall, StoreMessage } from "./workerCalls";

function send(message: StoreMessage): void {
  parentPort?.postMessage(message);
}

/** Opens the file that the thread was given and answers its calls. */
export function serveTaskStore(): void {
  const { path } = workerData as { readonly path: string };
  const describe = (failure: unknown): AppError => storageError(failure).error;
  openSqliteTaskStore({ path, clock: systemClock, marksAttempts: true }).then(
    (store) => {
      store.onDidChange((change) => send({ type: "changed", change }));
      parentPort?.on("message", (call: StoreCall) => {
        void answerCall(store, call, describe).then((answer) => send({ type: "answered", answer }));
      });
      send({ type: "opened" });
    },
    (failure: unknown) => send({ type: "failed", error: describe(failure) }),
  );
}
