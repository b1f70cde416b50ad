/** Writes tasks in given states into the database of an open window, as another window would. */
import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import type { AppError } from "../../src/domain/errors/appError";
import type { CancelProgress, RemoteTask, TaskHome, TaskIntent } from "../../src/domain/task/task";
import type { TaskBoard } from "../../src/tasks/board/board";
import { makeCreated, makeIntent, makeRemote, savedFacts } from "./builders";
import { openBoard } from "./taskBoards";
import type { VsCodeWindow } from "./window";

export function openBoardOf({ server }: VsCodeWindow): Promise<TaskBoard> {
  return openBoard(path.join(server.dataDir, "data", "User", "globalStorage", "sluice.sluice", "tasks.db"));
}

export function homeOf(baseUrl: string, key: string): TaskHome {
  const account = createHash("sha256").update(`sluice account ${key}`).digest("hex").slice(0, 16);
  return { origin: new URL(baseUrl).origin, baseUrl, account };
}

export interface PlacedTask {
  readonly intent: Partial<TaskIntent> & { readonly prompt: string };
  /** `task_id` of the gateway; by default a new one. */
  readonly taskId?: string;
  readonly remote?: Partial<RemoteTask>;
  readonly cancel?: CancelProgress;
  readonly outcome?: { readonly type: "task-outcome-unknown" | "task-not-accepted"; readonly error: AppError };
  readonly savedAs?: string;
}

/** Resolves with the intent's id. */
export async function placeTask(board: TaskBoard, placed: PlacedTask): Promise<string> {
  const { remote = {}, cancel, outcome, savedAs } = placed;
  const id = randomUUID();
  const intent = makeIntent({ id, createdAt: Date.now(), ...placed.intent });
  const at = intent.createdAt;
  const taskId = placed.taskId ?? `task-${id.slice(0, 8)}`;
  await board.writeThenApply({ type: "task-intended", intent });
  await board.writeThenApply({ type: "task-sending", id, at });
  if (outcome) {
    await board.writeThenApply({ id, at, ...outcome });
    return id;
  }
  const created = makeCreated({ taskId, holdId: `hold-${id.slice(0, 8)}`, remote: makeRemote() });
  await board.writeThenApply({ type: "task-accepted", id, at, created });
  if (cancel) await board.writeThenApply({ type: "task-cancel", id, cancel });
  await board.writeThenApply({ type: "task-read", id, at, remote: makeRemote(remote) });
  if (savedAs !== undefined)
    await board.writeThenApply({ type: "task-saved", id, at, path: savedAs, saved: savedFacts });
  return id;
}
