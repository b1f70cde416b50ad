/** What the tools may do with tasks: as a person's own submission, with its caps, its outbox and its list. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { abortReason } from "../base/abort";
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { GatewayFailure } from "../domain/errors";
import type { Connections } from "../domain/ports";
import { isFinal, type Task } from "../domain/task";
import type { TaskPort } from "../domain/taskPort";
import type { TaskBoard } from "./board";
import type { Outbox } from "./outbox";

export interface TaskPortParts {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly cancel: TaskPort["cancel"];
  readonly clock: Clock;
  readonly connections: Pick<Connections, "current">;
}

export function createTaskPort({ board, outbox, cancel, clock, connections }: TaskPortParts): TaskPort {
  /** What was written for another gateway is not for the model of this one. */
  const isOfGateway = ({ intent }: Task): boolean => {
    const now = connections.current.current;
    return now.state === "ready" && now.home.origin === intent.home.origin;
  };
  return {
    async submit({ destination, ...request }) {
      const file = destination === undefined ? undefined : pathToFileURL(destination).href;
      const placed = definedFields({ destination: file === undefined ? undefined : { file } });
      const [id = ""] = await outbox.submit([{ ...request, ...placed }]);
      const task = board.tasks.get(id);
      if (task === undefined) throw new GatewayFailure(removedMeanwhile);
      return task;
    },
    isReserved: (path) => [...board.tasks.values()].some((task) => !isOver(task) && destinationOf(task) === path),
    get(id) {
      const task = board.tasks.get(id);
      return task && isOfGateway(task) ? task : undefined;
    },
    untilEnded: (id, milliseconds, signal) => untilEnded(board, clock, { id, milliseconds, signal }),
    list: () => [...board.tasks.values()].filter(isOfGateway),
    cancel,
  };
}

function isOver({ submission }: Task): boolean {
  if (submission.state !== "accepted") return submission.state === "not-accepted";
  const { remote, placement } = submission;
  return isFinal(remote.state) && (remote.state !== "succeeded" || placement?.state === "placed");
}

function destinationOf({ intent }: Task): string | undefined {
  const file = intent.destination?.file;
  return file?.startsWith("file:") === true ? fileURLToPath(file) : undefined;
}

interface Wait {
  readonly id: string;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** A result that goes into the project is waited for until it is there. */
async function untilEnded(
  board: TaskBoard,
  clock: Clock,
  { id, milliseconds, signal }: Wait,
): Promise<Task | undefined> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const isSettled = (): boolean => {
    const task = board.tasks.get(id);
    return task === undefined || hasSettled(task);
  };
  const registration = board.onDidChange((ids) => {
    if (ids.has(id) && isSettled()) ended.abort();
  });
  try {
    if (!isSettled()) await clock.delay(milliseconds, AbortSignal.any([signal, ended.signal]));
  } catch {
    if (signal.aborted) throw abortReason(signal);
  } finally {
    registration.dispose();
  }
  return board.tasks.get(id);
}

function hasSettled({ intent, submission }: Task): boolean {
  if (submission.state !== "accepted") return submission.state === "not-accepted";
  const { remote, placement } = submission;
  if (!isFinal(remote.state)) return false;
  const isAwaited = remote.state === "succeeded" && intent.destination !== undefined;
  return !isAwaited || (placement !== undefined && placement.state !== "placing");
}

/** A person may remove the row of a task that was not accepted. */
const removedMeanwhile = { kind: "not-found", message: "The task was removed from the list.", notSent: true } as const;
