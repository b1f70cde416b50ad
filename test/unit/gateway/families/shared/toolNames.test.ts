/** The parameters of other programs' tools in the form that every service takes, and the arguments of their calls mapped back. */
import assert from "node:assert/strict";
import { asArray, asRecord, type JsonRecord } from "../../../../../src/base/jsonValue";
import type { Family } from "../../../../../src/domain/chat/chatEvent";
import type { ChatRequest, ToolDeclaration } from "../../../../../src/domain/chat/message";
import { toRootObject } from "../../../../../src/domain/tools/rootObject";
import { familyDefinitions } from "../../../../../src/gateway/families/familyDefinitions";
import { createToolNames } from "../../../../../src/gateway/families/toolNames";

const tool = (parameters: JsonRecord): ToolDeclaration => ({ name: "list", description: "", parameters });
const families: readonly Family[] = ["chat-completions", "messages", "generate-content"];

const strange = tool({
  type: "object",
  properties: {
    $filter: { type: "string" },
    _filter: { type: "string" },
    "settings[include_tax]": { type: "boolean" },
    rows: {
      type: "array",
      items: { type: "object", properties: { "größe (cm)": { type: "number" } }, required: ["größe (cm)"] },
    },
    path: { type: "string" },
    [`long ${"x".repeat(80)}`]: { type: "string" },
  },
  required: ["$filter", "path"],
});

const input = {
  $filter: "a eq 1",
  _filter: "b",
  "settings[include_tax]": true,
  rows: [{ "größe (cm)": 3 }],
  path: "p",
};

/** The schema of the first tool in a body. */
function schemaIn(family: Family, body: JsonRecord): JsonRecord {
  const [first] = asArray(body["tools"]).map(asRecord);
  if (family === "messages") return asRecord(first?.["input_schema"]) ?? {};
  if (family === "chat-completions") return asRecord(asRecord(first?.["function"])?.["parameters"]) ?? {};
  return asRecord(asRecord(asArray(first?.["functionDeclarations"])[0])?.["parameters"]) ?? {};
}

const keysIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap(keysIn)
    : Object.entries(asRecord(value) ?? {}).flatMap(([key, inner]) => [key, ...keysIn(inner)]);

describe("parameters of tools of others", () => {
  for (const family of families)
    it(`S1 (field 5): ${family} writes names that every service takes, in the tool and in a call that goes back`, () => {
      const request: ChatRequest = {
        family,
        model: "m",
        tools: [strange],
        messages: [
          { role: "user", parts: [{ type: "text", text: "go" }] },
          { role: "assistant", family, model: "m", parts: [{ type: "tool-call", call: "c", name: "list", input }] },
          { role: "tool", call: "c", name: "list", text: "done", isError: false },
        ],
      };
      const { body } = familyDefinitions[family].writeRequest(request, familyDefinitions[family].firstVariant);
      const keys = keysIn(schemaIn(family, body)).filter((key) => !/^[A-Za-z0-9_.-]{1,64}$/.test(key));
      assert.deepEqual(keys, []);
      assert.deepEqual(schemaIn(family, body)["required"], ["_filter_2", "path"]);
      // Written as text by one family, as an object by the others.
      const written = JSON.stringify(body["messages"] ?? body["contents"]);
      assert.match(written, /_filter_2\\?":\\?"a eq 1/);
      assert.doesNotMatch(written, /\$filter|größe/);
    });

  it("S1 (field 5): the arguments come back under the tool's own names, and other tools stay as they are", () => {
    const names = createToolNames([strange, { ...tool({ properties: { a: {} } }), name: "plain" }]);
    assert.deepEqual(names.inputFromWire("list", names.inputToWire("list", input)), input);
    const plain = { a: 1, $filter: 2 };
    assert.equal(names.inputFromWire("plain", plain), plain);
    assert.equal(names.inputFromWire("unknown", plain), plain);
  });

  const roots: readonly (readonly [string, JsonRecord, JsonRecord])[] = [
    [
      "alternatives of what is required",
      {
        type: "object",
        properties: { id: { type: "string" }, url: { type: "string" } },
        anyOf: [{ required: ["id"] }, { required: ["url"] }],
      },
      { type: "object", properties: { id: { type: "string" }, url: { type: "string" } } },
    ],
    [
      "alternatives with their own arguments",
      { oneOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }] },
      { type: "object", properties: { a: {}, b: {} } },
    ],
    [
      "parts that all hold",
      { allOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }], required: ["b"] },
      { type: "object", properties: { a: {}, b: {} }, required: ["b", "a"] },
    ],
    [
      "a reference",
      { $ref: "#/$defs/In", $defs: { In: { type: "object", properties: { q: {} }, required: ["q"] } } },
      {
        type: "object",
        properties: { q: {} },
        required: ["q"],
        $defs: { In: { type: "object", properties: { q: {} }, required: ["q"] } },
      },
    ],
    ["a reference to itself", { $ref: "#" }, { type: "object", properties: {} }],
    ["a value", { const: 1, enum: [1], not: {} }, { type: "object", properties: {} }],
    ["nothing", {}, { type: "object", properties: {} }],
  ];
  for (const [what, schema, right] of roots) {
    it(`S1 (field 6): ${what} at the root is folded into one object`, () =>
      assert.deepEqual(toRootObject(schema), right));
  }

  it("S1 (field 6): whoever passes the tool, no family has an alternative at the root of its schema", () => {
    for (const family of families)
      for (const [, schema] of roots) {
        const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "go" }] }];
        const request: ChatRequest = { family, model: "m", messages, tools: [tool(schema)] };
        const { writeRequest, firstVariant } = familyDefinitions[family];
        const root = schemaIn(family, writeRequest(request, firstVariant).body);
        for (const keyword of ["anyOf", "oneOf", "allOf", "$ref", "not", "enum", "const"])
          assert.ok(!(keyword in root), `${family}: ${keyword}`);
      }
  });
});
