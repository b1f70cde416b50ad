/** The program of the chat index's thread: reading and indexing files would hold up the extension host. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/systemClock";
import { storageError } from "../../domain/storageError";
import { SqliteChatIndex } from "./sqliteChatIndex";
import type { IndexCall, IndexMessage } from "./workerChatIndex";

function send(message: IndexMessage): void {
  parentPort?.postMessage(message);
}

/** Opens the index that the thread was given and answers its calls. */
export function serveChatIndex(): void {
  const { path, sessions } = workerData as { readonly path: string; readonly sessions: string };
  const onSkip = (failure: unknown): void => send({ skipped: String(failure) });
  const opened = SqliteChatIndex.open({ path, sessions, clock: systemClock, onSkip });
  // Each call reports it.
  opened.catch(() => undefined);
  parentPort?.on("message", ({ call, method, query }: IndexCall) => {
    opened
      .then((index): Promise<unknown> => (method === "search" ? index.search(query) : index[method]()))
      .then(
        (value) => send({ call, value }),
        (failure: unknown) => send({ call, error: storageError(failure).error }),
      );
  });
}
