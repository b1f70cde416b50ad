/** An HTTP request to the gateway or to the address of a result, the place of the key in it, and the paths of the interface. */
import type { KeyPlace } from "../../domain/gateway/account";
import type { WireWatch } from "./network/wire";
import { AppFailure } from "../../domain/errors/appError";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body?: string;
  readonly accept?: string;
  /** Milliseconds to the first byte of the response; `Limits.firstByte` when left out. */
  readonly firstByte?: number;
  /** Whether the request gets a new connection: a kept-alive one may be dead, and the request would be lost with it. */
  readonly alone?: boolean;
  /** Whether the key is sent; false for another origin than the gateway's. */
  readonly withKey: boolean;
  /** Whether a host name that resolves to a private address is refused, for addresses from outside. */
  readonly publicOnly?: boolean;
  /** `bearer` when left out. */
  readonly keyPlace?: KeyPlace;
  readonly headers?: Readonly<Record<string, string>>;
  /** An error status that resolves instead of rejecting. */
  readonly tolerates?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called on each step of the request, up to the end of the body. */
  readonly watch?: RequestObserver | undefined;
}

export interface RequestObserver extends WireWatch {
  onRequest(request: HttpRequest): void;
  onResponse(response: ResponseFacts): void;
  /** A part of the body; its bytes are valid during the call only. */
  onChunk(chunk: Uint8Array): void;
  /** Called when the body has ended or was left, or when there is none. */
  onEnd(): void;
}

export interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string;
  readonly contentType?: string;
}

/** All headers except that of the key. */
export function plainHeaders({ accept, headers, body }: HttpRequest): Readonly<Record<string, string>> {
  return {
    accept: accept ?? "application/json",
    // Proxies buffer a stream that they compress.
    "accept-encoding": "identity",
    // Some gateways are behind a firewall that refuses requests without this header.
    "user-agent": "Sluice",
    ...headers,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

export function keyHeader(
  { withKey, keyPlace = "bearer" }: HttpRequest,
  key: string,
): Readonly<Record<string, string>> {
  if (!withKey || keyPlace === "query") return {};
  return keyPlace === "bearer" ? { authorization: `Bearer ${key}` } : { [keyPlace]: key };
}

export function urlWithKey({ url, withKey, keyPlace }: HttpRequest, key: string): URL {
  if (!withKey || keyPlace !== "query") return url;
  const keyed = new URL(url);
  keyed.searchParams.set("key", key);
  return keyed;
}

// Joins the paths of the interface to the address of the gateway (C1).

export type ApiVersion = "v1" | "v1beta";

/**
 * `path` begins with a slash and holds no version: `https://host` and `https://host/v1` are the same gateway. `version`
 * replaces the version at the end of the base URL.
 */
export function endpointUrl(base: URL, path: string, version?: ApiVersion): URL {
  const root = base.pathname.replace(/(?<!\/)\/+$/, "");
  const ending = /\/(v1|v1beta)$/.exec(root);
  const host = ending === null ? root : root.slice(0, ending.index);
  return new URL(`${base.origin}${host}/${version ?? ending?.[1] ?? "v1"}${path}`);
}

/** The version at the end of a gateway's address; `v1` without one. */
export function readVersion(baseUrl: string): ApiVersion {
  return /\/v1beta\/*$/.test(baseUrl.trim()) ? "v1beta" : "v1";
}

/** An id as one segment of a path. */
export function pathSegment(id: string): string {
  // A URL resolves these two as steps of the path, encoded or not.
  if (id === "" || id === "." || id === "..") {
    throw new AppFailure({ kind: "unreachable", message: "This is no id of a task.", notSent: true });
  }
  return encodeURIComponent(id);
}
