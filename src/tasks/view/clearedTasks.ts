/** *Clear Finished* and its undo: takes ended tasks off the list in one write, and remembers which. The disk keeps them. */
import type { TaskBoard } from "../board/board";
import { isFinished } from "./taskGroups";

/** What was cleared last, on this machine. */
export interface ClearedMemory {
  read(): readonly string[];
  write(ids: readonly string[]): void;
}

export interface ClearPorts {
  readonly board: Pick<TaskBoard, "tasks" | "applyThenWrite" | "readOtherWindows">;
  readonly memory: ClearedMemory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Resolves with how many were cleared. What runs or needs attention stays. Never rejects. */
export async function clearTasks({ board, memory, now }: ClearPorts, ids: Iterable<string>): Promise<number> {
  await board.readOtherWindows();
  const cleared = [...ids].filter((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && isFinished(task);
  });
  if (cleared.length === 0) return 0;
  memory.write(cleared);
  const at = now();
  await Promise.all(cleared.map((id) => board.applyThenWrite({ type: "task-removed", id, at })));
  return cleared.length;
}

/** Resolves with how many are on the list again. Never rejects. */
export async function restoreTasks({ board, memory, now }: ClearPorts): Promise<number> {
  const ids = memory.read().filter((id) => !board.tasks.has(id));
  memory.write([]);
  const at = now();
  await Promise.all(ids.map((id) => board.applyThenWrite({ type: "task-restored", id, at })));
  return ids.filter((id) => board.tasks.has(id)).length;
}
