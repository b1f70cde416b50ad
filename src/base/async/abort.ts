/** Aborting. An abort is not an error: it is rethrown, and recognised by `isAbort`. */

export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("The operation was aborted.", "AbortError");
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Settles as the promise does, or rejects when the signal aborts; a later result of the promise is ignored. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The reason of an abort by the end of the window. What the person has not decided then is kept for the next window; at a stop it is discarded. */
export const windowEnded: Error = new DOMException("The window has ended.", "AbortError");
