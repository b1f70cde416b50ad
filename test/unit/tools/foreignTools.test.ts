/** Tools of other extensions and MCP servers in the chat: what they say is capped, what they return is bounded and untrusted, and Stop never waits for them. */
import assert from "node:assert/strict";
import { describeAction, describeReasons } from "../../../src/domain/words/describeTool";
import type { ForeignContent, ForeignTool, ForeignToolPort, ShownImage } from "../../../src/domain/tools/toolPorts";
import { type Tool, ToolRefusal } from "../../../src/domain/tools/tool";
import { createToolNames } from "../../../src/gateway/families/toolNames";
import { createForeignTools } from "../../../src/tools/foreignTools";
import { KeptResults, readResult } from "../../../src/tools/readResult";
import { answersOf, callingAnswer, textAnswer, until } from "../../support/builders";
import { answers, progressOf, sessionOver, waiting } from "../../support/chatSessions";
import { plainAppOptions } from "../../support/plainOptions";
import { pngOf, withDeclaredSize } from "../../support/testImages";

const never = new AbortController().signal;
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather: ForeignTool = { name: "weather", description: "Says the weather.", schema, promise: "as it was" };

function portOf(
  call: (input: unknown, signal: AbortSignal) => Promise<readonly ForeignContent[]>,
  chosen: readonly ForeignTool[] = [weather],
): ForeignToolPort {
  return { chosen: () => chosen, call: (_tool, input, signal) => call(input, signal) };
}

const textOf = (text: string): Promise<readonly ForeignContent[]> => Promise.resolve([{ type: "text", text }]);
function toolsOf(port: ForeignToolPort, own: readonly string[] = []): readonly Tool[] {
  const kept = new KeptResults();
  const reader = readResult(kept);
  const names = new Set([...own, reader.declaration.name]);
  const tools = createForeignTools(port, names, kept, plainAppOptions.scaleImage)();
  return tools.length > 0 ? [...tools, reader] : [];
}

async function run(tool: Tool | undefined, input: unknown = {}): Promise<string> {
  const result = await (await tool!.prepare(input, never)).run(never);
  assert.ok(typeof result === "string");
  return result;
}

