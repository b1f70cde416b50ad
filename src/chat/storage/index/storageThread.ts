/** The program of the threads that keep the tasks and the index of chats: one file for both, because they share the database and the schemas. */
import { workerData, parentPort } from "node:worker_threads";
import { systemClock } from "../../../base/async/systemClock";
import { answerCall } from "../../../base/async/threadCalls";
import { storageError } from "../../../domain/errors/appError";
import type { ChatIndex } from "./chatIndex";
import { SqliteChatIndex } from "./sqliteChatIndex";
import type { IndexCall, IndexMessage } from "./workerChatIndex";
import { serveTaskStore } from "../../../tasks/store/sqliteTaskStore";

const { sessions } = workerData as { readonly sessions?: string };
if (sessions === undefined) serveTaskStore();
else serveChatIndex();

function send(message: IndexMessage): void {
  parentPort?.postMessage(message);
}

/** Opens the index that the thread was given and answers its calls. Without a thread, reading and indexing files would block the extension host. */
function serveChatIndex(): void {
  const { path, sessions } = workerData as { readonly path: string; readonly sessions: string };
  const onSkip = (failure: unknown): void => send({ type: "skipped", reason: String(failure) });
  const onSetAside = (file: string): void => send({ type: "set-aside", file });
  const opened = SqliteChatIndex.open({ path, sessions, clock: systemClock, onSkip, onSetAside });
  // Each call reports the failure.
  opened.catch(() => undefined);
  const methods = {
    list: async () => (await opened).list(),
    search: async (query: string) => (await opened).search(query),
    usage: async (since: number) => (await opened).usage(since),
    close: async () => (await opened).close(),
  } satisfies ChatIndex;
  parentPort?.on("message", (call: IndexCall) => {
    void answerCall(methods, call, (failure) => storageError(failure).error).then((answer) =>
      send({ type: "answered", answer }),
    );
  });
}
