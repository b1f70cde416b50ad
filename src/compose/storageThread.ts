/** The program of the threads that keep the tasks and the index of chats: one file for both, because they share the database and the schemas. */
import { workerData } from "node:worker_threads";
import { serveChatIndex } from "../chat/index/serveChatIndex";
import { serveTaskStore } from "../tasks/store/serveTaskStore";

const { sessions } = workerData as { readonly sessions?: string };
if (sessions === undefined) serveTaskStore();
else serveChatIndex();
