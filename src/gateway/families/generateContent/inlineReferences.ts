/** Replaces each `$ref` of a JSON Schema by its target, for services without references. */
import { findPointed } from "../../../base/jsonPointer";
import { asText, isRecord, type JsonRecord } from "../../../base/jsonValue";

/** Definitions that refer to each other grow exponentially when they are inlined. */
const maxNodes = 5000;

/** A recursive reference becomes an object with only a description. */
export function inlineReferences(root: unknown): unknown {
  let nodes = 0;

  const resolve = (value: unknown, open: readonly string[]): unknown => {
    nodes += 1;
    if (Array.isArray(value)) return value.map((item) => resolve(item, open));
    if (!isRecord(value)) return value;
    if (nodes > maxNodes) return describeOnly(value);
    const reference = asText(value["$ref"]);
    if (reference === undefined) {
      return mapValues(value, (inner, name) => {
        if (name === "$defs" || name === "definitions") return undefined;
        // The names of arguments, which are no keywords even if they look like one.
        if (name === "properties" && isRecord(inner)) return mapValues(inner, (property) => resolve(property, open));
        return resolve(inner, open);
      });
    }
    const target = findPointed(root, reference);
    if (target === undefined || open.includes(reference)) return describeOnly({ ...target, ...value });
    const { $ref, ...beside } = value;
    return resolve({ ...target, ...beside }, [...open, reference]);
  };

  return resolve(root, []);
}

function mapValues(record: JsonRecord, change: (value: unknown, name: string) => unknown): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function describeOnly({ description }: JsonRecord): JsonRecord {
  return { type: "object", ...(typeof description === "string" ? { description } : {}) };
}
