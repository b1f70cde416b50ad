/** Which window is sending a task: each that sends holds a mark, by which the others see whether it lives. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { isMarkHeld, ProcessMark } from "../../base/database/processMark";
import type { TaskRecord } from "../../domain/task/taskRecord";
import type { SenderState, StoredTask } from "./taskStore";

export class WindowMark {
  readonly #taskFile: string;
  readonly #id = randomUUID();
  #mark: ProcessMark | undefined;

  constructor(taskFile: string) {
    this.#taskFile = taskFile;
  }

  /** The name under which these records are written; `undefined` when none of them begins an attempt, or there can be no mark. */
  nameFor(records: readonly TaskRecord[]): string | undefined {
    if (!records.some(beginsAttempt)) return undefined;
    try {
      this.#mark ??= ProcessMark.hold(markFile(this.#taskFile, this.#id));
      return this.#id;
    } catch {
      return undefined;
    }
  }

  release(): void {
    this.#mark?.release();
    this.#mark = undefined;
  }
}

/** Its request is about to be sent, by the window that writes this. */
export function beginsAttempt({ type }: TaskRecord): boolean {
  return type === "task-intended" || type === "task-waiting" || type === "task-sending";
}

export function senderStateOf(taskFile: string, sender: string | undefined): SenderState {
  if (sender === undefined) return "unmarked";
  return isMarkHeld(markFile(taskFile, sender)) ? "live" : "ended";
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
