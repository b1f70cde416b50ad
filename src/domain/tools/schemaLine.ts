/** The arguments of a tool in one line, for a model that got them wrong: `{ path: string, start_line?: integer }`. */
import { asArray, asRecord, asText, type JsonRecord } from "../../base/jsonValue";

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
