/** Takes failed tasks out of *Needs attention* in every window, once the person has looked at them. */
import { isAccepted } from "../../domain/task/phase";
import type { TaskBoard } from "../board/board";
import { needsAttention } from "./taskGroups";

/** All in one write. Of other tasks nothing is noted: they need a decision, not a look. Resolves with how many were noted; never rejects. */
export async function markSeen(
  board: Pick<TaskBoard, "tasks" | "applyThenWrite">,
  ids: Iterable<string>,
  at: number,
): Promise<number> {
  const writes: Promise<void>[] = [];
  for (const id of ids) {
    const task = board.tasks.get(id);
    if (!isAccepted(task) || !needsAttention(task)) continue;
    writes.push(board.applyThenWrite({ type: "task-seen", id, at }));
  }
  await Promise.all(writes);
  return writes.length;
}
