/** The search's side of its thread: runs the job that the thread was started with, and posts the result. */
import { parentPort, workerData } from "node:worker_threads";
import { TimeSlices } from "../../base/timeSlices";
import { ToolRefusal } from "../../domain/tool";
import { toRefusal } from "../gate/fileAccess";
import { runSearch, type SearchedFiles } from "./runSearch";
import type { SearchJob } from "./searchJob";

export interface SearchThreadData {
  readonly job: SearchJob;
  /** Milliseconds after which the search ends with what it has. */
  readonly time: number;
}

export type SearchMessage = { readonly files: number } | { readonly result: string } | { readonly refusal: string };

/** Files between two reports: some ten a second. */
const reportInterval = 500;

export async function serveSearch(files: SearchedFiles): Promise<void> {
  const { job, time } = workerData as SearchThreadData;
  const send = (message: SearchMessage): void => parentPort?.postMessage(message);
  const end = performance.now() + time;
  // Nothing else runs on this thread, and it is ended from outside.
  const slices = new TimeSlices(new AbortController().signal, Infinity);
  try {
    const result = await runSearch(job, files, slices, {
      onVisited(visited) {
        if (visited % reportInterval === 0) send({ files: visited });
      },
      isOver: () => performance.now() > end,
    });
    send({ result });
  } catch (error) {
    const refusal = toRefusal(error, job.folder.label);
    if (!(refusal instanceof ToolRefusal)) throw error;
    send({ refusal: refusal.message });
  }
}
