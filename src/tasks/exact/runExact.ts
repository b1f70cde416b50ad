/** Makes exact files on a thread of its own: a large picture takes seconds. */
import { Worker } from "node:worker_threads";
import { abortReason } from "../../base/async/abort";
import type { PictureMarks } from "../../domain/media/marks/marks";
import type { ExactTarget } from "./makeExact";

/** The work that the thread is given. Paths are absolute. */
export interface ExactWork {
  readonly source: string;
  /** An empty folder for this work alone. */
  readonly folder: string;
  readonly targets: readonly ExactTarget[];
  /** The marks of the result's task, for what is encoded anew. */
  readonly marks: PictureMarks;
}

/** Megabytes of the thread's own memory. */
const maxMemory = 512;

/**
 * `program`: the bundle of `exactThread.ts`. Resolves with the paths of the files in the order of the targets, `undefined` for one whose format is not
 * written. Rejects for a damaged picture, and with the signal's reason.
 */
export function runExact(
  program: string,
  work: ExactWork,
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const worker = new Worker(program, { workerData: work, resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
    const end = (): void => {
      signal.removeEventListener("abort", abort);
      void worker.terminate();
    };
    const abort = (): void => {
      end();
      reject(abortReason(signal));
    };
    signal.addEventListener("abort", abort, { once: true });
    worker.once("message", (paths: readonly (string | undefined)[]) => {
      end();
      resolve(paths);
    });
    worker.once("error", (failure) => {
      end();
      reject(failure instanceof Error ? failure : new Error(String(failure)));
    });
    worker.once("exit", () => {
      end();
      reject(new Error("The picture could not be converted."));
    });
  });
}
