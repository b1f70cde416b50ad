/** What the conduct report receives of a request. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface WatchedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly requestId: string;
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  /** Of the account. */
  readonly key: string;
  /** The key was replaced. Requests with a key that was never valid are not watched. */
  readonly refused: boolean;
}

/** What the handlers report of a request. */
export interface ConductWatch {
  onBody(body: unknown, bytes: Buffer): void;
  /** The status of the task that the response carries. */
  onStatusSent(status: unknown): void;
}

export const unwatched: ConductWatch = { onBody: () => undefined, onStatusSent: () => undefined };
