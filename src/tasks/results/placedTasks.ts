/** The files of a project that results were placed as, and what else was made with them. Pure. */
import type { ExactFile } from "../../domain/task/exactFiles";
import { acceptedOf } from "../../domain/task/phase";
import type { ProjectCopy, Task } from "../../domain/task/task";
import { mediaOf } from "../../domain/task/taskTypes";
import { hasResult } from "./resultFile";

/** A file of a project, and the task whose result it is. */
export interface PlacedFile extends ProjectCopy {
  readonly task: Task;
}

/** The file that was placed last at each URI; also those that a person has had forgotten. */
export function placedFiles(tasks: Iterable<Task>): ReadonlyMap<string, PlacedFile> {
  const placed = new Map<string, PlacedFile>();
  for (const task of tasks) {
    const { placement, copies = [] } = acceptedOf(task) ?? {};
    for (const file of placement?.state === "placed" ? [placement, ...copies] : copies) {
      const before = placed.get(file.file);
      if (before === undefined || before.at <= file.at) placed.set(file.file, { task, ...file });
    }
  }
  return placed;
}

/**
 * The time to note for what is placed as the file now, in milliseconds since 1970. It is later than that of each placing before, also where the clock
 * was set back since: the last one has the file, and its line in `sluice.lock`.
 */
export function timeOfPlacing(tasks: Iterable<Task>, file: string, now: number): number {
  const before = placedFiles(tasks).get(file)?.at ?? now;
  return before > now ? before + 1 : now;
}

/** The task whose result, or a picture that was made of it, was placed last at each URI. */
export function placedTasks(tasks: Iterable<Task>): ReadonlyMap<string, Task> {
  return new Map(
    [...placedFiles(tasks)].flatMap(([file, { task, isForgotten }]) =>
      isForgotten === true ? [] : [[file, task] as const],
    ),
  );
}

/**
 * What the file at this URI is made as, of whichever result is placed there: as `task` asked for it, else as another one did, the last of `tasks`
 * first. `undefined` where it is the result itself.
 */
export function exactFileAt(file: string, task: Task | undefined, tasks: Iterable<Task>): ExactFile | undefined {
  const exactOf = (one: Task | undefined): ExactFile | undefined =>
    one?.intent.destination?.exact?.find((exact) => exact.file === file);
  return exactOf(task) ?? exactOf([...tasks].findLast((one) => exactOf(one) !== undefined));
}

/** Steps from a task to what it was made from: a stored list could have a circle. */
const maxSteps = 50;

/**
 * Other results of the same kind of media, from its batch or made from the same first task: those with the same prompt first, and of these the last
 * of `tasks` first.
 */
export function otherVariants(of: Task, tasks: ReadonlyMap<string, Task>): readonly Task[] {
  const origin = originOf(of, tasks);
  const isRelated = (task: Task): boolean =>
    (task.intent.batch !== undefined && task.intent.batch === of.intent.batch) || originOf(task, tasks) === origin;
  const others = [...tasks.values()].filter(
    (task) =>
      task.intent.id !== of.intent.id &&
      hasResult(task) &&
      mediaOf(task.intent.type) === mediaOf(of.intent.type) &&
      isRelated(task),
  );
  const isOther = ({ intent }: Task): number => Number(intent.prompt !== of.intent.prompt);
  return others.reverse().sort((one, other) => isOther(one) - isOther(other));
}

function originOf({ intent }: Task, tasks: ReadonlyMap<string, Task>): string {
  let { id, duplicatedFrom } = intent;
  for (let step = 0; duplicatedFrom !== undefined && step < maxSteps; step += 1) {
    id = duplicatedFrom;
    duplicatedFrom = tasks.get(id)?.intent.duplicatedFrom;
  }
  return id;
}
