/** The clock as a parameter: the product uses that of the system, the tests one that they advance. */

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that aborts first. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock for intervals, pauses and ages: they must not change when somebody sets the system's clock. */
export interface MonotonicClock extends Clock {
  /** Milliseconds since some moment; never set back or forward, and it counts while the machine sleeps. */
  monotonic(): number;
}
