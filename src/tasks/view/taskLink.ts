/** `vscode://sluice.sluice/task?id=…`: shows a task in the tree (V4). A link can come from anywhere, so it never acts and never submits. */
import { t } from "@vscode/l10n";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";

export interface TaskLinkOptions {
  readonly board: Pick<TaskBoard, "all" | "loaded">;
  /** Selects the row of a task; the argument is the intent's id. */
  readonly reveal: (id: string) => Promise<void>;
  /** Opens the page of a task. */
  readonly openPage: (id: string) => Promise<void>;
  /** Shows one message. */
  readonly notify: (message: string) => void;
}

export interface Link {
  readonly path: string;
  /** The query without the question mark, decoded or not. */
  readonly query: string;
}

/** Anything but the link of a task is ignored: a notification for whatever a web page opens could be used to annoy. */
export async function openTaskLink({ board, reveal, openPage, notify }: TaskLinkOptions, link: Link): Promise<void> {
  const wanted = readTaskLink(link);
  if (wanted === undefined) return;
  await board.loaded();
  const id = findTaskId(board.all, wanted);
  if (id === undefined) {
    notify(t("No task with this id is known on this machine. Nothing was sent."));
    return;
  }
  await reveal(id);
  await openPage(id);
}

/** An id as the gateway or Sluice writes one; `undefined` for any other link. */
export function readTaskLink({ path, query }: Link): string | undefined {
  if (path !== "/task") return undefined;
  const ids = new URLSearchParams(query).getAll("id");
  const [id = ""] = ids;
  return ids.length === 1 && /^[\w.:@+-]{1,200}$/.test(id) ? id : undefined;
}

/** The intent's id of the task that has this id, or has it at the gateway; of several tasks with the same one, the newest. */
export function findTaskId(tasks: ReadonlyMap<string, Task>, wanted: string): string | undefined {
  if (tasks.has(wanted)) return wanted;
  let found: string | undefined;
  for (const [id, task] of tasks) if (acceptedOf(task)?.taskId === wanted) found = id;
  return found;
}
