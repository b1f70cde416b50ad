/**
 * Runs *Clear Finished* and its undo: takes ended tasks off the list in one write, and remembers which. They stay on disk, their money counts, and
 * results that are still to come are fetched. Failed tasks that were looked at are marked as seen.
 */
import { hasSucceeded, isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { plural } from "../../domain/words/plural";
import type { TaskBoard } from "../board/board";
import { resultFile } from "../results/resultFile";
import { isFinished, needsAttention } from "./taskGroups";

/** The ids of the tasks that were cleared last, on this machine. */
interface ClearedMemory {
  read(): readonly string[];
  write(ids: readonly string[]): void;
}

interface ClearOptions {
  readonly board: Pick<TaskBoard, "listed" | "applyThenWrite" | "readOtherWindows">;
  readonly memory: ClearedMemory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Resolves with what was cleared. What runs or needs attention stays. Never rejects. */
export async function clearTasks(
  { board, memory, now }: ClearOptions,
  ids: Iterable<string>,
): Promise<readonly Task[]> {
  await board.readOtherWindows();
  const cleared = [...ids].flatMap((id) => board.listed.get(id) ?? []).filter(isFinished);
  if (cleared.length === 0) return [];
  memory.write(cleared.map(({ intent }) => intent.id));
  const at = now();
  await Promise.all(cleared.map(({ intent: { id } }) => board.applyThenWrite({ type: "task-removed", id, at })));
  return cleared;
}

/** The words for what was taken off the list, and where its results are. `awaits`: the result is still to be fetched without a click. */
export function clearedWords(tasks: readonly Task[], awaits: (task: Task) => boolean): string {
  const successes = tasks.filter(hasSucceeded);
  const here = successes.filter((task) => resultFile(task) !== undefined).length;
  const awaited = successes.filter((task) => resultFile(task) === undefined && awaits(task)).length;
  const missing = successes.length - here - awaited;
  const results: readonly [number, string][] = [
    [here, plural(here, { one: "1 result stays on disk.", other: "{0} results stay on disk." })],
    [
      awaited,
      plural(awaited, {
        one: "1 result is not here yet and is still fetched.",
        other: "{0} results are not here yet and are still fetched.",
      }),
    ],
    [
      missing,
      plural(missing, {
        one: "1 result is not on this machine: Undo, then Open Result, fetches it.",
        other: "{0} results are not on this machine: Undo, then Open Result, fetches them.",
      }),
    ],
  ];
  return [
    plural(tasks.length, {
      one: "1 finished task was taken off the list.",
      other: "{0} finished tasks were taken off the list.",
    }),
    ...results.flatMap(([count, sentence]) => (count > 0 ? [sentence] : [])),
  ].join(" ");
}

/** Puts tasks back on the list, without `wanted` those that were cleared last. Resolves with how many are on the list again. Never rejects. */
export async function restoreTasks(
  { board, memory, now }: ClearOptions,
  wanted: readonly string[] = memory.read(),
): Promise<number> {
  const ids = wanted.filter((id) => !board.listed.has(id));
  memory.write(memory.read().filter((id) => !wanted.includes(id)));
  const at = now();
  await Promise.all(ids.map((id) => board.applyThenWrite({ type: "task-restored", id, at })));
  return ids.filter((id) => board.listed.has(id)).length;
}

// Takes failed tasks out of *Needs attention* in every window, once the person has looked at them.

/**
 * Marks failed tasks as seen, all in one write. Other tasks are left out: they need a decision, not a look. Resolves with how many were marked; never
 * rejects.
 */
export async function markSeen(
  board: Pick<TaskBoard, "listed" | "applyThenWrite">,
  ids: Iterable<string>,
  at: number,
): Promise<number> {
  const writes: Promise<void>[] = [];
  for (const id of ids) {
    const task = board.listed.get(id);
    if (!isAccepted(task) || !needsAttention(task)) continue;
    writes.push(board.applyThenWrite({ type: "task-seen", id, at }));
  }
  await Promise.all(writes);
  return writes.length;
}
