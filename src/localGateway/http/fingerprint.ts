/** Hashes a request body independently of the order of its fields. It works piece by piece, because a body with images is large. */
import { createHash, type Hash } from "node:crypto";

export function fingerprint(body: unknown): string {
  const hash = createHash("sha256");
  add(hash, body);
  return hash.digest("base64url");
}

/** The characters that JSON escapes. A text without them is hashed without a copy, because a picture has tens of megabytes. */
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Adds a value as JSON. An object is written as the list of its fields sorted by name, so that equal fields give equal hashes. */
function add(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) addList(hash, value);
  else if (typeof value === "string" && !mustEscape.test(value)) hash.update('"').update(value).update('"');
  else if (typeof value !== "object" || value === null) hash.update(JSON.stringify(value));
  else
    addList(
      hash,
      Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
}

function addList(hash: Hash, items: readonly unknown[]): void {
  hash.update("[");
  for (const [index, item] of items.entries()) {
    if (index > 0) hash.update(",");
    add(hash, item);
  }
  hash.update("]");
}
