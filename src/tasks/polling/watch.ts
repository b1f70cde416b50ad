/**
 * Tasks that were submitted elsewhere (T14): from the console, from curl, by a colleague. They get rows that are read, fetched and cancelled like
 * one's own.
 */
import { createHash } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type AppError, toAppError } from "../../domain/errors/appError";
import type { Connections, ReadyConnection } from "../../domain/ports";
import { acceptedOf } from "../../domain/task/phase";
import type { RemoteTask, Task, TaskHome, TaskIntent } from "../../domain/task/task";
import { assetKindOf } from "../../domain/task/resultAssets";
import { typeThatMakes } from "../../domain/task/taskTypes";
import type { TaskBoard } from "../board/board";

export interface WatchOptions {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
}

export type WatchOutcome =
  /** `id` is the intent's; `known`: it had a row already. */
  | { readonly taskId: string; readonly state: "watched" | "known"; readonly id: string }
  | { readonly taskId: string; readonly state: "failed"; readonly error: AppError };

/** Ids that are taken at once. */
const maxWatched = 50;
/** Milliseconds between two reads: four a second at most. */
const readGap = 250;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The ids in a pasted text: a list, or addresses that end with one. An input box joins lines, so UUIDs need nothing between them. */
export function readTaskIds(text: string): readonly string[] {
  const uuids = text.match(uuid) ?? [];
  const words = uuids.length > 0 ? uuids : text.split(/[\s,;]+/).map(idInWord);
  return [...new Set(words.filter(isTaskId))].slice(0, maxWatched);
}

/** Whether a text may be an id of a gateway: it holds nothing that changes the path of an address. */
function isTaskId(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && !/^\.+$/.test(text);
}

function idInWord(word: string): string {
  const bare = word.replace(/^["'`<([]+/, "").replace(/(?<!["'`>)\].])["'`>)\].]+$/, "");
  if (!URL.canParse(bare) || !/^https?:/i.test(bare)) return bare;
  const parts = new URL(bare).pathname.split("/").filter((part) => !/^(?:|events|cancel)$/.test(part));
  return parts.at(-1) ?? "";
}

/**
 * Reads each task once and makes a row of it. A task that is unknown to the gateway makes none. Rejects with a
 * `AppFailure` when there is no gateway to ask.
 */
export async function watchTasks(
  options: WatchOptions,
  taskIds: readonly string[],
  signal?: AbortSignal,
): Promise<readonly WatchOutcome[]> {
  const { connections, clock } = options;
  const { home } = await connections.ready();
  // A gateway that is found by its home keeps to the account's budget.
  const gateway = await connections.find(home);
  const outcomes: WatchOutcome[] = [];
  for (const [index, taskId] of taskIds.entries()) {
    try {
      if (index > 0) await clock.delay(readGap, signal);
      outcomes.push(await watchTask(options, { home, gateway }, taskId, signal));
    } catch (failure) {
      if (isAbort(failure)) break;
      outcomes.push({ taskId, state: "failed", error: toAppError(failure) });
    }
  }
  return outcomes;
}

async function watchTask(
  options: WatchOptions,
  { home, gateway }: Pick<ReadyConnection, "home" | "gateway">,
  taskId: string,
  signal?: AbortSignal,
): Promise<WatchOutcome> {
  const { board, clock } = options;
  signal?.throwIfAborted();
  const known = await knownRow(options, home, taskId);
  if (known !== undefined && board.listed.has(known)) return { taskId, state: "known", id: known };
  const id =
    known ?? (await makeRow({ board, clock }, home, { taskId, remote: await gateway.getTask(taskId, signal) }));
  // Its row may have been taken off the list before.
  if (!board.listed.has(id)) await board.writeThenApply({ type: "task-restored", id, at: clock.now() });
  return { taskId, state: "watched", id };
}

/** Makes the row of a task. Resolves with its id, which is the same in each window: two windows that watch a task at once make one row. */
async function makeRow(
  { board, clock }: Pick<WatchOptions, "board" | "clock">,
  home: TaskHome,
  { taskId, remote }: { readonly taskId: string; readonly remote: RemoteTask },
): Promise<string> {
  const at = clock.now();
  const intent: TaskIntent = {
    id: idOf(home, taskId),
    idempotencyKey: "",
    home,
    type: typeOf(remote),
    model: remote.model ?? "",
    prompt: "",
    createdAt: Math.min(remote.createdAt ?? at, at),
    isWatched: true,
  };
  // The row is written with one record: a window that is killed between two would leave a row that looks like a task which was never sent.
  const task: Task = { intent, submission: { state: "accepted", at, checkedAt: at, taskId, remote } };
  await board.writeThenApply({ type: "task-recovered", task });
  return intent.id;
}

/** The row of a task of this account, also one whose account was another before the person joined the two (C2). */
async function knownRow(
  { board, connections }: WatchOptions,
  home: TaskHome,
  taskId: string,
): Promise<string | undefined> {
  for (const [id, task] of board.all) {
    const { home: own } = task.intent;
    if (acceptedOf(task)?.taskId !== taskId || own.origin !== home.origin) continue;
    if (own.account === home.account || (await isInReach(connections, own))) return id;
  }
  return undefined;
}

/** Whether the key that is set is of the account of this home. */
async function isInReach(connections: Connections, home: TaskHome): Promise<boolean> {
  return connections.find(home).then(
    () => true,
    () => false,
  );
}

function idOf({ origin, account }: TaskHome, taskId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([origin, account, taskId]))
    .digest("hex");
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join("-");
}

/** Reads give the type as a number; where one does not, the kind of the result decides. Empty where neither is known. */
function typeOf({ type, assets }: RemoteTask): string {
  if (type !== undefined) return type;
  const kind = assetKindOf(assets);
  return (kind && typeThatMakes(kind)) ?? "";
}
