/** Which window is sending a task: each that sends holds a mark, by which the others see whether it lives. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileLock } from "../../base/database/fileLock";
import type { TaskRecord } from "../../domain/task/taskRecord";
import type { SenderState, StoredTask } from "./taskStore";

export class WindowMark {
  readonly #taskFile: string;
  readonly #id = randomUUID();
  #mark: FileLock | undefined;

  constructor(taskFile: string) {
    this.#taskFile = taskFile;
  }

  /** The name under which these records are written; `undefined` when none of them begins an attempt, or there can be no mark. */
  nameFor(records: readonly TaskRecord[]): string | undefined {
    if (!records.some(beginsAttempt)) return undefined;
    try {
      this.#mark ??= FileLock.take(markFile(this.#taskFile, this.#id));
      return this.#mark && this.#id;
    } catch {
      return undefined;
    }
  }

  release(): void {
    if (this.#mark === undefined) return;
    this.#mark.release();
    this.#mark = undefined;
    removeMark(markFile(this.#taskFile, this.#id));
  }
}

/** Its request is about to be sent, by the window that writes this. */
export function beginsAttempt({ type }: TaskRecord): boolean {
  return type === "task-intended" || type === "task-waiting" || type === "task-sending";
}

export function senderStateOf(taskFile: string, sender: string | undefined): SenderState {
  if (sender === undefined) return "unmarked";
  const file = markFile(taskFile, sender);
  if (FileLock.isHeld(file)) return "live";
  removeMark(file);
  return "ended";
}

/** The rows of a snapshot, with those attempts marked that a window is making at this moment. */
export function withAttempts(taskFile: string, rows: readonly StoredTask[]): readonly StoredTask[] {
  const states = new Map<string, SenderState>();
  return rows.map((row) => {
    const { sender } = row;
    if (sender === undefined) return row;
    let state = states.get(sender);
    if (state === undefined) states.set(sender, (state = senderStateOf(taskFile, sender)));
    return state === "live" ? { ...row, isUnderWay: true } : row;
  });
}

function markFile(taskFile: string, window: string): string {
  return join(dirname(taskFile), "windows", window);
}

/** The name is never used again, so a file that can't be removed does no harm. */
function removeMark(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another process is looking at it; on Windows it can't be removed meanwhile.
  }
}
