/** Pictures among the results of a fake window, as if they had been made and fetched earlier. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { TaskIntent } from "../../../src/domain/task/task";
import { placeTask } from "../placedTasks";
import { pngOf } from "../testImages";
import type { OpenedWindow } from "./openWindow";

export interface PlacedResult {
  /** The name of the file in the results folder. */
  readonly name: string;
  readonly prompt: string;
  readonly bytes?: Uint8Array;
  /** The path in the folder of the window where it was saved, too. */
  readonly savedInto?: string;
  readonly intent?: Partial<TaskIntent>;
}

/** Resolves with the task's id. */
export async function placeResult({ inside, window, folder }: OpenedWindow, placed: PlacedResult): Promise<string> {
  const { name, prompt, bytes = await pngOf(320, 200), savedInto, intent = {} } = placed;
  const results = path.join(inside.storage, "results");
  await mkdir(results, { recursive: true, mode: 0o700 });
  const savedAs = path.join(results, name);
  await writeFile(savedAs, bytes);
  const { board } = inside.app;
  const at = window.clock.now();
  const id = await placeTask(board, {
    intent: { prompt, type: "async-image", createdAt: at, ...intent },
    remote: { state: "succeeded", rawStatus: "4", completedAt: at },
    savedAs,
  });
  if (savedInto === undefined) return id;
  const file = path.join(folder, savedInto);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  const placement = { state: "placed", file: window.uri(savedInto).toString(), at } as const;
  await board.applyThenWrite({ type: "task-placing", id, placement });
  return id;
}
