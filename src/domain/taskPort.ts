/** The tasks as a tool may use them: submit, look, cancel. Money is decided behind it, as for a person's own submission. */
import type { GatewayError } from "./errors";
import type { TaskRequest } from "./ports";
import type { Task, TaskState } from "./task";

/** What became of one cancel, by its response and a read after it. */
export type CancelOutcome =
  | { readonly state: "confirmed" }
  /** Asked for, and the task still runs: a later read will show how it ends. */
  | { readonly state: "open" }
  /** It had ended before the cancel arrived; what succeeded is charged. */
  | { readonly state: "too-late"; readonly ended: TaskState }
  /** `refused`: a read after it shows that the task goes on. `failed`: what became of it is not known, or nothing was sent. */
  | { readonly state: "refused" | "failed"; readonly error: GatewayError };

/** `id` is the one of `TaskIntent`. */
export interface WantedTask extends Omit<TaskRequest, "idempotencyKey"> {
  /** Where in the project the result goes: absolute, without the ending, which its type gives it. */
  readonly destination?: string;
}

export interface TaskPort {
  /**
   * Writes the intent to disk, sends it once and resolves with the task when the submission has an outcome. Rejects
   * with a `GatewayFailure` when nothing was sent.
   */
  submit(order: WantedTask): Promise<Task>;
  /** Whether the result of a task that has not ended goes to this path, without its ending. */
  isReserved(path: string): boolean;
  /** As last read from the service. */
  get(id: string): Task | undefined;
  /** Resolves with the task when it has ended, or as it is after so many milliseconds. Rejects only with an abort. */
  untilEnded(id: string, milliseconds: number, signal: AbortSignal): Promise<Task | undefined>;
  /** Oldest first. */
  list(): readonly Task[];
  /** Never rejects. */
  cancel(id: string, reason: string): Promise<CancelOutcome>;
}
