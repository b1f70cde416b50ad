/** Retries reads, as the official clients do. Never used for requests that cost money. */
import type { Clock } from "../../base/clock";
import { AppFailure } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";

const maxRetries = 2;

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** Two retries for temporary errors: no connection, or a gateway that failed. A rate limit is left to the caller. */
export async function retryRead<T>(read: () => Promise<T>, { clock, random, log, signal }: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (error) {
      const kind = error instanceof AppFailure ? error.error.kind : undefined;
      if (retries === maxRetries || (kind !== "unreachable" && kind !== "unavailable")) throw error;
      const ms = Math.round(500 * 2 ** retries * (1 - random() * 0.25));
      log.info("trying a read again", { kind, ms, retry: retries + 1 });
      await clock.delay(ms, signal);
    }
  }
}
