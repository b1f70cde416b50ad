/** A request and the beginning of its response, for our own connections and the editor's fetch alike. */
import type { RequestWay } from "../../../domain/chat/requestTrace";
import type { ResponseHeaders } from "./retryAfter";
import type { Lookup } from "./sockets";

export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds to the first byte of the response. */
  readonly firstByte: number;
  /** On a connection of its own. */
  readonly alone: boolean;
  /** Refuses addresses of this machine and its network, and is never sent by VS Code's fetch. Behind a proxy only the URL is checked, not what its name resolves to. */
  readonly publicOnly?: boolean;
  /** With `publicOnly`, in place of the system's resolver with the check of its addresses. Only for a request that is `alone`. */
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
