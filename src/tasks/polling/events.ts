/** The events of a task: read when a person opens it, and again when its state has changed. */
import type { Clock } from "../../base/clock";
import { toAppError } from "../../domain/errors/appError";
import type { Connections, Log } from "../../domain/ports";
import { isAccepted } from "../../domain/task/phase";
import type { TaskEvent } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";

export interface EventPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
}

const pageSize = 50;
/** A service that returns the same page again and again must not cause an endless loop. */
const pageCap = 20;

/** Never rejects: without a response, the known events stay. */
export async function loadEvents(
  { board, connections, clock, log }: EventPorts,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const task = board.all.tasks.get(id);
  if (!isAccepted(task)) return;
  const { taskId } = task.submission;
  try {
    const gateway = await connections.find(task.intent.home);
    const events = new Map<string, TaskEvent>();
    for (let page = 0, offset = 0; page < pageCap; page += 1) {
      const read = await gateway.listTaskEvents(taskId, { limit: pageSize, offset }, signal);
      const known = events.size;
      for (const event of read) events.set(event.id, event);
      // A page may hold fewer than was asked for: the end is one that holds nothing new.
      if (events.size === known) break;
      offset += read.length;
    }
    const sorted = [...events.values()].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
    await board.applyThenWrite({ type: "task-events", id, at: clock.now(), events: sorted });
  } catch (failure) {
    if (signal?.aborted) return;
    const { kind, status } = toAppError(failure);
    log.warn("The events of a task could not be read.", { task: id, kind, status });
  }
}
