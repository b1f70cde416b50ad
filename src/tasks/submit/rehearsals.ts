/**
 * Makes rehearsals real: the same tasks once more, on the gateway in use, each in the place of its placeholder and under ids that a second yes finds
 * again.
 */
import { createHash } from "node:crypto";
import { definedFields } from "../../base/definedFields";
import { AppFailure } from "../../domain/errors/appError";
import { acceptedOf, hasSucceeded, isOver, isRefused } from "../../domain/task/phase";
import { isTaskType, type Task, type TaskHome, type TaskIntent, type TaskOrder } from "../../domain/task/task";
import { withoutEnding } from "../../domain/task/taskTypes";
import type { TaskBoard } from "../board/board";
import { bodyMissing } from "./outbox";
import { readSentBody } from "./requestBody";

/** The task that makes a rehearsal real. */
export interface RealTask {
  readonly order: TaskOrder;
  readonly ids: Pick<TaskIntent, "id" | "idempotencyKey">;
}

/**
 * The rehearsals that can be made real: those among `chosen` or, where only one is chosen, those of its whole batch without what a person took off
 * the list. A rehearsal is left out if a task that makes it real runs, may exist or has succeeded. One whose task was refused by the gateway is
 * included.
 */
export function rehearsalsToMake(board: Pick<TaskBoard, "all" | "listed">, chosen: readonly Task[]): readonly Task[] {
  const [first] = chosen;
  const batch = chosen.length === 1 ? first?.intent.batch : undefined;
  // Where the list was cleared before, the chosen task is off it too, so the whole batch counts.
  const { all, listed } = board;
  const among = first !== undefined && listed.has(first.intent.id) ? listed : all;
  const meant =
    batch === undefined ? [...new Set(chosen)] : [...among.values()].filter(({ intent }) => intent.batch === batch);
  const made = realTasks(board);
  return meant.filter(
    (task) =>
      task.intent.isRehearsal === true &&
      hasSucceeded(task) &&
      isTaskType(task.intent.type) &&
      (made.get(task.intent.id) ?? []).every((real) => isOver(real) && !hasSucceeded(real)),
  );
}

/** The tasks that make rehearsals real, by the id of the rehearsal. */
function realTasks({ all }: Pick<TaskBoard, "all">): ReadonlyMap<string, readonly Task[]> {
  const made = new Map<string, Task[]>();
  for (const task of all.values()) {
    const { makesReal } = task.intent;
    if (makesReal !== undefined) made.set(makesReal, [...(made.get(makesReal) ?? []), task]);
  }
  return made;
}

/**
 * The order and the ids of the task that makes a rehearsal real. Two windows whose persons say yes at the same moment make the same ids, of which one
 * is written and sent. Rejects where the request of the rehearsal is not on this machine: without its options and references another picture would be
 * paid.
 */
export async function realTask(
  board: Pick<TaskBoard, "all" | "readBody">,
  rehearsal: Task,
  home: TaskHome,
): Promise<RealTask | undefined> {
  const { id, type, model, prompt, variant, promptSource, duplicatedFrom } = rehearsal.intent;
  if (!isTaskType(type)) return undefined;
  const body = await board.readBody(id);
  if (body === undefined) throw new AppFailure({ ...bodyMissing, notSent: true });
  const { inputAssets, metadata } = readSentBody(body);
  // A refused task has made nothing and does not count: it is sent again under its own ids.
  const attempt = (realTasks(board).get(id) ?? []).filter((real) => !isRefused(real)).length;
  const made = (name: string): string => uuidOf([name, id, home.origin, home.account, String(attempt)].join("\0"));
  return {
    order: {
      type,
      model,
      prompt,
      makesReal: id,
      ...definedFields({
        variant,
        destination: destinationOf(rehearsal),
        promptSource,
        duplicatedFrom,
        inputAssets: jsonOf(inputAssets),
        metadata: jsonOf(metadata),
      }),
    },
    ids: { id: made("task"), idempotencyKey: made("key") },
  };
}

/** The destination where the placeholder is: the person may have put it somewhere else than it was meant for. */
function destinationOf(rehearsal: Task): TaskIntent["destination"] {
  const { destination } = rehearsal.intent;
  const placement = acceptedOf(rehearsal)?.placement;
  if (placement?.state !== "placed" || destination?.exact !== undefined) return destination;
  if (destination !== undefined && withoutEnding(destination.file) === withoutEnding(placement.file))
    return destination;
  return { ...destination, file: placement.file };
}

function jsonOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields);
}

/** Hashes a text to the form of a UUID. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
