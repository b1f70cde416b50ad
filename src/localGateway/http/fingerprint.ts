/** Hashes a request body independently of the order of its fields. */
import { createHash } from "node:crypto";

export function fingerprint(body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(inOrder(body)))
    .digest("base64url");
}

/** Equal for objects with equal fields. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, inOrder(inner)]);
}
