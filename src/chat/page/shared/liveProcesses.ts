/** The commands in the background as the host lists them, for the rows that have started one. */
import type { ShownProcess } from "../../contract/chatPageContract";

export interface ProcessView {
  readonly element: Element;
  readonly process: string;
  /** `undefined` once it has ended. */
  update(process: ShownProcess | undefined): void;
}

export class LiveProcesses {
  readonly #views = new Set<ProcessView>();
  #list: readonly ShownProcess[] = [];

  add(view: ProcessView): void {
    this.#views.add(view);
    view.update(this.#find(view.process));
  }

  receive(list: readonly ShownProcess[] = []): void {
    if (list === this.#list) return;
    this.#list = list;
    for (const view of this.#views) {
      // Rows that are far from the view have taken theirs out of the document, and make another.
      if (view.element.isConnected) view.update(this.#find(view.process));
      else this.#views.delete(view);
    }
  }

  #find(id: string): ShownProcess | undefined {
    return this.#list.find((one) => one.id === id);
  }
}
