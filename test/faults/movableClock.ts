/** The system's clock with what it was set forward by: for trying in seconds what takes an hour. It is the system's again after a restart. */
import { abortReason } from "../../src/base/async/abort";
import type { Clock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";

export class MovableClock implements Clock {
  #ahead = 0;
  readonly #moves = new Set<() => void>();

  now(): number {
    return systemClock.now() + this.#ahead;
  }

  async delay(ms: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + ms;
    for (;;) {
      const moved = new AbortController();
      const onMove = (): void => moved.abort();
      this.#moves.add(onMove);
      signal?.addEventListener("abort", onMove);
      if (signal?.aborted === true) onMove();
      await systemClock.delay(Math.max(0, due - this.now()), moved.signal).catch(() => undefined);
      this.#moves.delete(onMove);
      signal?.removeEventListener("abort", onMove);
      if (signal?.aborted === true) throw abortReason(signal);
      if (!moved.signal.aborted || this.now() >= due) return;
    }
  }

  /** Delays that are due by then end before it resolves. */
  async advance(ms: number): Promise<void> {
    this.#ahead += ms;
    for (const move of this.#moves) move();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
