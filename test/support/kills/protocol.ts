/** What the processes of a kill run say to each other, as messages of Node's own channel between parent and child. */
import type { AppError } from "../../../src/domain/errors/appError";

/** Given to each program as JSON in its first argument. */
export interface ProgramOptions {
  /** Of the run; state, tasks and results lie in it. */
  readonly folder: string;
  readonly epoch: number;
  readonly factor: number;
  /** Of the gateway; 0 lets the system choose. */
  readonly port?: number;
  readonly gateway?: { readonly url: string; readonly key: string };
}

export type ToApp =
  | { readonly type: "submit"; readonly prompts: readonly string[] }
  | { readonly type: "cancel" }
  | { readonly type: "reconcile" }
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