describe("tools of other extensions", () => {
  it("A2, A3: each call asks, names the tool, and a longer yes covers what the tool promised only", async () => {
    const inputs: unknown[] = [];
    const [tool] = toolsOf(portOf((input) => (inputs.push(input), textOf("rain"))));
    const call = await tool!.prepare({ city: "Bern" }, never);
    assert.equal(describeAction(call.action), "Call the tool weather");
    assert.equal(describeReasons(call.reasons!), "another extension or an MCP server does it, by its own rules");
    assert.ok(call.reasons);
    assert.deepEqual(call.grant, { type: "foreign-tool", name: "weather", promise: "as it was" });
    assert.equal(call.untrusted, "weather");
    assert.deepEqual(inputs, [], "nothing runs before the yes");
    assert.equal(await call.run(never), "rain");
    assert.deepEqual(inputs, [{ city: "Bern" }]);
  });

  it("A2: what the services refuse at the root of a schema is left out: it would end every request of the chat", () => {
    const root = {
      anyOf: [{ required: ["a"] }],
      oneOf: [],
      allOf: [{}],
      not: {},
      enum: ["x"],
      const: 1,
      properties: [],
    };
    const [tool] = toolsOf(portOf(() => textOf(""), [{ ...weather, schema: { ...root, $defs: { a: schema } } }]));
    assert.deepEqual(tool!.declaration.parameters, { type: "object", properties: {}, $defs: { a: schema } });
  });

  it("A4: a long description is cut, its hidden characters show, and a huge schema is left out", () => {
    const hidden = { ...weather, description: `Says\u{e0041}\u202e ${"x".repeat(5000)}` };
    const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`property${at}`, schema]));
    const tools = toolsOf(portOf(() => textOf(""), [hidden, { ...weather, name: "huge", schema: { properties } }]));
    const [first, second] = tools.map(({ declaration }) => declaration);
    assert.match(first!.description, /^Says⟨U\+E0041⟩⟨U\+202E⟩ x+$/);
    assert.ok(first!.description.length < 1100);
    assert.deepEqual(first!.parameters, schema);
    assert.deepEqual(second!.parameters, { type: "object", properties: {} });
    const bare = toolsOf(portOf(() => textOf(""), [{ ...weather, schema: undefined }]))[0]!;
    assert.deepEqual(bare.declaration.parameters, { type: "object", properties: {} });
  });

  it("A4: a tool named like one of Sluice's own does not take its place, and every name is valid on the wire", () => {
    const named = ["edit_file", "read_result", "edit_file_", "ünï.code/tool", "x".repeat(100)];
    const chosen = named.map((name) => ({ ...weather, name }));
    const own = { name: "edit_file", description: "", parameters: {} };
    const declarations = toolsOf(
      portOf(() => textOf(""), chosen),
      ["edit_file"],
    ).map((tool) => tool.declaration);
    const all = [own, ...declarations];
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    const names = createToolNames(all);
    const wire = all.map(({ name }) => names.toWire(name));
    assert.equal(names.toWire("edit_file"), "edit_file");
    assert.equal(new Set(wire).size, all.length);
    for (const name of wire) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
  });

  it("A2: a long result is paged, what can't be shown is named, and the rest is as untrusted", async () => {
    const long = `${"a".repeat(65_536)}${"b".repeat(100)}`;
    const [tool, reader] = toolsOf(portOf(() => textOf(long)));
    const first = await run(tool);
    const [, id] =
      /\(characters 1 to 65536 of 65636; read_result with id "(\w+)" and skip 65536 gives the next\)$/.exec(first)!;
    const next = await reader!.prepare({ id, skip: 65_536 }, never);
    assert.equal(next.reasons, undefined);
    assert.equal(next.untrusted, "weather");
    assert.equal(describeAction(next.action), "Read more of what weather returned");
    assert.equal(await next.run(never), `${"b".repeat(100)}\n(characters 65537 to 65636 of 65636)`);
    await assert.rejects(async () => reader!.prepare({ id: "other", skip: 0 }, never), ToolRefusal);
    const picture: ForeignContent = { type: "data", mimeType: "image/png", size: 12 };
    const mixed = toolsOf(portOf(() => Promise.resolve([{ type: "text", text: "here:" }, picture])));
    assert.equal(await run(mixed[0]), "here:\n(image/png, 12 bytes: can't be shown here)");
    assert.equal(await run(toolsOf(portOf(() => Promise.resolve([])))[0]), "(the tool returned nothing)");
    assert.match(
      await run(toolsOf(portOf(() => textOf("x".repeat(5_000_000))))[0]),
      /of 20971\d\d; read_result/,
      "a result without bound is cut",
    );
  });

  it("A12, A4: images of a result are shown, at most eight of them, and are as untrusted as its text", async () => {
    const bytes = await pngOf(8, 4);
    const image: ForeignContent = { type: "image", mimeType: "image/jpeg", bytes };
    const content: ForeignContent[] = [{ type: "text", text: "the page:" }, ...Array.from({ length: 9 }, () => image)];
    const [tool] = toolsOf(portOf(() => Promise.resolve(content)));
    const call = await tool!.prepare({}, never);
    assert.equal(call.untrusted, "weather");
    const images: ShownImage[] = [];
    const nothing = (): void => undefined;
    const effects = { activity: nothing, output: nothing, submitted: nothing };
    const text = await call.run(never, { ...effects, image: (shown) => void images.push(shown) });
    assert.ok(typeof text === "string");
    assert.deepEqual(
      images.map(({ name, mimeType }) => [name, mimeType]),
      Array.from({ length: 8 }, () => ["weather", "image/png"]),
    );
    assert.match(text, /^the page:\n\(PNG image, 8 × 4 pixels\)\n[^]*Only 8 images of a result are shown\.\)$/);
  });

  it("A12, R4: what a tool calls an image and is none, is damaged or a bomb stays words", async () => {
    const png = await pngOf(8, 4);
    const hostile = [Buffer.from("<svg onload='x()'/>"), png.subarray(0, 40), withDeclaredSize(png, 60_000, 60_000)];
    for (const bytes of hostile) {
      const [tool] = toolsOf(portOf(() => Promise.resolve([{ type: "image", mimeType: "image/png", bytes }])));
      const nothing = (): void => undefined;
      const image = (): void => assert.fail("shown");
      const call = await tool!.prepare({}, never);
      const text = await call.run(never, { activity: nothing, output: nothing, submitted: nothing, image });
      assert.match(typeof text === "string" ? text : "", /^\(An image can't be shown\. It /);
    }
  });

  it("A1: a tool that fails, and one that calls its failure an abort, give a result and don't end the turn", async () => {
    for (const error of [new Error("no network"), new DOMException("gone", "AbortError")]) {
      const tools = toolsOf(portOf(() => Promise.reject(error)));
      const model = answersOf(callingAnswer({ name: "weather", input: {} }), textAnswer("so be it"));
      const { session } = sessionOver(model.streamChat, tools);
      const turn = session.submit("weather");
      await until(() => waiting(session).length === 1);
      session.approvals.decide(waiting(session)[0]!.id, { allow: true });
      await turn;
      assert.deepEqual(progressOf(session), ["failed"]);
      assert.equal(answers(session).length, 2);
      assert.match(JSON.stringify(answers(session)[0]), new RegExp(`The tool failed: ${error.message}`));
    }
  });

  it("A1, S5: Stop aborts the signal of a tool that ignores it, and does not wait", async () => {
    let signal: AbortSignal | undefined;
    const tools = toolsOf(portOf((_input, given) => ((signal = given), new Promise(() => undefined))));
    const model = answersOf(callingAnswer({ name: "weather", input: {} }), textAnswer("late"));
    const { session, clock } = sessionOver(model.streamChat, tools);
    let ended = false;
    void session.submit("weather").then(() => (ended = true));
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await until(() => signal !== undefined);
    session.stop();
    await clock.advance(100);
    assert.deepEqual([ended, signal?.aborted], [true, true]);
    assert.deepEqual(progressOf(session), ["stopped"]);
  });

  it("A3: none are declared while none are switched on", () => {
    assert.deepEqual(
      toolsOf(
        portOf(() => textOf(""), []),
        [],
      ),
      [],
    );
  });
});
