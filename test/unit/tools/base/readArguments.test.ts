/** A10: arguments in another form than the schema's are read as they are meant, or refused with the remedy; those in its form are left alone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { asArray, asRecord, asText, type JsonRecord } from "../../../../src/base/jsonValue";
import { type PreparedCall, ToolRefusal } from "../../../../src/domain/tools/tool";
import { alias } from "../../../../src/tools/base/argumentRules";
import { readArguments } from "../../../../src/tools/base/defineTool";
import { deviations, judge } from "../../../support/argumentDeviations";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { toolsOver } from "../../../support/toolFolder";

const never = new AbortController().signal;

/** Any value that a JSON Schema of ours takes. */
function valueOf(schema: JsonRecord): fc.Arbitrary<unknown> {
  const choices = asArray(schema["enum"]);
  if (choices.length > 0) return fc.constantFrom(...choices);
  switch (asText(schema["type"]) ?? "") {
    case "string": {
      const [minLength, maxLength] = [
        Number(schema["minLength"] ?? 0),
        Math.min(Number(schema["maxLength"] ?? 50), 50),
      ];
      // A line after a colon is no part of a path.
      return fc.string({ minLength, maxLength }).filter((text) => !/:\d/.test(text));
    }
    case "integer":
      return fc.integer({ min: Number(schema["minimum"] ?? 0), max: Math.min(Number(schema["maximum"] ?? 1e6), 1e6) });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valueOf(asRecord(schema["items"]) ?? {}), {
        minLength: Number(schema["minItems"] ?? 0),
        maxLength: 3,
      });
    case "object":
      return asRecord(schema["properties"]) === undefined
        ? fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
        : objectOf(schema);
    default:
      return fc.jsonValue();
  }
}

function objectOf(schema: JsonRecord): fc.Arbitrary<unknown> {
  const properties = Object.entries(asRecord(schema["properties"]) ?? {});
  return fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, valueOf(asRecord(property) ?? {})])),
    { requiredKeys: asArray(schema["required"]) as string[], noNullPrototype: true },
  );
}

async function textOf(call: PreparedCall): Promise<string> {
  const result = await call.run(never);
  assert.ok(typeof result === "string");
  return result;
}

const onePath = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

describe("arguments of a call", () => {
  const tools = toolsOver(createDiskWorkspace("/nowhere"));

  it("A10: sixty and more deviations of models are each right, or refused with the remedy", async () => {
    assert.ok(deviations.length >= 60);
    for (const deviation of deviations) {
      const expected = deviation.means instanceof RegExp ? "refused with the remedy" : "right";
      assert.equal(await judge(deviation), expected, JSON.stringify(deviation.call));
    }
  });

  for (const tool of tools) {
    const { declaration } = tool;
    it(`A10: valid arguments of ${declaration.name} are read as they are`, () => {
      const schema = declaration.parameters;
      fc.assert(
        fc.property(objectOf(schema), (input) => {
          assert.equal(tool.read?.(input), undefined);
          assert.deepEqual(readArguments(schema, {}, input).input, input);
        }),
      );
    });
  }

  it("A10: reading what was read changes nothing more, and never gives a value that the model did not write", () => {
    const names = [
      "path",
      "file_path",
      "filePath",
      "offset",
      "limit",
      "line",
      "start_line",
      "startLine",
      "explanation",
    ];
    const value = fc.oneof(fc.constantFrom("src/a.ts", "src/a.ts:3", "2", "null", ""), fc.integer({ min: -1, max: 9 }));
    const tool = tools.find(({ declaration }) => declaration.name === "read_file");
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (input) => {
        const reading = tool?.read?.(input);
        if (reading !== undefined) assert.equal(tool?.read?.(reading.input), undefined, JSON.stringify(reading));
      }),
      { examples: [[{ offset: -1, limit: 1 }]] },
    );
  });

  it("A10: no other name switches on what a name must be exact for, and no alias names what was not written", () => {
    const schema = {
      type: "object",
      properties: { path: { type: "string" }, replace_all: { type: "boolean" } },
      required: ["path"],
    };
    const rules = { rules: [alias("path", "file")], exact: ["replace_all"] };
    for (const name of ["replaceAll", "ReplaceAll", "replace-all", "all", "global"]) {
      const { input, notes } = readArguments(schema, rules, { file: "a", [name]: true });
      assert.deepEqual(input, { path: "a" });
      assert.deepEqual(notes.at(-1), { type: "ignored", name });
    }
    assert.deepEqual(readArguments(schema, rules, { file: "a", replace_all: "true" }).input, {
      path: "a",
      replace_all: true,
    });
  });

  it("A10: two arguments that say different things for one are refused", () => {
    const rules = { rules: [alias("path", "file")] };
    assert.match(readArguments(onePath, rules, { path: "a", file: "b" }).refusal ?? "", /different things/);
    assert.equal(readArguments(onePath, rules, { path: "a", file: "a" }).refusal, undefined);
  });

  it("A10: where a call costs something, an argument that is not known is refused, but for what explains the call", () => {
    const rules = { refusesUnknown: true } as const;
    assert.match(readArguments(onePath, rules, { path: "a", quality: "high" }).refusal ?? "", /has no quality/);
    assert.equal(readArguments(onePath, rules, { path: "a", reason: "why" }).refusal, undefined);
  });

  it("A10: the model is told which arguments were ignored, with the result and with a refusal", async () => {
    const tool = tools.find(({ declaration }) => declaration.name === "list_editors")!;
    const call = await tool.prepare({ verbose: true, path: "src" }, never);
    assert.match(await textOf(call), /\(There are no such arguments, so they were ignored: verbose, path\.\)$/);
    const readFile = tools.find(({ declaration }) => declaration.name === "read_file")!;
    await assert.rejects(readFile.prepare({ where: "src/app.ts" }, never), (error) => {
      assert.ok(error instanceof ToolRefusal);
      assert.match(
        error.message,
        /ignored: where\.\)\nread_file takes \{ path: string, start_line\?: integer, end_line\?: integer \}\.$/,
      );
      return true;
    });
  });

  it("A10: an argument named __proto__ is one like any other", () => {
    const given: unknown = JSON.parse('{"file":"a","__proto__":{"path":"b"}}');
    const { input } = readArguments(onePath, { rules: [alias("path", "file")] }, given);
    assert.deepEqual(Object.entries(input as object), [["path", "a"]]);
  });
});
