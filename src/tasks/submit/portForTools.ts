/** The port by which tools use tasks: like a person's own submission, with its caps, its outbox and its list. */
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { abortReason } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { AppFailure } from "../../domain/errors/appError";
import type { Connections, Model } from "../../domain/ports";
import { hasSucceeded, isOver } from "../../domain/task/phase";
import type { Task, TaskOrder } from "../../domain/task/task";
import type { TaskPort } from "../../domain/task/taskPort";
import type { TaskTypeAvailability } from "./availability";
import type { TaskBoard } from "../board/board";
import { moneyForModel } from "../money";
import { type Environment, maxReferenceBytes } from "../../domain/environment";
import { imageReference, writeInputAssets } from "./references";
import { readSentBody } from "./requestBody";
import type { Outbox } from "./outbox";

export interface TaskPortParts extends Pick<Environment, "settings"> {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly cancel: TaskPort["cancel"];
  readonly clock: Clock;
  readonly connections: Pick<Connections, "current" | "ready" | "local">;
  readonly availability: () => Pick<TaskTypeAvailability, "of">;
  readonly models: () => readonly Model[];
  readonly picture: (task: Task, signal: AbortSignal) => Promise<Uint8Array | undefined>;
  readonly fetchProblemOf: TaskPort["fetchProblemOf"];
  /** The path of a task's result on this machine. Rejects with an `AppFailure`. */
  readonly saveResult: (id: string) => Promise<string>;
  /** Places the result as `ProjectFiles` does. */
  readonly place: (
    source: string,
    file: string,
    options: { readonly replaces: boolean },
  ) => Promise<"placed" | "occupied">;
}

export function createTaskPort(parts: TaskPortParts): TaskPort {
  const { board, outbox, cancel, clock, connections, settings } = parts;
  const referenceLimit = (): number => maxReferenceBytes;
  /** Tasks of another gateway are left out: what was written for it is not for the model of this one. */
  const isOfGateway = ({ intent }: Task): boolean => {
    const now = connections.current.current;
    // A rehearsal is for the gateway in use, although the local gateway makes it.
    if (intent.isRehearsal === true) return true;
    return now.state === "ready" && now.home.origin === intent.home.origin;
  };
  const isDone = (task: Task): boolean => {
    if (!hasSucceeded(task) || task.intent.destination === undefined) return isOver(task);
    const { placement } = task.submission;
    if (placement !== undefined && placement.state !== "placing") return true;
    // An agent that waited for a file that nobody fetches would give up and order again, which is paid twice.
    return parts.fetchProblemOf(task) === "given-up";
  };
  return {
    async target(type, signal, isRehearsal) {
      if (isRehearsal === true) return { home: (await connections.local()).home, isLocal: true, type: "enabled" };
      const { home, local: isLocal } = await connections.ready(signal);
      const known = parts.availability().of(home.origin, type);
      const refusal = known.state === "not-enabled" ? { refusal: known.message } : {};
      return { home, isLocal, type: known.state, ...refusal };
    },
    priceOf: (order) => outbox.priceOf(order, order.home),
    isMoneyCapped: () => settings.get("caps.moneyPerDay") > 0,
    models() {
      const now = connections.current.current;
      if (now.state !== "ready") return { origin: "", list: [] };
      const list = parts
        .models()
        .flatMap(({ id, taskTypes: types = [] }) => (types.length === 0 ? [] : [{ id, types }]));
      return { origin: now.home.origin, list };
    },
    async submit(orders, signal) {
      const tasks = orders.map(({ destination, home: _home, references = [], ...request }): TaskOrder => {
        const file = destination === undefined ? undefined : pathToFileURL(destination).href;
        const placed = definedFields({ destination: file === undefined ? undefined : { file } });
        const images = references.map(({ name, bytes }) => imageReference(name, bytes, referenceLimit()));
        const inputAssets = writeInputAssets(images.filter((image) => typeof image !== "string"));
        return { ...request, ...placed, ...definedFields({ inputAssets }) };
      });
      const intents = await outbox.prepare(tasks, orders[0].home, signal);
      await outbox.send(intents, signal);
      // A person may have taken one off the list meanwhile, also once it was accepted.
      const sent = intents.flatMap(({ id }) => board.all.get(id) ?? []);
      if (sent.length === 0) throw new AppFailure(fileReplaced);
      return sent;
    },
    async picture(task, signal) {
      const bytes = await parts.picture(task, signal);
      if (bytes === undefined) return undefined;
      const body = await board.readBody(task.intent.id).catch(() => undefined);
      const isFromImages = body === undefined || Object.keys(readSentBody(body).inputAssets).length > 0;
      return { bytes, isFromImages };
    },
    async save({ intent }, path) {
      const source = await parts.saveResult(intent.id);
      const target = `${path}${extname(source)}`;
      const file = pathToFileURL(target).href;
      if ((await parts.place(source, file, { replaces: false })) !== "placed") return undefined;
      // As for a person's own copy, a file at the task's own destination stays the one that counts.
      if (intent.destination === undefined) {
        const placement = { state: "placed", file, at: clock.now() } as const;
        await board.applyThenWrite({ type: "task-placing", id: intent.id, placement });
      }
      return target;
    },
    moneyOf: moneyForModel,
    fetchProblemOf: parts.fetchProblemOf,
    referenceLimit,
    isImage: ({ name, bytes }) => typeof imageReference(name, bytes, referenceLimit()) !== "string",
    isReserved: (path) => [...board.all.values()].some((task) => !isPathFree(task) && destinationOf(task) === path),
    get(id) {
      const task = board.all.get(id);
      return task && isOfGateway(task) ? task : undefined;
    },
    ordered: (orderedAs) =>
      [...board.all.values()]
        .filter(({ intent }) => intent.orderedAs === orderedAs)
        .map((task) => ({ task, isDone: isDone(task) })),
    async knowsAll() {
      await board.loaded();
      return board.isWhole;
    },
    untilEnded: (id, milliseconds, signal) => untilDone({ board, clock, isDone }, { id, milliseconds, signal }),
    list: () => [...board.all.values()].filter(isOfGateway),
    cancel,
  };
}

/** Whether nothing will be written to its destination any more. */
function isPathFree(task: Task): boolean {
  return hasSucceeded(task) ? task.submission.placement?.state === "placed" : isOver(task);
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

async function untilDone(
  { board, clock, isDone }: Pick<TaskPortParts, "board" | "clock"> & { readonly isDone: (task: Task) => boolean },
  { id, milliseconds, signal }: Wait,
): Promise<Task | undefined> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const isNowDone = (): boolean => {
    const task = board.all.get(id);
    return task === undefined || isDone(task);
  };
  const registration = board.onDidChange((ids) => {
    if (ids.has(id) && isNowDone()) ended.abort();
  });
  try {
    if (!isNowDone()) await clock.delay(milliseconds, AbortSignal.any([signal, ended.signal]));
  } catch {
    if (signal.aborted) throw abortReason(signal);
  } finally {
    registration.dispose();
  }
  return board.all.get(id);
}

const fileReplaced = { kind: "storage", message: "The task is in no file any more." } as const;
