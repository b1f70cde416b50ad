/** What the file of tasks holds beside the rows that are shown: rows that can't be read, and that it took the place of a damaged one. For the board. */
import { isDeepStrictEqual } from "node:util";
import { definedFields } from "../../base/definedFields";
import { Store } from "../../base/store";
import type { ReplacedTaskFile } from "../../domain/words/describeStorage";
import type { StoredRows, TaskSnapshot } from "../store/taskStore";

export interface TaskFileState {
  /** Rows, and lines of an imported journal, that this version could not read; they stay where they are. */
  readonly unreadable: number;
  /** Rows that were not read yet: older ones follow the newest, and a page of them may have failed. */
  readonly unread: number;
  /** The file was damaged, and this window has replaced it. */
  readonly replaced?: ReplacedTaskFile;
}

export class TaskFileNotes {
  readonly state = new Store<TaskFileState>({ unreadable: 0, unread: 0 });
  /** Row numbers: pages overlap. */
  readonly #unreadable = new Set<number>();

  /** A file that was opened now. */
  begin({ tasks, unreadable, total, replacedFile }: TaskSnapshot): void {
    this.#unreadable.clear();
    const unread = total - tasks.length - unreadable.length;
    this.#add(unreadable, { unread, ...definedFields({ replaced: replacedFile }) });
  }

  /** More rows of the same file. */
  add({ tasks, unreadable }: StoredRows): void {
    for (const { number } of tasks) this.#unreadable.delete(number);
    this.#add(unreadable, this.state.current);
  }

  /** Every row of it was read. */
  complete(): void {
    this.#add([], { ...this.state.current, unread: 0 });
  }

  #add(numbers: readonly number[], others: Omit<TaskFileState, "unreadable">): void {
    for (const number of numbers) this.#unreadable.add(number);
    const next = { ...others, unreadable: this.#unreadable.size };
    if (!isDeepStrictEqual(next, this.state.current)) this.state.set(next);
  }
}
