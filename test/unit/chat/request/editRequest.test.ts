/** What *Edit Selection* asks, and which lines it takes from the answer. */
import assert from "node:assert/strict";
import { arrivingText, editRequest, linesIn } from "../../../../src/chat/request/editRequest";
import type { Model } from "../../../../src/domain/ports";

const model: Model = { id: "m", family: "messages" };
const place = {
  path: "src/greeting.ts",
  language: "typescript",
  selected: '  return "hi";',
  before: "function greet() {\n",
  after: "\n}\n",
  problems: ["line 1: never used"],
};

describe("the request for an edit of a selection", () => {
  it("V7: it has the lines, what is around them, what is reported, and what is wanted; more is said in the same conversation", () => {
    const request = editRequest(model, place, [], "say hello");
    assert.ok(request);
    const [message] = request.messages;
    assert.ok(message?.role === "user" && message.parts[0]?.type === "text");
    const { text } = message.parts[0];
    for (const part of [
      "src/greeting.ts",
      '```typescript\n  return "hi";\n```',
      "function greet",
      "never used",
      "say hello",
    ])
      assert.ok(text.includes(part), part);
    assert.deepEqual(request.tools, []);
    const more = editRequest(model, place, [{ wish: "say hello", answer: "```\nx\n```" }], "louder");
    assert.deepEqual(
      more?.messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
  });

  it("V7: the file around the lines is cut to the model's room; lines that are too long alone are not sent", () => {
    const small = { ...model, contextSize: 1000 };
    const long = { ...place, before: "b".repeat(50_000), after: "a".repeat(50_000) };
    const request = editRequest(small, long, [], "x");
    assert.ok(JSON.stringify(request?.messages).length < 5000);
    assert.equal(editRequest(small, { ...place, selected: "s".repeat(3000) }, [], "x"), undefined);
  });
});

describe("the lines in an answer", () => {
  it("V7: they are what the code block holds, from its first line on, and its closing fence never shows while it arrives", () => {
    const answer = 'Here it is:\n```ts\n  return "hello";\n  // done\n```\nI changed it.';
    assert.equal(linesIn(answer, place.selected), '  return "hello";\n  // done');
    const seen = new Set<string | undefined>();
    const block = '```ts\n  return "hello";\n  // done\n```';
    for (let length = 0; length <= block.length; length += 1) seen.add(linesIn(block.slice(0, length), place.selected));
    for (const lines of seen) assert.ok(lines === undefined || !lines.includes("`"), lines);
    assert.ok(seen.has(undefined));
    assert.ok(seen.has('  return "hello";'));
    assert.equal(linesIn("plain lines", "x"), "plain lines");
    assert.equal(linesIn("", "x"), undefined);
    assert.equal(linesIn("```ts", "x"), undefined);
    assert.equal(linesIn("```\n```", "x"), "", "the lines are to go");
  });

  it("V7: blocks within the lines of a document do not end them", () => {
    const selected = "Run:\n```sh\nnpm test\n```\nDone.";
    assert.equal(linesIn("````md\nRun:\n```sh\nnpm t\n```\nDone.\n````", selected), "Run:\n```sh\nnpm t\n```\nDone.");
    assert.equal(linesIn("```md\nRun:\n```sh\nnpm t\n```\nDone.\n```", selected), "Run:\n```sh\nnpm t\n```\nDone.");
  });

  it("V7: the indentation that all lines have is put back where the answer leaves it out", () => {
    assert.equal(linesIn("```\nif (a) {\n  b();\n\n}\n```", "    x();\n    y();"), "    if (a) {\n      b();\n\n    }");
    assert.equal(linesIn("```\n  kept\n```", "    x"), "  kept");
  });

  it("V7: while they arrive, the lines below that the answer has not come to stay", () => {
    assert.equal(arrivingText("1\n2\n3", "one"), "one\n2\n3");
    assert.equal(arrivingText("1\n2\n3", "one\n"), "one\n2\n3");
    assert.equal(arrivingText("1\n2\n3", "one\ntw"), "one\ntw\n3");
    assert.equal(arrivingText("1", "one\ntwo"), "one\ntwo");
  });
});
