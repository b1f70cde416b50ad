/** The tasks as a tool may use them: submit, look, cancel. Money is decided behind it, as for a person's own submission. */
import type { GatewayError } from "./errors";
import type { TaskRequest } from "./ports";
import type { Task } from "./task";

/** What became of one cancel. `open`: the service has accepted it, and a later read will show how the task ends. */
export type CancelOutcome =
  { readonly state: "confirmed" | "too-late" | "open" } | { readonly state: "failed"; readonly error: GatewayError };

/** `id` is the one of `TaskIntent`. */
export interface TaskPort {
  /**
   * Writes the intent to disk, sends it once and resolves with the task when the submission has an outcome. Rejects
   * with a `GatewayFailure` when nothing was sent.
   */
  submit(request: Omit<TaskRequest, "idempotencyKey">): Promise<Task>;
  /** As last read from the service. */
  get(id: string): Task | undefined;
  /** Oldest first. */
  list(): readonly Task[];
  /** Never rejects. */
  cancel(id: string, reason: string): Promise<CancelOutcome>;
}
