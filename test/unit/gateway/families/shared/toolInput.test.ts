/** The arguments of a tool call: a JSON object, also one that was encoded more than once; anything else is invalid. */
import assert from "node:assert/strict";
import type { Family } from "../../../../../src/domain/chat/chatEvent";
import { parseArguments } from "../../../../../src/gateway/families/toolCallAssembly";
import { decode } from "../../eventList";

const input = { path: "src/a.ts" };
const once = JSON.stringify(input);
const twice = JSON.stringify(once);

const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** The case of the field report, in each family. */
const streams: Readonly<Record<Family, string>> = {
  "chat-completions":
    line({
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: "c", function: { name: "read_file", arguments: twice } }] } },
      ],
    }) + line({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
  messages:
    line({ type: "message_start", message: { id: "m" } }) +
    line({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "read_file" } }) +
    line({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: twice } }) +
    line({ type: "content_block_stop", index: 0 }) +
    line({ type: "message_delta", delta: { stop_reason: "tool_use" } }) +
    line({ type: "message_stop" }),
  "generate-content": line({
    candidates: [{ content: { parts: [{ functionCall: { name: "read_file", args: twice } }] }, finishReason: "STOP" }],
  }),
};

describe("readInput", () => {
  it("S3 (field 18): reads an object that was encoded up to three times", () => {
    for (const text of [once, twice, JSON.stringify(twice), ` ${twice}\n`])
      assert.deepEqual(parseArguments(text), input);
  });

  it("S3 (field 18): reads nothing else: a text, a list, a number, or what was encoded more often", () => {
    for (const text of ['"src/a.ts"', '"[1]"', '"7"', '"null"', "[{}]", '"{broken"', "{broken"])
      assert.equal(parseArguments(text), undefined, text);
    assert.equal(parseArguments(JSON.stringify(JSON.stringify(twice))), undefined);
  });

  for (const [family, stream] of Object.entries(streams))
    it(`S3 (field 18): ${family} runs a call whose arguments were encoded twice`, async () => {
      const events = await decode(stream, [], family as Family);
      const ends = events.filter(({ type }) => type === "tool-call-end");
      assert.deepEqual(
        ends.map((event) => "input" in event && event.input),
        [input],
      );
    });
});
