/** Keeps the last requests for `/_local/requests` and the tests. Never holds a key. */
import { BoundedMap } from "../../base/boundedMap";
import { cutText } from "../../base/text/cutText";

export interface SeenRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query, without a key in it; at most 300 characters. */
  readonly path: string;
  readonly requestId: string;
  /** Missing until a response was sent. */
  readonly status?: number;
  readonly ms?: number;
  readonly idempotencyKey?: string;
  /** The names of the faults that acted on the request. */
  readonly faults?: readonly string[];
  /** The connection ended before the response was complete. */
  readonly aborted?: true;
}

const keptRequests = 2_000;
const maxPathLength = 300;
const maxCounted = 1_000_000_000;

export class RequestLog {
  readonly #seen = new BoundedMap<string, SeenRequest>(keptRequests);
  #refused = 0;

  add(request: SeenRequest): void {
    this.#seen.set(request.requestId, request);
  }

  /** Adds fields to a request that is still kept. */
  note(requestId: string, change: Partial<SeenRequest>): void {
    this.#seen.change(requestId, (seen) => ({ ...seen, ...change }));
  }

  /** Oldest first. */
  get requests(): readonly SeenRequest[] {
    return this.#seen.values();
  }

  /** Counts a request without the key or from another site, which is not logged because anybody can send it. */
  countRefused(): void {
    this.#refused = Math.min(this.#refused + 1, maxCounted);
  }

  get refused(): number {
    return this.#refused;
  }
}

/** The path for the log: without keys and signatures. */
export function shownPath(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ["key", "signature", "once"]) if (query.has(name)) query.set(name, "…");
  const text = query.toString();
  return cutText(text === "" ? url.pathname : `${url.pathname}?${text}`, maxPathLength);
}
