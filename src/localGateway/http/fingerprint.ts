/** One short text for a body, whatever the order of its fields: tells a repetition from another request. */
import { createHash } from "node:crypto";

export function fingerprint(body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(inOrder(body)))
    .digest("base64url");
}

/** The same for objects with the same fields. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, inOrder(inner)]);
}
