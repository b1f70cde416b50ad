/** The trace of one chat request for a person to look at: the connection, the times, the sizes and the bytes, never the key (S4). */
import type { AppError } from "../errors/appError";
import type { KeyPlace } from "../gateway/account";

/** The kind of connection: by ourselves, through a proxy (its host and port), or with the editor's own fetch. */
export type RequestWay = { readonly kind: "direct" | "editor" } | { readonly kind: "proxy"; readonly proxy: string };

export interface RequestTrace {
  readonly method: string;
  readonly url: string;
  /** The headers without the one that holds the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keyPlace: KeyPlace;
  readonly body: string;
  /** Missing until a connection is chosen; after a fallback the last one. */
  readonly way?: RequestWay;
  /** Milliseconds since 1970; each is missing until it has happened. */
  readonly times: RequestTimes;
  readonly status?: number;
  readonly requestId?: string;
  readonly contentType?: string;
  readonly received: ReceivedBytes;
  /** The error that ended the request early. */
  readonly error?: AppError;
}

export interface RequestTimes {
  readonly begun: number;
  /** The connection was open and the request about to be written. */
  readonly connected?: number;
  /** Status and headers. */
  readonly responded?: number;
  /** The first and the last byte of the body. */
  readonly firstByte?: number;
  readonly lastByte?: number;
  readonly ended?: number;
}

export interface ReceivedBytes {
  readonly bytes: number;
  readonly chunks: number;
  /** Milliseconds between two chunks. */
  readonly longestGap: number;
  /** The beginning and the end of the body; between them `omitted` bytes were not kept. */
  readonly head: string;
  readonly tail: string;
  readonly omitted: number;
}

/** A request that may still be under way. */
export interface TracedRequest {
  readonly trace: RequestTrace;
}
