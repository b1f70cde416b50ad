/** The last requests, for tests and for a person who wonders what the client does. Never holds a key. */
import { BoundedMap } from "../../base/boundedMap";
import { cutText } from "../../base/cutText";

export interface SeenRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query, without a key in it; at most 300 characters. */
  readonly path: string;
  readonly requestId: string;
  /** Missing while no answer has been sent. */
  readonly status?: number;
  readonly ms?: number;
  readonly idempotencyKey?: string;
  /** The names of those that acted on it. */
  readonly faults?: readonly string[];
  /** The client went away, or a fault cut the line, before the answer was whole. */
  readonly aborted?: true;
}

const kept = 2_000;
const longestPath = 300;
const mostCounted = 1_000_000_000;

export class RequestLog {
  readonly #seen = new BoundedMap<string, SeenRequest>(kept);
  #refused = 0;

  add(request: SeenRequest): void {
    this.#seen.set(request.requestId, request);
  }

  /** Says more of a request, while it is kept. */
  note(requestId: string, change: Partial<SeenRequest>): void {
    this.#seen.change(requestId, (seen) => ({ ...seen, ...change }));
  }

  /** Oldest first. */
  get requests(): readonly SeenRequest[] {
    return this.#seen.values();
  }

  /** Without the key or from a foreign page: anybody can send these, so that there were some is all that is kept. */
  countRefused(): void {
    this.#refused = Math.min(this.#refused + 1, mostCounted);
  }

  get refused(): number {
    return this.#refused;
  }
}

/** What of a request line may be written down. */
export function shownPath(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ["key", "signature", "once"]) if (query.has(name)) query.set(name, "…");
  const text = query.toString();
  return cutText(text === "" ? url.pathname : `${url.pathname}?${text}`, longestPath);
}
