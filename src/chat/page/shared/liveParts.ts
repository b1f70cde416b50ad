/** The drawn cards of tasks: the host gets the ids of their tasks, and each card gets the state of its task on the board. */
import { type TaskCardState, maxWatched, type ShownProcess } from "../../contract/chatPageContract";
import { maxTaskIdLength } from "../../../domain/task/taskId";
import { oncePerFrame } from "../../../webview/page";

export interface DrawnTaskCard {
  readonly element: Element;
  update(state: TaskCardState): void;
}

export class DrawnTaskCards {
  readonly #watch: (tasks: string[]) => void;
  readonly #cards = new Map<string, Set<DrawnTaskCard>>();
  readonly #states = new Map<string, TaskCardState>();
  /** Waits for the next frame, because rows that are far from the view first remove their cards from the document. */
  readonly #schedule = oncePerFrame(() => this.#tell());
  #sent = "";

  /** `watch` is called with the ids of all tasks that have a card, limited to what the host accepts, each time that they change. */
  constructor(watch: (tasks: string[]) => void) {
    this.#watch = watch;
  }

  /** Returns the state that is known already, for example from another card of the task. */
  add(task: string, card: DrawnTaskCard): TaskCardState | undefined {
    const cards = this.#cards.get(task) ?? new Set();
    this.#cards.set(task, cards.add(card));
    this.#schedule();
    return this.#states.get(task);
  }

  receive(cards: readonly TaskCardState[]): void {
    for (const state of cards) {
      this.#states.set(state.id, state);
      for (const card of this.#cards.get(state.id) ?? []) card.update(state);
    }
    this.#schedule();
  }

  #tell(): void {
    for (const [task, cards] of this.#cards) {
      for (const card of cards) if (!card.element.isConnected) cards.delete(card);
      if (cards.size > 0) continue;
      this.#cards.delete(task);
      this.#states.delete(task);
    }
    // The host would refuse a longer list, or one with a longer id, as a whole.
    const tasks = [...this.#cards.keys()].filter(({ length }) => length <= maxTaskIdLength).slice(-maxWatched);
    const sent = tasks.join();
    if (sent === this.#sent) return;
    this.#sent = sent;
    this.#watch(tasks);
  }
}

/** The background commands as the host lists them, for the rows that have started one. */
export interface ProcessView {
  readonly element: Element;
  readonly process: string;
  /** `undefined` once the command has ended. */
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
      // Rows that are far from the view have removed their line from the document. They make a new one later.
      if (view.element.isConnected) view.update(this.#find(view.process));
      else this.#views.delete(view);
    }
  }

  #find(id: string): ShownProcess | undefined {
    return this.#list.find((one) => one.id === id);
  }
}
