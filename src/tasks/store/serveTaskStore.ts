/** The program of the task store's thread: a commit waits for the disk, which may take a hundred milliseconds, and must not hold up the extension host. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/systemClock";
import { storageError } from "../../domain/storageError";
import { openSqliteTaskStore } from "./sqliteTaskStore";
import type { TaskStore } from "./taskStore";
import type { StoreMethod, WorkerCall, WorkerMessage } from "./workerCalls";

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

async function answer(store: TaskStore, { call, method, args }: WorkerCall): Promise<void> {
  try {
    const methods = store as unknown as Readonly<
      Record<StoreMethod, (...args: readonly unknown[]) => Promise<unknown>>
    >;
    send({ type: "result", call, value: await methods[method](...args) });
  } catch (failure) {
    send({ type: "rejected", call, error: storageError(failure).error });
  }
}

/** Opens the file that the thread was given and answers its calls. */
export function serveTaskStore(): void {
  const { path } = workerData as { readonly path: string };
  openSqliteTaskStore({ path, clock: systemClock, marksAttempts: true }).then(
    (store) => {
      store.onDidChange((change) => send({ type: "changed", change }));
      parentPort?.on("message", (call: WorkerCall) => void answer(store, call));
      send({ type: "opened" });
    },
    (failure: unknown) => send({ type: "failed", error: storageError(failure).error }),
  );
}
