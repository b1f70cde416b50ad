/** One request and the beginning of its answer, whichever way they take. */
import type { AnswerHeaders } from "../retryAfter";

export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds. */
  readonly firstByte: number;
  readonly alone: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Fails with whatever broke it. Ends the connection when it is left before its end. */
  readonly body: AsyncIterable<Uint8Array>;
}
