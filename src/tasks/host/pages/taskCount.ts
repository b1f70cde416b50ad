/** Counts the board's tasks for a page: when the page asks for it, and a while after tasks have changed. */
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { TimeSlices } from "../../../base/async/timeSlices";
import type { Task } from "../../../domain/task/task";
import type { TaskPageOptions } from "./taskPage";

/** Milliseconds for which changes of tasks are gathered. */
const recountDelay = 1000;

export class TaskCount implements Disposable {
  readonly #options: Pick<TaskPageOptions, "board" | "clock">;
  readonly #isShown: () => boolean;
  readonly #count: (tasks: readonly Task[], slices: TimeSlices, signal: AbortSignal) => Promise<void>;
  readonly #registrations = new DisposableStore();
  readonly #ended = new AbortController();
  /** Ends the count that is under way. */
  #counting: AbortController | undefined;
  #isRecountDue = false;

  /** `count` must not change the page once its signal is aborted, because a newer count is then running. */
  constructor(
    options: Pick<TaskPageOptions, "board" | "clock">,
    isShown: () => boolean,
    count: (tasks: readonly Task[], slices: TimeSlices, signal: AbortSignal) => Promise<void>,
  ) {
    this.#options = options;
    this.#isShown = isShown;
    this.#count = count;
    this.#registrations.add(options.board.onDidChange(() => void this.#recountSoon()));
  }

  dispose(): void {
    this.#ended.abort();
    this.#counting?.abort();
    this.#registrations.dispose();
  }

  /** Starts a count, and aborts an older one. */
  async run(): Promise<void> {
    this.#counting?.abort();
    const { signal } = (this.#counting = new AbortController());
    try {
      // The tasks are copied, because the board changes while they are counted.
      await this.#count([...this.#options.board.all.values()], new TimeSlices(signal), signal);
    } catch (failure) {
      if (!signal.aborted) throw failure;
    }
  }

  async #recountSoon(): Promise<void> {
    if (this.#isRecountDue || !this.#isShown()) return;
    this.#isRecountDue = true;
    await this.#options.clock.delay(recountDelay, this.#ended.signal).catch(() => undefined);
    this.#isRecountDue = false;
    if (!this.#ended.signal.aborted) await this.run();
  }
}
