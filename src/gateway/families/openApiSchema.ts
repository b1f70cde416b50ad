/** Converts JSON Schema to the OpenAPI subset for functions of the generate-content family, which refuses an unknown key with a 400. */
import { asArray, asRecord, asText, isRecord, type JsonRecord, findPointed } from "../../base/jsonValue";

/** Definitions that refer to each other grow exponentially when they are inlined. */
const maxNodes = 5000;

/** Replaces references by their definitions. A recursive reference becomes an object with only a description. */
function inlineReferences(root: unknown): unknown {
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
        // The keys are names of arguments, even if they look like keywords.
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

type Schema = Record<string, unknown>;

/** Keywords of alternatives. */
const alternatives = ["anyOf", "oneOf"];

const types = new Set(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]);
const formats: Readonly<Record<string, readonly string[]>> = {
  STRING: ["enum", "date-time"],
  INTEGER: ["int32", "int64", "enum"],
  NUMBER: ["float", "double", "enum"],
};
const numbers = [
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
];

/** `undefined` for a function without parameters, because an object without properties is refused. */
export function toOpenApiSchema(schema: unknown): JsonRecord | undefined {
  const root = convert(inlineReferences(schema));
  const parameters = root["type"] === "OBJECT" ? root : joinVariants(asArray(root["anyOf"]).filter(isRecord));
  const properties = asRecord(parameters["properties"]);
  return properties === undefined || Object.keys(properties).length === 0 ? undefined : parameters;
}

/** Arguments must be one object: alternatives become an object with the properties of all. */
function joinVariants(variants: readonly JsonRecord[]): JsonRecord {
  const properties = Object.assign({}, ...variants.map((variant) => asRecord(variant["properties"]) ?? {})) as Schema;
  return { type: "OBJECT", properties };
}

function convert(value: unknown): Schema {
  const source = mergeAll(asRecord(value) ?? {});
  const written: Schema = {};
  copyPlain(source, written);

  const variants = asArray(source["anyOf"] ?? source["oneOf"]);
  const named = readTypes(source);
  const nullable = source["nullable"] === true || named.nullable || variants.some(isNull);
  if (nullable) written["nullable"] = true;

  const members = variants.filter((variant) => !isNull(variant));
  const only = members[0];
  if (members.length === 1 && only !== undefined)
    return { ...convert({ ...omit(source, alternatives), ...asRecord(only) }), ...written };
  if (members.length > 1 && !isRecord(source["properties"])) {
    return { ...pick(written, ["title", "description", "nullable"]), anyOf: members.map(convert) };
  }
  const [type, ...others] = named.types;
  if (others.length > 0) {
    const each = named.types.map((one) => convert({ ...omit(source, alternatives), type: one, nullable: undefined }));
    return {
      ...pick(written, ["title", "description", "nullable"]),
      anyOf: each.map((one) => omit(one, ["title", "description"])),
    };
  }
  return writeType(type ?? guessType(source), source, written);
}

function writeType(type: string, source: JsonRecord, written: Schema): Schema {
  const result: Schema = { type, ...written };
  writeEnum(source, result);
  const format = asText(source["format"]);
  if (format !== undefined && formats[type]?.includes(format) && result["format"] === undefined)
    result["format"] = format;
  if (type === "ARRAY") result["items"] = convertItems(source);
  if (type === "OBJECT") writeProperties(source, result);
  return result;
}

function copyPlain(source: JsonRecord, written: Schema): void {
  for (const name of ["title", "description", "pattern"]) {
    const text = asText(source[name]);
    if (text !== undefined) written[name] = text;
  }
  for (const name of numbers) if (typeof source[name] === "number") written[name] = source[name];
  for (const [name, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (written[name] === undefined && typeof source[exclusive] === "number") written[name] = source[exclusive];
  }
  if (source["default"] !== undefined && source["default"] !== null) written["default"] = source["default"];
  const example = source["example"] ?? asArray(source["examples"])[0];
  if (example !== undefined) written["example"] = example;
}

function writeProperties(source: JsonRecord, result: Schema): void {
  const properties = Object.entries(asRecord(source["properties"]) ?? {});
  if (properties.length === 0) return;
  const names = new Set(properties.map(([name]) => name));
  result["properties"] = Object.fromEntries(properties.map(([name, schema]) => [name, convert(schema)]));
  for (const list of ["required", "propertyOrdering"]) {
    const known = [...new Set(asArray(source[list]))].filter((name) => typeof name === "string" && names.has(name));
    if (known.length > 0) result[list] = known;
  }
}

/** A tuple becomes a list of any of its members. */
function convertItems(source: JsonRecord): Schema {
  const tuple = Array.isArray(source["items"]) ? source["items"] : asArray(source["prefixItems"]);
  const members = (tuple as readonly unknown[]).map(convert);
  if (members.length > 1) return { anyOf: members };
  if (members[0] !== undefined) return members[0];
  return isRecord(source["items"]) ? convert(source["items"]) : { type: "STRING" };
}

/** Writes strings only, none of them empty; numbers are written as strings and keep their type. */
function writeEnum(source: JsonRecord, result: Schema): void {
  const values = source["const"] === undefined ? asArray(source["enum"]) : [source["const"]];
  if (values.includes(null)) result["nullable"] = true;
  const kept = values.filter((value) => value !== null && value !== "" && typeof value !== "object");
  if (kept.length === 0) return;
  result["enum"] = [...new Set(kept.map(String))];
  result["format"] = "enum";
}

function readTypes(source: JsonRecord): { readonly types: readonly string[]; readonly nullable: boolean } {
  const listed = Array.isArray(source["type"]) ? (source["type"] as unknown[]) : [source["type"]];
  const names = listed.flatMap((name) => (typeof name === "string" ? [name.toUpperCase()] : []));
  return { types: [...new Set(names.filter((name) => types.has(name)))], nullable: names.includes("NULL") };
}

function guessType(source: JsonRecord): string {
  if (isRecord(source["properties"])) return "OBJECT";
  if (source["items"] !== undefined || source["prefixItems"] !== undefined) return "ARRAY";
  const [first] = [source["const"], ...asArray(source["enum"])].filter(
    (value) => value !== undefined && value !== null,
  );
  if (typeof first === "number") return "NUMBER";
  return typeof first === "boolean" ? "BOOLEAN" : "STRING";
}

/** `allOf` becomes one schema with the properties of all; of any other keyword the first value counts. */
function mergeAll(schema: JsonRecord): JsonRecord {
  const all = asArray(schema["allOf"]).filter(isRecord).map(mergeAll);
  if (all.length === 0) return schema;
  const parts = [schema, ...all];
  const merged = Object.assign({}, ...parts.toReversed()) as Schema;
  const properties = Object.assign(
    {},
    ...parts.toReversed().map((part) => asRecord(part["properties"]) ?? {}),
  ) as Schema;
  if (Object.keys(properties).length > 0) merged["properties"] = properties;
  const required = [...new Set(parts.flatMap((part) => asArray(part["required"])))];
  if (required.length > 0) merged["required"] = required;
  delete merged["allOf"];
  return merged;
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema["type"] === "null" || schema["const"] === null);
}

function pick(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}

function omit(schema: JsonRecord, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}
