/** *Check Now*: a read that a person asks for, before the schedule comes to the task or after the schedule has left it. */
import { isAccepted, isOutdatedRead } from "../../domain/task/phase";
import { isReleaseNotSeen } from "../money/money";
import { type EventPorts, loadEvents } from "./events";

/** Rejects as the read does, with an `AppFailure` or an `AbortError`. */
export async function checkTask(ports: EventPorts, id: string, signal?: AbortSignal): Promise<void> {
  const { board, connections, clock } = ports;
  const task = board.all.tasks.get(id);
  if (!isAccepted(task)) return;
  const gateway = await connections.find(task.intent.home);
  const begun = clock.now();
  const remote = await gateway.getTask(task.submission.taskId, signal);
  if (isOutdatedRead(board.all.tasks.get(id), begun, remote)) return;
  await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote });
  if (isReleaseNotSeen(board.all.tasks.get(id))) await loadEvents(ports, id, signal);
}
