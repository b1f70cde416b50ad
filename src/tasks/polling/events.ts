/** The events of a task: read when a person opens it, and again when its state has changed. */
import type { Clock } from "../../base/clock";
import { toAppError } from "../../domain/errors/appError";
import type { Connections, ListedEvent, Log } from "../../domain/ports";
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
    let listed: readonly ListedEvent[] = [];
    for (let page = 0; page < pageCap; page += 1) {
      const read = await gateway.listTaskEvents(taskId, { limit: pageSize, offset: listed.length }, signal);
      if (startsAnew(listed, read)) {
        listed = read;
        break;
      }
      const known = namesOf(listed);
      listed = [...listed, ...read];
      // A page may hold fewer than was asked for: the end is one that holds nothing new.
      if (read.every((event) => event.id !== undefined && known.has(event.id))) break;
    }
    await board.applyThenWrite({ type: "task-events", id, at: clock.now(), events: oldestFirst(nameEvents(listed)) });
  } catch (failure) {
    if (signal?.aborted) return;
    const { kind, status } = toAppError(failure);
    log.warn("The events of a task could not be read.", { task: id, kind, status });
  }
}

/** Whether a gateway without pages gave the whole list again: what is known of it, and perhaps what happened since. */
function startsAnew(known: readonly ListedEvent[], read: readonly ListedEvent[]): boolean {
  const isSame = (event: ListedEvent, index: number): boolean => JSON.stringify(event) === JSON.stringify(read[index]);
  return known.length > 0 && known.length <= read.length && known.every(isSame);
}

function namesOf(events: readonly ListedEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ id }) => id ?? []));
}

/** Each id once (Q-K13). Two events without one may be equal and are still two: their place in the list names them. */
function nameEvents(listed: readonly ListedEvent[]): readonly TaskEvent[] {
  const events = listed.map((event, index): TaskEvent => ({ ...event, id: event.id ?? `unnamed:${index}` }));
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** An event without a time stays behind the one that the gateway listed before it. */
function oldestFirst(events: readonly TaskEvent[]): readonly TaskEvent[] {
  let time = -Infinity;
  const timed = events.map((event) => ({ event, time: (time = event.createdAt ?? time) }));
  return timed.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ event }) => event);
}
