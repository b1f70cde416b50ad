/**
 * The types of a request and of the beginning of its response, for both our own connections and the editor's fetch, and the timeouts of each part.
 */
import type { RequestWay } from "../../../domain/chat/requestTrace";
import type { ResponseHeaders } from "./transportError";
import type { Lookup } from "./sockets";
import { requestTimeouts } from "../../../domain/gateway/requestTimeouts";

export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds to the first byte of the response. */
  readonly firstByte: number;
  /** Whether the request gets a new connection that no other request uses. */
  readonly alone: boolean;
  /**
   * Whether addresses of this machine and its network are refused. Such a request is never sent by VS Code's fetch. With a proxy only the URL is
   * checked, not the addresses of its name.
   */
  readonly publicOnly?: boolean;
  /** The lookup for `publicOnly`. By default it is the system's resolver with a check of its addresses. Only for a request that is `alone`. */
  readonly lookup?: Lookup;
  readonly signal?: AbortSignal | undefined;
  readonly watch?: WireWatch | undefined;
}

/** Callbacks for the route and the connection of a request. */
export interface WireWatch {
  onWay(way: RequestWay): void;
  /** The connection is open, and the first byte is about to be written. Never called for VS Code's own `fetch`, which has no such event. */
  onConnected(): void;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Rejects with the error of the connection. Ends the connection when it is left before its end. */
  readonly body: AsyncIterable<Uint8Array>;
}

// Each part of a request has a timeout. These are the defaults.

/** Milliseconds. */
export interface Limits {
  readonly connect: number;
  /** The time from the last byte of the request to the first byte of the response. */
  readonly firstByte: number;
  /** The same time for quick reads. */
  readonly read: number;
  /** The time between two chunks of a response. Comments of an event stream count as chunks. */
  readonly silence: number;
  /** The time from the first to the last byte of a response that is no stream: slowly sent white space would never exceed `silence`. */
  readonly whole: number;
}

export const defaultLimits: Limits = {
  connect: requestTimeouts.connect,
  firstByte: requestTimeouts.firstByte,
  read: 15_000,
  silence: requestTimeouts.silence,
  whole: 120_000,
};
