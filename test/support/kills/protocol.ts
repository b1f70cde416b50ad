/** The messages between the processes of a kill run, over Node's own channel between parent and child. */
import type { AppError } from "../../../src/domain/errors/appError";
import type { Fault } from "../../faults/faultSwitches";

/** Given to each program as JSON in its first argument. */
export interface ProgramOptions {
  /** The folder of the run; state, tasks and results lie in it. */
  readonly folder: string;
  readonly epoch: number;
  readonly factor: number;
  /** The port of the gateway; 0 lets the system choose. */
  readonly port?: number;
  readonly gateway?: { readonly url: string; readonly key: string };
  /** The faults of the gateway. */
  readonly faults?: readonly Fault[];
  /** The most tasks of a day for a window; 0 for no cap. */
  readonly cap?: number;
}

export type ToApp =
  | { readonly type: "submit"; readonly prompts: readonly string[] }
  /** A batch of so many tasks that differ by their seed, as a prompt file with a list submits it. */
  | { readonly type: "matrix"; readonly prompt: string; readonly count: number }
  /** A video of each picture that is on this machine, made from it. */
  | { readonly type: "chain" }
  | { readonly type: "cancel" }
  | { readonly type: "reconcile" }
  /** Every row that was refused, or whose outcome is not known, at once. */
  | { readonly type: "send-again" }
  /** Every row, as by a window that has not learnt of what has become of it. */
  | { readonly type: "remove" }
  /** Milliseconds by which the clock of this window is ahead from now on. */
  | { readonly type: "clock"; readonly ahead: number }
  /** Bytes that its disk takes until it is full; missing: it has room. */
  | { readonly type: "disk"; readonly room?: number }
  /** Resolves every unknown outcome and waits until each task has ended and its result is on this machine. */
  | { readonly type: "settle" };

/** How far the tasks of a window have come; a run kills at one of these. */
export const steps = ["started", "prepared", "sending", "accepted", "reading", "ended", "saved"] as const;
export type Step = (typeof steps)[number];

/** One task as the client shows it when all is settled. */
export interface SettledRow {
  readonly prompt: string;
  readonly submission: string;
  readonly taskId?: string;
  readonly holdId?: string;
  readonly state?: string;
  readonly savedAs?: string;
  /** Its batch, and by what it differs from the others of it. */
  readonly batch?: string;
  readonly variant?: string;
  /** The prompt of the task that it was made from; empty when there is no such row. */
  readonly madeFrom?: string;
  readonly money: string;
  readonly sentence: string;
  readonly error?: AppError;
}

export type FromProgram =
  | { readonly type: "step"; readonly step: Step }
  | { readonly type: "listening"; readonly url: string; readonly key: string; readonly port: number }
  | { readonly type: "intended"; readonly prompts: readonly string[] }
  | { readonly type: "settled"; readonly rows: readonly SettledRow[] }
  | { readonly type: "failed"; readonly message: string };
