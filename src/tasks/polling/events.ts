/** Reads the events of a task when a person opens it, and again when its state has changed; and the task itself with *Check Now*. */
import type { Clock } from "../../base/clock";
import { toAppError } from "../../domain/errors/appError";
import type { Connections, Gateway, ListedEvent, Log } from "../../domain/ports";
import { isAccepted, isOutdatedRead } from "../../domain/task/phase";
import type { TaskEvent } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { isReleaseNotSeen } from "../money";

export interface EventOptions {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
}

const pageSize = 50;
/** A service that returns the same page again and again must not cause an endless loop. */
const pageCap = 20;
/** How often the list is requested again because another reading has changed it meanwhile; after that the events of the other reading stay. */
const repeatCap = 2;

/** Never rejects: without a response, the known events stay. */
export async function loadEvents(
  { board, connections, clock, log }: EventOptions,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const task = board.all.get(id);
  if (!isAccepted(task)) return;
  const { taskId } = task.submission;
  try {
    const gateway = await connections.find(task.intent.home);
    // The list of a reading that ended during this one may be the later one, so this one is requested again.
    for (let repeats = 0; repeats <= repeatCap; repeats += 1) {
      const before = knownEvents(board, id);
      const events = oldestFirst(nameEvents(await listEvents(gateway, taskId, signal)));
      if (knownEvents(board, id) !== before) continue;
      await board.applyThenWrite({ type: "task-events", id, at: clock.now(), events });
      return;
    }
  } catch (failure) {
    if (signal?.aborted) return;
    const { kind, status } = toAppError(failure);
    log.warn("The events of a task could not be read.", { task: id, kind, status });
  }
}

function knownEvents(board: TaskBoard, id: string): readonly TaskEvent[] | undefined {
  const task = board.all.get(id);
  return isAccepted(task) ? task.submission.events : undefined;
}

/** Lists the events page by page, in the order of the gateway. */
async function listEvents(gateway: Gateway, taskId: string, signal?: AbortSignal): Promise<readonly ListedEvent[]> {
  let listed: readonly ListedEvent[] = [];
  for (let page = 0; page < pageCap; page += 1) {
    const read = await gateway.listTaskEvents(taskId, { limit: pageSize, offset: listed.length }, signal);
    if (startsAnew(listed, read)) return read;
    const known = namesOf(listed);
    listed = [...listed, ...read];
    // A page may hold fewer than was asked for: the end is one that holds nothing new.
    if (read.every((event) => event.id !== undefined && known.has(event.id))) break;
  }
  return listed;
}

/** Whether a gateway without pages returned the whole list again: the events that are known, and perhaps later ones. */
function startsAnew(known: readonly ListedEvent[], read: readonly ListedEvent[]): boolean {
  const isSame = (event: ListedEvent, index: number): boolean => JSON.stringify(event) === JSON.stringify(read[index]);
  return known.length > 0 && known.length <= read.length && known.every(isSame);
}

function namesOf(events: readonly ListedEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ id }) => id ?? []));
}

/** Keeps each id once (Q-K13). Two events without an id may be equal and are still two: their place in the list names them. */
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

// *Check Now*: a read that a person asks for, before the schedule comes to the task or after the schedule has left it.

/** Rejects as the read does, with an `AppFailure` or an `AbortError`. */
export async function checkTask(options: EventOptions, id: string, signal?: AbortSignal): Promise<void> {
  const { board, connections, clock } = options;
  const task = board.all.get(id);
  if (!isAccepted(task)) return;
  const gateway = await connections.find(task.intent.home);
  const begun = clock.now();
  const remote = await gateway.getTask(task.submission.taskId, signal);
  if (isOutdatedRead(board.all.get(id), begun, remote)) return;
  await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote });
  if (isReleaseNotSeen(board.all.get(id))) await loadEvents(options, id, signal);
}
