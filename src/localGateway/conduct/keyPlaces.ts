/** Finds the key of a request, and keys in places where they don't belong. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type RequestHead, familyOf } from "../http/familyOf";

const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** A short hash of the key in the request. */
export function keyMark({ headers }: IncomingMessage, url: URL): string {
  const given = [...keyHeaders.map((name) => headers[name]), url.searchParams.get("key")].flatMap((key) => key ?? []);
  return given.length === 0 ? "none" : createHash("sha256").update(given.join("\n")).digest("base64url").slice(0, 16);
}

/** The wrong place, or `undefined`. */
export function misplacedKey(head: RequestHead, key: string): string | undefined {
  const { headers } = head.request;
  const family = familyOf(head);
  if (headers["x-api-key"] !== undefined && family !== "messages") return "x-api-key on another family's route";
  if (headers["x-goog-api-key"] !== undefined && family !== "generate-content") {
    return "x-goog-api-key on another family's route";
  }
  const query = head.url.searchParams;
  if (query.has("key") && family !== "generate-content") return "in the query of another family's route";
  if ([...query].some(([name, value]) => name !== "key" && value.includes(key))) return "in the query";
  if (head.url.pathname.includes(key)) return "in the path";
  const other = Object.entries(headers).find(
    ([name, value]) => !keyHeaders.some((known) => known === name) && String(value).includes(key),
  );
  return other === undefined ? undefined : `in the header ${other[0]}`;
}
