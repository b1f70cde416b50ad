/** What the file of tasks holds beside the rows that are shown: rows that can't be read, and that it took the place of a damaged one. For the board. */
import { definedFields } from "../../base/definedFields";
import { Store } from "../../base/store";
import type { ReplacedTaskFile } from "../../domain/words/describeStorage";
import type { StoredPage, TaskSnapshot } from "../store/taskStore";

export interface TaskFileState {
  /** Rows, and lines of an imported journal, that this version could not read; they stay where they are. */
  readonly unreadable: number;
  /** The file was damaged, and this window has replaced it. */
  readonly replaced?: ReplacedTaskFile;
}

export class TaskFileNotes {
  readonly state = new Store<TaskFileState>({ unreadable: 0 });
  /** Row numbers: pages overlap. */
  readonly #unreadable = new Set<number>();
  #lines = 0;

  /** A file that was opened now. */
  begin({ unreadable, unreadableLines = 0, replacedFile }: TaskSnapshot): void {
    this.#unreadable.clear();
    this.#lines = unreadableLines;
    this.#add(unreadable, replacedFile);
  }

  /** More rows of the same file. */
  add({ tasks, unreadable }: StoredPage): void {
    for (const { number } of tasks) this.#unreadable.delete(number);
    this.#add(unreadable, this.state.current.replaced);
  }

  #add(numbers: readonly number[], replaced: ReplacedTaskFile | undefined): void {
    for (const number of numbers) this.#unreadable.add(number);
    const unreadable = this.#unreadable.size + this.#lines;
    const before = this.state.current;
    if (before.unreadable === unreadable && before.replaced?.setAside === replaced?.setAside) return;
    this.state.set({ unreadable, ...definedFields({ replaced }) });
  }
}
