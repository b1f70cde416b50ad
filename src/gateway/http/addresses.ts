/** The paths of the gateway's interface below its address (C1). */
import { AppFailure } from "../../domain/errors/appError";

export type ApiVersion = "v1" | "v1beta";

/**
 * `path` begins with a slash and holds no version: `https://host` and `https://host/v1` are the same gateway. `version`
 * takes the place of the one that the base URL ends in.
 */
export function endpointUrl(base: URL, path: string, version?: ApiVersion): URL {
  const root = base.pathname.replace(/(?<!\/)\/+$/, "");
  const ending = /\/(v1|v1beta)$/.exec(root);
  const host = ending === null ? root : root.slice(0, ending.index);
  return new URL(`${base.origin}${host}/${version ?? ending?.[1] ?? "v1"}${path}`);
}

/** The version that a gateway's address ends in; `v1` without one. */
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
