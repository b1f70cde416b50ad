/** Where requests go: the base URL as a person typed it, and what may be sent there (C1). */
import { GatewayFailure } from "../domain/errors";

/** Reads a base URL. Fails with a `GatewayFailure` for one that no request may go to; nothing was sent then. */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined) throw refuse(`This is no URL: ${text.slice(0, 200)}`);
  if (url.username !== "" || url.password !== "") throw refuse("A gateway's URL holds no user name or password.");
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!isAllowed) throw refuse("A gateway is spoken to over https: only, except on this machine.");
  return url;
}

/** This machine: spoken to without TLS, and never through a proxy. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export type ApiVersion = "v1" | "v1beta";

/**
 * `path` begins with a slash and holds no version: `https://host` and `https://host/v1` are the same gateway. `version`
 * takes the place of the one that the base URL ends in.
 */
export function endpointUrl(base: URL, path: string, version?: ApiVersion): URL {
  const root = base.pathname.replace(/\/+$/, "");
  const said = /\/(v1|v1beta)$/.exec(root);
  const host = said === null ? root : root.slice(0, said.index);
  return new URL(`${base.origin}${host}/${version ?? said?.[1] ?? "v1"}${path}`);
}

/** The version that an address of a gateway ends in or, without one, means. */
export function readVersion(baseUrl: string): ApiVersion {
  return /\/v1beta\/*$/.test(baseUrl.trim()) ? "v1beta" : "v1";
}

/** An id as one segment of a path. */
export function pathSegment(id: string): string {
  // A URL would take these two for steps up and down the path, encoded or not.
  if (id === "" || id === "." || id === "..") throw refuse("This is no id of a task.");
  return encodeURIComponent(id);
}

function refuse(message: string): GatewayFailure {
  return new GatewayFailure({ kind: "unreachable", message, notSent: true });
}
