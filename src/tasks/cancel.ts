/** Cancels a task (T9): requested, confirmed or too late, by what the service proves; never sent for a task that has ended. */
import type { Clock } from "../base/clock";
import { mayHaveHappened, toGatewayError } from "../domain/errors";
import type { Connections, Gateway } from "../domain/ports";
import { type CancelProgress, isRunning, type RemoteTask } from "../domain/task";
import type { CancelOutcome } from "../domain/taskPort";
import type { TaskBoard } from "./board";

export interface CancelPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
}

/** Never rejects. */
export async function cancelTask(ports: CancelPorts, id: string, reason: string): Promise<CancelOutcome> {
  const { board, connections, clock } = ports;
  const task = board.tasks.get(id);
  if (!task || !isRunning(task) || task.submission.state !== "accepted") return outcomeOf(ports, id);
  const { taskId } = task.submission;
  const cancelRecord = (state: "requested" | "too-late") =>
    ({ type: "task-cancel", id, cancel: { state, reason, at: clock.now() } }) as const;
  try {
    await board.record(cancelRecord("requested"));
  } catch (failure) {
    return { state: "failed", error: { ...toGatewayError(failure), notSent: true } };
  }
  try {
    const gateway = await connections.find(task.intent.home);
    const answered = await askToCancel(gateway, taskId, reason);
    const remote = typeof answered === "object" ? answered : await gateway.getTask(taskId);
    await board.keep({ type: "task-read", id, at: clock.now(), remote });
    if (answered === "had-ended" && outcomeOf(ports, id).state === "open") await board.keep(cancelRecord("too-late"));
    return outcomeOf(ports, id);
  } catch (failure) {
    const error = toGatewayError(failure);
    // A lost response may have been an acceptance: the request stays open until the task ends.
    if (!mayHaveHappened(error)) {
      const cancel: CancelProgress = { state: "refused", reason, at: clock.now(), error };
      await board.keep({ type: "task-cancel", id, cancel });
    }
    return { state: "failed", error };
  }
}

/** A conflict means that the task had ended: a read then shows how. */
async function askToCancel(
  gateway: Gateway,
  taskId: string,
  reason: string,
): Promise<RemoteTask | "accepted" | "had-ended"> {
  try {
    return (await gateway.cancelTask(taskId, reason)) ?? "accepted";
  } catch (failure) {
    if (toGatewayError(failure).kind !== "conflict") throw failure;
    return "had-ended";
  }
}

function outcomeOf({ board }: CancelPorts, id: string): CancelOutcome {
  const submission = board.tasks.get(id)?.submission;
  if (submission?.state !== "accepted") return { state: "too-late" };
  switch (submission.cancel?.state) {
    case "confirmed":
      return { state: "confirmed" };
    case "too-late":
    case undefined:
      return { state: "too-late" };
    case "requested":
      return { state: "open" };
    case "refused":
      return { state: "failed", error: submission.cancel.error };
  }
}
