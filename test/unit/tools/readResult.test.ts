/** The tool that reads the rest of a long result: lines, the lines with a text or a pattern, characters. */
import assert from "node:assert/strict";
import { type CallEffects, ToolRefusal } from "../../../src/domain/tools/tool";
import { KeptResults, readResult } from "../../../src/tools/readResult";

const never = new AbortController().signal;
const whole = Array.from({ length: 5000 }, (_, at) => `line ${at + 1}${at % 1000 === 0 ? " Error: x" : ""}`).join("\n");

describe("read_result", () => {
  const results = new KeptResults();
  const id = results.keep({ tool: "npm test", text: whole });
  const read = async (input: object, room = Infinity): Promise<string> => {
    const call = await readResult(results).prepare({ id, ...input }, never);
    assert.equal(call.reasons, undefined);
    const result = await call.run(never, { room } as CallEffects);
    assert.ok(typeof result === "string");
    return result;
  };

  it("A2, A6 (finding 4): gives a range of lines, and says where to go on", async () => {
    assert.equal(await read({ start_line: 2, end_line: 3 }), "line 2\nline 3\n(lines 2 to 3 of 5000)");
    const page = await read({}, 1000);
    const [, last, next] = /\(lines 1 to (\d+) of 5000; go on with start_line (\d+)\)$/.exec(page)!;
    assert.equal(Number(next), Number(last) + 1);
    assert.ok(Buffer.byteLength(page) <= 1000);
    assert.ok(page.startsWith("line 1 Error: x\nline 2\n"));
  });

  it("A2, A6 (finding 4): finds the lines with a text or a pattern, with their numbers", async () => {
    assert.match(
      await read({ text: "error:", start_line: 2 }),
      /^1001: line 1001 Error: x\n[^]*\n\(4 hits in 5000 lines\)$/,
    );
    assert.equal(await read({ text: "^line 4\\d99$", is_pattern: true }).then((found) => found.split("\n").length), 11);
    assert.equal(await read({ text: "nowhere" }), "(0 hits in 5000 lines)");
  });

  it("A2, R6: a pattern that would hold the host is ended and refused", async () => {
    const slow = results.keep({ tool: "x", text: `${"a".repeat(5000)}b` });
    const call = await readResult(results).prepare({ id: slow, text: "^(a+)+$", is_pattern: true }, never);
    await assert.rejects(call.run(never), ToolRefusal);
  });

  it("R6, R4: patterns that hold the host are not tried again and again, however many calls an answer has", async () => {
    const slow = results.keep({ tool: "x", text: `${"a".repeat(5000)}b` });
    const tool = readResult(results);
    const prepare = (text: string) => tool.prepare({ id: slow, text, is_pattern: true }, never);
    for (let times = 0; times < 3; times += 1)
      await assert.rejects(async () => (await prepare("^(a+)+$")).run(never), /takes too long/);
    await assert.rejects(async () => prepare("^(a+)+$"), /too long too often/);
    const found = await (await tool.prepare({ id: slow, text: "ab" }, never)).run(never);
    assert.ok(typeof found === "string" && found.endsWith("(1 hits in 1 lines)"));
  });

  it("A2: what is not kept, no range and no pattern are refused", async () => {
    for (const input of [{ id: "x" }, { start_line: 3, end_line: 2 }, { text: "(", is_pattern: true }])
      await assert.rejects(async () => readResult(results).prepare({ id, ...input }, never), ToolRefusal);
    await assert.rejects(read({ start_line: 6000 }), ToolRefusal);
  });
});
