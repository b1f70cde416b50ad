/** Makes up JSON that fits the schema of a request. */
import * as z from "zod/mini";
import type { SeededRandom } from "../seededRandom";

const texts = z.optional(z.string());
const nodeSchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
  oneOf: z.optional(z.array(z.unknown())),
  $ref: texts,
  format: texts,
  properties: z.optional(z.record(z.string(), z.unknown())),
  items: z.optional(z.unknown()),
  minItems: z.optional(z.coerce.number()),
  maxItems: z.optional(z.coerce.number()),
  minLength: z.optional(z.coerce.number()),
  maxLength: z.optional(z.coerce.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
});
type Node = z.infer<typeof nodeSchema>;

const root = z.looseObject({
  $defs: z.optional(z.record(z.string(), z.unknown())),
  definitions: z.optional(z.record(z.string(), z.unknown())),
});

interface Making {
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly random: SeededRandom;
}

const deepest = 12;
const words = ["gate", "tide", "harbour", "lock", "river", "level", "keeper"] as const;

/** Writes JSON that fits the schema; without a schema it has fixed fields. */
export function jsonAnswer(prompt: string, schema: unknown, random: SeededRandom): string {
  if (schema === undefined) {
    return JSON.stringify({
      answer: "Written by the demo model: rules, not a language model.",
      prompt: prompt.trim().slice(0, 120),
      number: random.integer(1, 100),
    });
  }
  const read = root.safeParse(schema);
  const definitions = { ...read.data?.definitions, ...read.data?.$defs };
  return JSON.stringify(make(schema, "", { definitions, random }, 0));
}

/** Makes a value for a schema. Types may have both spellings: `string` of JSON Schema and `STRING` of the generate-content family. */
function make(schema: unknown, name: string, making: Making, depth: number): unknown {
  const read = nodeSchema.safeParse(schema);
  if (!read.success || depth > deepest) return null;
  const node = read.data;
  if (node.$ref !== undefined)
    return make(making.definitions[node.$ref.split("/").at(-1) ?? ""], name, making, depth + 1);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined && node.enum.length > 0) {
    return node.enum[making.random.integer(0, node.enum.length - 1)];
  }
  const choice = (node.anyOf ?? node.oneOf)?.find((one) => typeOf(nodeSchema.safeParse(one).data ?? {}) !== "null");
  if (choice !== undefined) return make(choice, name, making, depth + 1);
  return makePlain(node, name, making, depth);
}

function makePlain(node: Node, name: string, making: Making, depth: number): unknown {
  const { random } = making;
  switch (typeOf(node)) {
    case "object":
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([key, value]) => [key, make(value, key, making, depth + 1)]),
      );
    case "array": {
      // Deep lists are empty, so that a recursive schema ends.
      const wanted = Math.max(node.minItems ?? 0, depth > 4 ? 0 : Math.min(2, node.maxItems ?? 2));
      return Array.from({ length: Math.min(wanted, 100) }, () => make(node.items ?? {}, name, making, depth + 1));
    }
    case "integer":
    case "number": {
      const least = Math.ceil(node.minimum ?? Math.min(1, node.maximum ?? 1));
      return random.integer(least, Math.max(least, Math.floor(node.maximum ?? least + 99)));
    }
    case "boolean":
      return random.next() < 0.5;
    case "null":
      return null;
    default:
      return makeText(node, name, random);
  }
}

function makeText({ format, minLength = 0, maxLength = 10_000 }: Node, name: string, random: SeededRandom): string {
  if (format === "date-time") return "2026-01-15T12:00:00Z";
  if (format === "date") return "2026-01-15";
  if (format === "email") return "demo@example.org";
  if (format === "uri") return "https://example.org/";
  const text = `made-up ${name === "" ? "text" : name}: ${random.pick(words)}`;
  return text.padEnd(minLength, ".").slice(0, maxLength);
}

/** The type of a node; a missing one follows from `properties` or `items`. */
function typeOf(node: Node): string {
  const types = [node.type ?? []].flat().map((type) => type.toLowerCase());
  const type = types.find((one) => one !== "null") ?? types[0];
  if (type !== undefined) return type;
  if (node.properties !== undefined) return "object";
  return node.items === undefined ? "string" : "array";
}
