/** Where a request carries a key, and where it should not (service-spec 5). */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type RequestHead, familyOf } from "../http/familyOf";

const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** Stands for the key that was sent, without telling it. */
export function keyMark({ headers }: IncomingMessage, url: URL): string {
  const given = [...keyHeaders.map((name) => headers[name]), url.searchParams.get("key")].flatMap((key) => key ?? []);
  return given.length === 0 ? "none" : createHash("sha256").update(given.join("\n")).digest("base64url").slice(0, 16);
}

/** What is wrong with the place, in a few words. */
export function misplacedKey(asked: RequestHead, key: string): string | undefined {
  const { headers } = asked.request;
  const family = familyOf(asked);
  if (headers["x-api-key"] !== undefined && family !== "messages") return "x-api-key on another family's route";
  if (headers["x-goog-api-key"] !== undefined && family !== "generate-content") {
    return "x-goog-api-key on another family's route";
  }
  const query = asked.url.searchParams;
  if (query.has("key") && family !== "generate-content") return "in the query of another family's route";
  if ([...query].some(([name, value]) => name !== "key" && value.includes(key))) return "in the query";
  if (asked.url.pathname.includes(key)) return "in the path";
  const other = Object.entries(headers).find(
    ([name, value]) => !keyHeaders.some((known) => known === name) && String(value).includes(key),
  );
  return other === undefined ? undefined : `in the header ${other[0]}`;
}
