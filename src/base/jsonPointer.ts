/** Resolves references within a JSON Schema. */
import { asRecord, type JsonRecord } from "./jsonValue";

/** `#/$defs/x`, and any other pointer into the same document. */
export function findPointed(root: unknown, reference: string): JsonRecord | undefined {
  if (!reference.startsWith("#")) return undefined;
  let place = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = decodeStep(step);
    place = Array.isArray(place) ? (place as unknown[])[Number(name)] : asRecord(place)?.[name];
  }
  return asRecord(place);
}

function decodeStep(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
