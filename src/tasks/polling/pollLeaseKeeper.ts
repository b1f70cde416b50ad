/**
 * Decides whether this window is the one that polls (T5). While there is something to poll it takes part in the lease; else it leaves the file alone.
 */
import type { MonotonicClock } from "../../base/clock";
import { Store } from "../../base/store";
import { LoopPause } from "../../base/async/loopPause";
import { pollLease, type PollStep, type PollLease } from "../store/taskStore";

export interface PollLeaseKeeperOptions {
  readonly lease: {
    stepPollLease(step: PollStep): Promise<PollLease>;
    releasePollLease(): Promise<void>;
  };
  readonly clock: MonotonicClock;
  readonly note: () => string;
  readonly isWatched: () => boolean;
  /** Called after each step, with what the other windows have left. */
  readonly onStep: (lease: PollLease) => void;
}

export type LeaseNeed = "polls" | "results";

/** `none`: nothing is to be done, or it is not known yet. `alone`: the file can't be written, so there is no lease. */
export type LeaseHolder = "none" | "ours" | "others" | "alone";

export class PollLeaseKeeper {
  readonly state = new Store<LeaseHolder>("none");
  readonly #options: PollLeaseKeeperOptions;
  readonly #pause = new LoopPause();
  /** The work that the window that polls has to do. */
  readonly #needs = new Set<LeaseNeed>();
  #asksRefresh = false;
  #heldUntil = -Infinity;
  #failingSince: number | undefined;

  constructor(options: PollLeaseKeeperOptions) {
    this.#options = options;
  }

  /** False also when this process did not come to renew the lease for so long that another one may have taken it. */
  get isOurs(): boolean {
    const { current } = this.state;
    return current === "alone" || (current === "ours" && this.#options.clock.monotonic() < this.#heldUntil);
  }

  /** Notes that there is something to poll or to fetch, or not any more. */
  need(what: LeaseNeed, isNeeded: boolean): void {
    if (isNeeded === this.#needs.has(what)) return;
    if (isNeeded) this.#needs.add(what);
    else this.#needs.delete(what);
    this.#pause.end();
  }

  get #isNeeded(): boolean {
    return this.#needs.size > 0;
  }

  /** Asks the window that polls for a refresh, on behalf of a person. */
  askRefresh(): void {
    this.#asksRefresh = true;
    this.#pause.end();
  }

  /** Makes the next step due now, because what it publishes to the others has changed. */
  stepSoon(): void {
    this.#pause.end();
  }

  /** Runs until the signal aborts, and releases the lease; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    try {
      while (!signal.aborted) {
        if (this.#isNeeded) await this.#step();
        else await this.#release();
        const { renewal, look } = pollLease;
        const wait = !this.#isNeeded ? Infinity : this.state.current === "ours" ? renewal : look;
        await this.#pause.wait(wait, clock, signal);
      }
    } catch {
      // Only the signal ends a pause with an error.
    } finally {
      await this.#release();
    }
  }

  async #step(): Promise<void> {
    const { clock, note, isWatched, onStep } = this.#options;
    const start = clock.monotonic();
    const asksRefresh = this.#asksRefresh;
    try {
      const lease = await this.#options.lease.stepPollLease({ note: note(), isWatched: isWatched(), asksRefresh });
      this.#failingSince = undefined;
      // This process was suspended for so long that another window may have polled meanwhile: this is a new lease.
      if (lease.isOurs && !this.isOurs) this.state.set("none");
      if (asksRefresh) this.#asksRefresh = false;
      this.#heldUntil = lease.isOurs ? start + pollLease.silence : -Infinity;
      this.state.set(lease.isOurs ? "ours" : "others");
      onStep(lease);
    } catch {
      // A lease that can't be written for as long as its silence has no holder: each window then polls for itself.
      this.#failingSince ??= start;
      if (clock.monotonic() - this.#failingSince >= pollLease.silence) this.state.set("alone");
    }
  }

  async #release(): Promise<void> {
    if (this.state.current === "none") return;
    this.state.set("none");
    await this.#options.lease.releasePollLease().catch(() => undefined);
  }
}
