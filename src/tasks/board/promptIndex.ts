/** The tasks that were made from a text. Pure but for the board's events. */
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "./board";

/** Marks of lists and quotations before a text. */
export const listMarks = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)+/;

/** Prompts that `isIn` looks for: it decides about the entry of a menu, which is not worth more time. */
const maxLookedFor = 100;

/** Prompts with the same key are the same text: blanks, line breaks and the marks before a list item don't count. */
export function promptKey(text: string): string {
  return text.replace(listMarks, "").replaceAll(/\s+/g, " ").trim();
}

/** Task ids by the text of their prompt. Built with the first use, then kept with each change of the board. */
export class PromptIndex implements Disposable {
  readonly #board: Pick<TaskBoard, "listed" | "onDidChange">;
  readonly #includes: (task: Task) => boolean;
  readonly #registrations = new DisposableStore();
  readonly #ids = new Map<string, Set<string>>();
  readonly #keys = new Map<string, string>();
  #isBuilt = false;

  /** `includes`: only these tasks, for example the running ones. */
  constructor(board: Pick<TaskBoard, "listed" | "onDidChange">, includes: (task: Task) => boolean = () => true) {
    this.#board = board;
    this.#includes = includes;
    this.#registrations.add(
      board.onDidChange((ids) => {
        if (this.#isBuilt) for (const id of ids) this.#update(id);
      }),
    );
  }

  /** Tasks in the index. */
  get size(): number {
    this.#build();
    return this.#keys.size;
  }

  /** The ids of the tasks with this prompt, oldest first. */
  idsOf(text: string): readonly string[] {
    this.#build();
    return [...(this.#ids.get(promptKey(text)) ?? [])];
  }

  /** Whether one of the prompts occurs in the text; of very many prompts only the first are looked for. */
  isIn(text: string): boolean {
    if (this.size === 0) return false;
    const plain = text.replaceAll(/\s+/g, " ");
    let left = maxLookedFor;
    for (const key of this.#ids.keys()) {
      if (left === 0) return false;
      left -= 1;
      if (plain.includes(key)) return true;
    }
    return false;
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #build(): void {
    if (this.#isBuilt) return;
    this.#isBuilt = true;
    for (const id of this.#board.listed.keys()) this.#update(id);
  }

  #update(id: string): void {
    const task = this.#board.listed.get(id);
    const known = this.#keys.get(id);
    // The prompt of a task never changes.
    if (task && known !== undefined && this.#includes(task)) return;
    if (known !== undefined) this.#remove(id, known);
    if (!task || !this.#includes(task)) return;
    const key = promptKey(task.intent.prompt);
    if (key === "") return;
    this.#keys.set(id, key);
    const ids = this.#ids.get(key);
    if (ids) ids.add(id);
    else this.#ids.set(key, new Set([id]));
  }

  #remove(id: string, key: string): void {
    this.#keys.delete(id);
    const ids = this.#ids.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#ids.delete(key);
  }
}
