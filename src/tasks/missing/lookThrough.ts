/** Looks through a project on a thread of its own, so that nothing else waits for it. */
import { Worker } from "node:worker_threads";
import { abortReason } from "../../base/async/abort";
import type { WorkspaceRoot } from "../../domain/tools/workspace";
import type { PlacedReference } from "./placedReferences";

export interface LookJob {
  readonly roots: readonly WorkspaceRoot[];
  /** The person's own ignore rules. */
  readonly personalIgnoreFile: string | undefined;
  /** Patterns of files and folders that are left out. */
  readonly excluded: readonly string[];
}

/** Documents with their references, and at the end how many were read. */
export type LookMessage =
  | { readonly batch: readonly (readonly [path: string, references: readonly PlacedReference[]])[] }
  | { readonly documents: number };

/** Megabytes of the thread's own memory. */
const maxMemory = 512;

/** `program`: the bundle of `lookThread.ts`. Resolves with the number of documents. Rejects with the signal's reason, or where the thread fails. */
export function lookThrough(
  program: string,
  job: LookJob,
  signal: AbortSignal,
  take: (path: string, references: readonly PlacedReference[]) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const worker = new Worker(program, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
    const end = (): void => {
      signal.removeEventListener("abort", abort);
      void worker.terminate();
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const abort = (): void => fail(abortReason(signal));
    signal.addEventListener("abort", abort, { once: true });
    worker.on("message", (message: LookMessage) => {
      if ("batch" in message) for (const [path, references] of message.batch) take(path, references);
      else {
        end();
        resolve(message.documents);
      }
    });
    worker.once("error", fail);
    worker.once("exit", () => fail(new Error("The thread that looks through the project ended.")));
  });
}
