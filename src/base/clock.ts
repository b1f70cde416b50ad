/** The clock as a parameter: the product uses that of the system, the tests one that they advance. */

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that aborts first. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/** For what must not follow a clock that is set: intervals, pauses and the age of what happens here. */
export interface MonotonicClock extends Clock {
  /** Milliseconds since some moment; never set back or forward, and it counts while the machine sleeps. */
  monotonic(): number;
}
