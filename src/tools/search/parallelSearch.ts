/**
 * Searches on threads of their own: a pattern that never ends, a huge tree or a slow disk holds nothing up, and they read without the
 * cost of asynchronous calls. The threads wait for the next search for a while, because starting them takes as long as a search.
 */
import { availableParallelism } from "node:os";
import { type MessagePort, Worker } from "node:worker_threads";
import { abortable } from "../../base/async/abort";
import { SerialQueue } from "../../base/async/serialQueue";
import { ToolRefusal } from "../../domain/tools/tool";
import { createEnds } from "./dealtBatches";
import { describeFound, type FileSearch, type FoundPage, type FoundShare, type SearchJob } from "./searchJob";
import type { ShareMessage, SearchRequest } from "./serveSearch";

/** Megabytes of a thread. */
const memory = 512;
const maxThreads = 4;
/** Milliseconds. */
const defaultTime = 15_000;
const idleTime = 60_000;

export class ParallelSearch implements FileSearch {
  readonly #program: string;
  readonly #time: number;
  /** One search runs at a time, because it takes all threads. */
  readonly #queue = new SerialQueue();
  #threads: readonly Worker[] = [];
  #idle: NodeJS.Timeout | undefined;

  /** `program` is the bundle of `program.ts`; after `time` milliseconds a search ends with what it has. */
  constructor(program: string, time = defaultTime) {
    this.#program = program;
    this.#time = time;
  }

  run(job: SearchJob, signal: AbortSignal, onVisited?: (files: number) => void): Promise<FoundPage> {
    const search = async (): Promise<FoundPage> => {
      signal.throwIfAborted();
      clearTimeout(this.#idle);
      const limit = new AbortController();
      // A share ends by itself when its time is over; the timer is later, for one that hangs within a file.
      const timer = setTimeout(() => limit.abort(tooLong(job)), this.#time * 1.2);
      try {
        const shares = this.#startShares(job, onVisited);
        return describeFound(job, await abortable(shares, AbortSignal.any([signal, limit.signal])));
      } catch (error) {
        this.#endThreads();
        throw error;
      } finally {
        clearTimeout(timer);
        this.#idle = setTimeout(() => this.#endThreads(), idleTime).unref();
      }
    };
    // A search that waits for its turn ends at once as well.
    return abortable(this.#queue.run(search), signal);
  }

  #startShares(job: SearchJob, onVisited?: (files: number) => void): Promise<readonly FoundShare[]> {
    if (this.#threads.length === 0) {
      const count = Math.min(maxThreads, availableParallelism());
      this.#threads = Array.from({ length: count }, () => startThread(this.#program));
    }
    const [walker, ...others] = this.#threads;
    if (!walker) throw new Error("There is no thread.");
    // Names are found by the walk alone.
    const readers = job.type === "text" ? others : [];
    const { dealing, reading } = createEnds(readers.length);
    const visited = new Map<Worker, number>();
    const searchOn = (thread: Worker, request: SearchRequest, ports: readonly MessagePort[]): Promise<FoundShare> =>
      askThread(thread, request, ports, (files) => {
        visited.set(thread, files);
        onVisited?.([...visited.values()].reduce((sum, one) => sum + one));
      });
    const time = this.#time;
    return Promise.all([
      searchOn(walker, { type: "walk", job, dealing, time }, dealing.ports),
      ...reading.flatMap((end, index) => {
        const thread = readers[index];
        if (!thread || job.type !== "text") return [];
        return [searchOn(thread, { type: "read", job, reading: end, time }, [end.port])];
      }),
    ]);
  }

  #endThreads(): void {
    for (const thread of this.#threads) void thread.terminate();
    this.#threads = [];
  }
}

function startThread(program: string): Worker {
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: memory } });
  // While no search listens, a thread that fails must not end this process.
  thread.on("error", () => undefined);
  thread.unref();
  return thread;
}

function askThread(
  thread: Worker,
  request: SearchRequest,
  ports: readonly MessagePort[],
  onVisited: (files: number) => void,
): Promise<FoundShare> {
  const { promise, resolve, reject } = Promise.withResolvers<FoundShare>();
  const onMessage = (message: ShareMessage): void => {
    if ("visited" in message) onVisited(message.visited);
    else if ("found" in message) resolve(message.found);
    else reject(new ToolRefusal(message.refusal));
  };
  const onEnd = (): void => reject(new ToolRefusal("The search failed: name a folder to search less."));
  thread.on("message", onMessage).once("exit", onEnd).ref();
  thread.postMessage(request, ports);
  return promise.finally(() => thread.off("message", onMessage).off("exit", onEnd).unref());
}

function tooLong(job: SearchJob): ToolRefusal {
  const advice = job.type === "text" && job.isPattern ? "take a simpler pattern, or name a folder" : "name a folder";
  return new ToolRefusal(`The search took too long and was ended: ${advice}.`);
}
