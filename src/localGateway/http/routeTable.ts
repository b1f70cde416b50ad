/** Finds the route of a request by method and path, and the error response for a request that has none. */
import { cutText } from "../../base/text/cutText";
import { definedFields } from "../../base/definedFields";
import { HttpError } from "./httpError";
import type { RequestContext } from "./requestContext";

export interface Route<S> {
  /** Method and path pattern: `GET /v1/tasks/{task_id}`. */
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly handle: (context: RequestContext, services: S) => void | Promise<void>;
  /** Whether the request's link is valid, for routes that a link opens without the key. */
  readonly isOurLink?: (request: Pick<RequestContext, "url" | "params">, services: S) => boolean;
}

export function route<S>(name: string, handle: Route<S>["handle"], isOurLink?: Route<S>["isOurLink"]): Route<S> {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, segments: path.split("/"), handle, ...definedFields({ isOurLink }) };
}

/** Characters of the name of an unknown path, which the client report keeps. */
const maxNameLength = 200;

export type FoundRoute<S> = { readonly name: string; readonly params: Readonly<Record<string, string>> } & (
  { readonly route: Route<S> } | { readonly route: undefined; readonly error: HttpError }
);

export function findRoute<S>(routes: readonly Route<S>[], method: string, path: string): FoundRoute<S> {
  // Clients of the generate-content family use either prefix.
  const given = path.replace(/^\/v1beta(?=\/models(?:\/|$))/, "/v1").split("/");
  const allowed: string[] = [];
  for (const candidate of routes) {
    const params = matchPath(candidate.segments, given);
    if (params === undefined) continue;
    if (candidate.method === method) return { name: candidate.name, params, route: candidate };
    allowed.push(candidate.method);
  }
  const name = cutText(`${method} ${path}`, maxNameLength);
  if (allowed.length === 0) {
    const error = new HttpError(404, "not_found", `There is nothing at ${name}.`);
    return { name, params: {}, route: undefined, error };
  }
  const message = `${path.slice(0, maxNameLength)} takes ${allowed.join(" and ")}, not ${method}.`;
  const error = new HttpError(405, "method_not_allowed", message, { headers: { allow: allowed.join(", ") } });
  return { name, params: {}, route: undefined, error };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function matchPath(pattern: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = given[index] ?? "";
    if (!wanted.startsWith("{")) {
      if (wanted !== part) return undefined;
      continue;
    }
    // `{model}:generateContent` matches every segment with this ending.
    const [name = "", suffix = ""] = wanted.slice(1).split("}");
    if (!part.endsWith(suffix)) return undefined;
    params[name] = decode(part.slice(0, part.length - suffix.length));
  }
  return params;
}
