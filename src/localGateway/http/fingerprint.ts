/** Hashes a request body independently of the order of its fields, piece by piece: a body with images is large. */
import { createHash, type Hash } from "node:crypto";

export function fingerprint(body: unknown): string {
  const hash = createHash("sha256");
  add(hash, body);
  return hash.digest("base64url");
}

/** What JSON writes otherwise. A text without it needs no copy: a picture has tens of megabytes. */
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** As JSON, in which an object is the list of its fields by name: equal for objects with equal fields. */
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
