/** The program of a search thread: does its share of one search after the other. */
import { parentPort } from "node:worker_threads";
import { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";
import { runSearch } from "./runSearch";
import type { FoundShare, SearchedFiles, SearchJob, SearchShare } from "./searchJob";

export interface SearchRequest {
  readonly job: SearchJob;
  readonly share: SearchShare;
  /** Milliseconds after which the search ends with what it has. */
  readonly time: number;
}

export type ShareMessage = { readonly visited: number } | { readonly found: FoundShare } | { readonly refusal: string };

/** Files between two reports: some ten a second. */
const reportInterval = 500;

export function serveSearch(files: SearchedFiles): void {
  // Most folders have no rules of their own: an error a folder says so, and its stack takes longer than the call.
  Error.stackTraceLimit = 0;
  const send = (message: ShareMessage): void => parentPort?.postMessage(message);
  parentPort?.on("message", (request: SearchRequest) => {
    void search(request, files, send).then(send);
  });
}

async function search(
  { job, share, time }: SearchRequest,
  files: SearchedFiles,
  send: (message: ShareMessage) => void,
): Promise<ShareMessage> {
  const end = performance.now() + time;
  // Nothing else runs on this thread, and it is ended from outside.
  const slices = new TimeSlices(new AbortController().signal, Infinity);
  try {
    const found = await runSearch(job, share, files, slices, {
      onVisited(visited) {
        if (visited % reportInterval === 0) send({ visited });
      },
      isOver: () => performance.now() > end,
    });
    return { found };
  } catch (error) {
    const refusal = toRefusal(error, "The folder");
    return { refusal: refusal instanceof ToolRefusal ? refusal.message : "The search failed." };
  }
}
