/** The picture of a task for a model that takes images: the result, or the thumbnail of a video, from the results folder. */
import { readFile, stat } from "node:fs/promises";
import { abortable } from "../../base/async/abort";
import { scalableSizeCap } from "../../domain/chat/imageTypes";
import { type Environment, maxUnaskedBytes } from "../../domain/environment";
import { hasSucceeded } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { mediaOf } from "../../domain/task/taskTypes";
import type { TaskBoard } from "../board/board";
import { isResultFile, resultFile } from "./resultFile";

interface PictureOptions extends Pick<Environment, "settings"> {
  readonly board: TaskBoard;
  /** The results folder. */
  readonly folder: string;
  readonly fetch: (id: string, limit: number) => Promise<unknown>;
}

/** Resolves with its bytes; `undefined` where it is not on this machine. Rejects only with an abort. */
export function pictureOf({
  board,
  folder,
  settings,
  fetch,
}: PictureOptions): (task: Task, signal: AbortSignal) => Promise<Uint8Array | undefined> {
  return async ({ intent: { id } }, signal) => {
    const before = board.all.get(id);
    const saved = before && resultFile(before);
    // A result is on record before its thumbnail is fetched: then this waits for the thumbnail too. A result that was removed is not fetched again.
    const isWaitedFor =
      saved === undefined || (pathOf(before) === undefined && (await isResultFile(folder, saved.path)));
    if (before && hasSucceeded(before) && isWaitedFor && maxUnaskedBytes(settings) > 0) {
      // The reason why it can't be fetched is stored with the task.
      await abortable(
        fetch(id, maxUnaskedBytes(settings)).catch(() => undefined),
        signal,
      );
    }
    const path = pathOf(board.all.get(id));
    if (path === undefined || !(await isResultFile(folder, path))) return undefined;
    // Another program may remove it at any time.
    const file = await stat(path).catch(() => undefined);
    return file && file.size <= scalableSizeCap ? readFile(path).catch(() => undefined) : undefined;
  };
}

function pathOf(task: Task | undefined): string | undefined {
  const file = task && resultFile(task);
  return task && mediaOf(task.intent.type) === "image" ? file?.path : file?.thumbnail;
}
