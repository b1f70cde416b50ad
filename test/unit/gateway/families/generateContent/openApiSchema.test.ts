/** JSON Schema as the generate-content family takes it: one test for each rule. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { toOpenApiSchema } from "../../../../../src/gateway/families/openApiSchema";
import { runsOf } from "../../../../support/runs";

/** The converted schema of one argument. */
const one = (schema: unknown, root: object = {}): unknown => {
  const converted = toOpenApiSchema({ ...root, type: "object", properties: { x: schema } });
  return (converted?.["properties"] as Record<string, unknown>)["x"];
};

describe("openApiSchema", () => {
  it("S1: puts references in place, and ends where one is inside itself", () => {
    const $defs = {
      leaf: { type: "string" },
      tree: { description: "A tree", properties: { left: { $ref: "#/$defs/tree" } } },
    };
    assert.deepEqual(one({ $ref: "#/$defs/leaf", description: "d" }, { $defs }), { type: "STRING", description: "d" });
    assert.deepEqual(one({ $ref: "#/$defs/tree" }, { $defs }), {
      type: "OBJECT",
      description: "A tree",
      properties: { left: { type: "OBJECT", description: "A tree" } },
    });
    assert.deepEqual(one({ $ref: "https://elsewhere" }), { type: "OBJECT" });
  });

  it("S1: definitions that double each other stay small", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let n = 1; n < 40; n++) {
      $defs[`d${n}`] = {
        type: "object",
        properties: { a: { $ref: `#/$defs/d${n - 1}` }, b: { $ref: `#/$defs/d${n - 1}` } },
      };
    }
    assert.ok(JSON.stringify(one({ $ref: "#/$defs/d39" }, { $defs })).length < 1_000_000);
  });

  it("S1: drops what the service does not know", () => {
    const schema = {
      $schema: "s",
      type: "string",
      additionalProperties: false,
      "x-order": 1,
      not: {},
      uniqueItems: true,
      deprecated: true,
      minLength: 1,
      pattern: "a",
      examples: ["e"],
      default: "d",
    };
    assert.deepEqual(one(schema), { type: "STRING", minLength: 1, pattern: "a", example: "e", default: "d" });
    assert.deepEqual(one({ type: "integer", exclusiveMinimum: 0, multipleOf: 2 }), { type: "INTEGER", minimum: 0 });
  });

  it("S1: null is nullable, several types are any of them", () => {
    assert.deepEqual(one({ type: ["string", "null"] }), { type: "STRING", nullable: true });
    assert.deepEqual(one({ type: ["string", "integer", "null"], description: "d" }), {
      description: "d",
      nullable: true,
      anyOf: [{ type: "STRING" }, { type: "INTEGER" }],
    });
    assert.deepEqual(one({ anyOf: [{ type: "string", minLength: 1 }, { type: "null" }], description: "d" }), {
      type: "STRING",
      minLength: 1,
      description: "d",
      nullable: true,
    });
    assert.deepEqual(one({ oneOf: [{ type: "string" }, { type: "number" }] }), {
      anyOf: [{ type: "STRING" }, { type: "NUMBER" }],
    });
    assert.deepEqual(
      one({
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "number" } }, required: ["b"] },
        ],
      }),
      { type: "OBJECT", properties: { a: { type: "STRING" }, b: { type: "NUMBER" } }, required: ["a", "b"] },
    );
  });

  it("S1: choices are strings, without null and empty ones", () => {
    assert.deepEqual(one({ enum: ["a", "b", "", null] }), {
      type: "STRING",
      nullable: true,
      enum: ["a", "b"],
      format: "enum",
    });
    assert.deepEqual(one({ type: "integer", enum: [1, 2] }), { type: "INTEGER", enum: ["1", "2"], format: "enum" });
    assert.deepEqual(one({ const: "only" }), { type: "STRING", enum: ["only"], format: "enum" });
  });

  it("S1: keeps only the formats that are known", () => {
    assert.deepEqual(one({ type: "string", format: "date-time" }), { type: "STRING", format: "date-time" });
    assert.deepEqual(one({ type: "string", format: "uri" }), { type: "STRING" });
    assert.deepEqual(one({ type: "integer", format: "int64" }), { type: "INTEGER", format: "int64" });
  });

  it("S1: lists have items", () => {
    assert.deepEqual(one({ type: "array" }), { type: "ARRAY", items: { type: "STRING" } });
    assert.deepEqual(one({ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }), {
      type: "ARRAY",
      items: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] },
    });
  });

  it("S1: requires only what there is; nothing at all for no arguments", () => {
    assert.deepEqual(one({ type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] }), {
      type: "OBJECT",
      properties: { a: { type: "STRING" } },
      required: ["a"],
    });
    assert.equal(toOpenApiSchema({ type: "object", properties: {} }), undefined);
    assert.deepEqual(one({ type: "object" }), { type: "OBJECT" });
    assert.deepEqual(one(true), { type: "STRING" });
  });

  it("S1: arguments may be called like the words of a schema", () => {
    const named = {
      type: "object",
      properties: { definitions: { type: "string" }, $ref: { type: "string" }, type: { type: "string" } },
    };
    assert.deepEqual(Object.keys((one(named) as { properties: object }).properties), ["definitions", "$ref", "type"]);
  });

  it("S1: whatever the schema, only known keys come out", () => {
    const words =
      "type properties items anyOf oneOf allOf enum const required $ref $defs format not default additionalProperties".split(
        " ",
      );
    const leaf = fc.oneof(
      fc.constantFrom("string", "null", "object", "array", "#/$defs/a", "#"),
      fc.jsonValue({ maxDepth: 0 }),
    );
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...words), tie("any")),
      ),
    }));
    fc.assert(
      fc.property(any, (schema) => checkKeys(toOpenApiSchema({ type: "object", properties: { x: schema } }))),
      { numRuns: runsOf(1000), seed: 4 },
    );
  });
});

const known = new Set(
  "type format title description nullable enum items minItems maxItems properties required propertyOrdering minProperties maxProperties minLength maxLength pattern minimum maximum anyOf default example".split(
    " ",
  ),
);

function checkKeys(schema: unknown): void {
  assert.ok(typeof schema === "object" && schema !== null);
  const { properties, items, anyOf, ...rest } = schema as Record<string, unknown>;
  for (const name of Object.keys(rest)) assert.ok(known.has(name), name);
  assert.ok(typeof rest["type"] === "string" || Array.isArray(anyOf));
  Object.values(properties ?? {}).forEach(checkKeys);
  if (items !== undefined) checkKeys(items);
  ((anyOf ?? []) as unknown[]).forEach(checkKeys);
}
