/** The last requests, for tests and for a person who wonders what the client does. Never holds a key. */

export interface SeenRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query, without a key in it. */
  readonly path: string;
  readonly requestId: string;
  /** Missing while no answer has been sent. */
  readonly status?: number;
  readonly ms?: number;
  readonly idempotencyKey?: string;
  /** The client went away, or a fault cut the line, before the answer was whole. */
  readonly aborted?: true;
}

const kept = 2_000;

export class RequestLog {
  readonly #seen = new Map<string, SeenRequest>();

  add(request: SeenRequest): void {
    this.#seen.set(request.requestId, request);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > kept && oldest.done !== true) this.#seen.delete(oldest.value);
  }

  /** Says more of a request, while it is kept. */
  note(requestId: string, change: Partial<SeenRequest>): void {
    const seen = this.#seen.get(requestId);
    if (seen !== undefined) this.#seen.set(requestId, { ...seen, ...change });
  }

  /** Oldest first. */
  get requests(): readonly SeenRequest[] {
    return [...this.#seen.values()];
  }
}

/** What of a request line may be written down. */
export function shownPath(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ["key", "signature"]) if (query.has(name)) query.set(name, "…");
  const text = query.toString();
  return text === "" ? url.pathname : `${url.pathname}?${text}`;
}
