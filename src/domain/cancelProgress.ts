/** What a read of a task says about a cancel that was asked for (T9). */
import { type CancelProgress, isFinal, type RemoteTask } from "./task";

/** Milliseconds after which a read of a running task shows that the cancel had no effect: its own request has ended by then. */
const patience = 90_000;

export function cancelAfterRead(
  cancel: CancelProgress | undefined,
  { state }: RemoteTask,
  at: number,
): CancelProgress | undefined {
  if (cancel?.state !== "requested" && cancel?.state !== "no-effect") return cancel;
  const { reason } = cancel;
  if (state === "cancelled" || state === "refunded") return { state: "confirmed", reason, at };
  if (cancel.state === "no-effect") return cancel;
  const ranOn = cancel.seenRunningAt !== undefined;
  if (isFinal(state)) return { state: ranOn ? "no-effect" : "too-late", reason, at };
  // Also what takes up a cancel that was cut by the end of VS Code or whose response was lost.
  return at - cancel.at >= patience ? { state: "no-effect", reason, at } : cancel;
}
