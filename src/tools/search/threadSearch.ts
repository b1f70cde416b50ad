/** Searches on a thread of their own, which is ended with its search: a pattern that never ends, a huge tree or a slow disk holds nothing up. */
import { Worker } from "node:worker_threads";
import { abortable, abortReason } from "../../base/abort";
import { SerialQueue } from "../../base/serialQueue";
import { ToolRefusal } from "../../domain/tool";
import type { FileSearch, SearchJob } from "./searchJob";
import type { SearchMessage, SearchThreadData } from "./serveSearch";

/** Megabytes. */
const memory = 512;
/** Milliseconds. */
const defaultTime = 15_000;

export class ThreadSearch implements FileSearch {
  readonly #program: string;
  readonly #time: number;
  /** One at a time: a search takes a whole core. */
  readonly #queue = new SerialQueue();

  /** `program` is the bundle of `searchProgram.ts`; `time` in milliseconds. */
  constructor(program: string, time = defaultTime) {
    this.#program = program;
    this.#time = time;
  }

  run(job: SearchJob, signal: AbortSignal, onVisited?: (files: number) => void): Promise<string> {
    return abortable(
      this.#queue.run(() => this.#start(job, signal, onVisited)),
      signal,
    );
  }

  #start(job: SearchJob, signal: AbortSignal, onVisited?: (files: number) => void): Promise<string> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const workerData: SearchThreadData = { job, time: this.#time };
    const worker = new Worker(this.#program, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
    // A search ends itself in time unless it hangs within one file.
    const timer = setTimeout(() => reject(tooLong(job)), this.#time * 1.2);
    const onAbort = (): void => reject(abortReason(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (message: SearchMessage) => {
      if ("files" in message) onVisited?.(message.files);
      else if ("result" in message) resolve(message.result);
      else reject(new ToolRefusal(message.refusal));
    });
    worker.on("error", () => reject(new ToolRefusal("The search failed: name a folder to search less.")));
    worker.on("exit", () => reject(new ToolRefusal("The search ended without a result.")));
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      void worker.terminate();
    });
  }
}

function tooLong(job: SearchJob): ToolRefusal {
  const advice = job.type === "text" && job.isPattern ? "take a simpler pattern, or name a folder" : "name a folder";
  return new ToolRefusal(`The search took too long and was ended: ${advice}.`);
}
