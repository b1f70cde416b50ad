/**
 * Turns the parameters of a foreign tool into one object at the root, as services take them, and into one line for a model that got them wrong.
 * Pure.
 */
import { findPointed, asArray, asRecord, asText, isRecord, type JsonRecord } from "../../base/jsonValue";

/** Services refuse these at the root, and with them every request that has the tool. */
const refusedAtRoot: ReadonlySet<string> = new Set([
  "$ref",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "enum",
  "const",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** The levels of references and of alternatives within alternatives that are followed. */
const maxLevels = 5;

/**
 * An object with the arguments of all alternatives. Only what the schema itself and the parts of its `allOf` and `$ref` require is required; whether
 * arguments go together the tool judges itself. A schema without alternatives at its root stays as it is.
 */
export function toRootObject(schema: JsonRecord): JsonRecord {
  const kept = Object.entries(schema).filter(([name]) => !refusedAtRoot.has(name));
  const { properties, required } = readObject(schema, schema, maxLevels);
  return {
    ...Object.fromEntries(kept),
    properties,
    ...(required.length > 0 || schema["required"] !== undefined ? { required } : {}),
    type: "object",
  };
}

interface ReadObject {
  readonly properties: JsonRecord;
  readonly required: readonly string[];
}

function readObject(value: unknown, root: JsonRecord, levels: number): ReadObject {
  const schema = asRecord(value) ?? {};
  if (levels === 0) return { properties: {}, required: [] };
  const reference = asText(schema["$ref"]);
  const target = reference === undefined ? undefined : findPointed(root, reference);
  const all = [...asArray(schema["allOf"]), ...(target === undefined ? [] : [target])];
  const both = all.map((part) => readObject(part, root, levels - 1));
  const either = [schema["anyOf"], schema["oneOf"]].flatMap(asArray).map((part) => readObject(part, root, levels - 1));
  const own = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = asArray(schema["required"]).filter((name) => typeof name === "string");
  return {
    properties: Object.assign({}, ...[...either, ...both].map((part) => part.properties), own) as JsonRecord,
    required: [...new Set([...required, ...both.flatMap((part) => part.required)])],
  };
}

// Writes the arguments in one line: `{ path: string, start_line?: integer }`.

const maxLength = 1500;

export function schemaLine(schema: JsonRecord): string {
  const line = typeOf(schema, 0);
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()} …` : line;
}

/** Schemas of other programs may be of any shape and depth. */
function typeOf(value: unknown, depth: number): string {
  const schema = asRecord(value) ?? {};
  const choices = asArray(schema["enum"]);
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const type = asText(schema["type"]);
  if (depth > 3) return type ?? "any";
  if (type === "array") return `[${typeOf(schema["items"], depth + 1)}]`;
  const properties = asRecord(schema["properties"]);
  if (properties === undefined) return type ?? "any";
  const required = asArray(schema["required"]);
  const members = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(property, depth + 1)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
