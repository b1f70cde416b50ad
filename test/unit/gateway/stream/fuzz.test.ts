/** Whatever the bytes are: no family throws, and each begins and ends as it must. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import type { ChatEvent, Family } from "../../../../src/domain/chat/chatEvent";
import { decode } from "../eventList";
import { runsOf } from "../../../support/runs";

const encoder = new TextEncoder();

/** One chunk of text in each family, and the words that its chunks are made of. */
const families: Readonly<Record<Family, { readonly tiny: object; readonly words: readonly string[] }>> = {
  "chat-completions": {
    tiny: { id: "c", choices: [{ index: 0, delta: { content: "a" } }] },
    words:
      "choices delta message content tool_calls function index id name arguments error usage finish_reason reasoning_details type text".split(
        " ",
      ),
  },
  messages: {
    tiny: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
    words:
      "type index message content content_block delta text thinking signature partial_json stop_reason usage error id name input citation".split(
        " ",
      ),
  },
  "generate-content": {
    tiny: { candidates: [{ content: { role: "model", parts: [{ text: "a" }] }, index: 0 }] },
    words:
      "candidates content parts text thought thoughtSignature functionCall name args partialArgs jsonPath stringValue willContinue inlineData mimeType data finishReason usageMetadata promptFeedback blockReason error index".split(
        " ",
      ),
  },
};
const messageTypes =
  "message_start content_block_start content_block_delta content_block_stop message_delta message_stop message text tool_use thinking text_delta input_json_delta signature_delta".split(
    " ",
  );

for (const family of Object.keys(families) as Family[]) {
  const { tiny, words } = families[family];
  const folder = join(process.cwd(), "test", "fixtures", family);
  const fixtures = readdirSync(folder)
    .filter((file) => /\.(?:sse|json)$/.test(file))
    .map((file) => readFileSync(join(folder, file)));

  describe(`R6: whatever the bytes are: ${family}`, () => {
    it("R6: random bytes never throw, and begin and end as they must", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(400), async (bytes, cut) => {
          check(await decode(bytes, [Math.min(cut, bytes.length)], family));
        }),
        { numRuns: runsOf(500), seed: 4 },
      );
    });

    it("R6: mutated fixtures never throw, and look the same at any cut", async () => {
      const mutation = fc.record({
        fixture: fc.nat(fixtures.length - 1),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(40),
        insert: fc.oneof(
          fc.uint8Array({ maxLength: 12 }),
          fc.constantFrom(...'{}[]"\n\r:\\'.split("").map((c) => encoder.encode(c))),
        ),
        cut: fc.double({ min: 0, max: 1, noNaN: true }),
      });
      await fc.assert(
        fc.asyncProperty(mutation, async ({ fixture, at, length, insert, cut }) => {
          const bytes = fixtures[fixture]!;
          const from = Math.floor(at * bytes.length);
          const mutated = Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(from + length)]);
          const events = await decode(mutated, [], family);
          check(events);
          assert.deepEqual(await decode(mutated, [Math.floor(cut * mutated.length)], family), events);
        }),
        { numRuns: runsOf(1500), seed: 4 },
      );
    });

    it("R6: random chunks of the right form never throw", async () => {
      const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(...messageTypes, "a", "STOP"));
      const value = fc.letrec((tie) => ({
        any: fc.oneof({ maxDepth: 6 }, leaf, tie("list"), tie("object"), tie("object")),
        list: fc.array(tie("any"), { maxLength: 3 }),
        object: fc.dictionary(fc.constantFrom(...words), tie("any"), { maxKeys: 5 }),
      })).any;
      await fc.assert(
        fc.asyncProperty(fc.array(value, { maxLength: 6 }), async (values) => {
          check(await decode(values.map((item) => `data: ${JSON.stringify(item)}\n\n`).join(""), [], family));
        }),
        { numRuns: runsOf(1500), seed: 4 },
      );
    });

    it("R6: many tiny events leave nothing behind for the event loop", async () => {
      const count = runsOf(200_000);
      const events = await decode(`data: ${JSON.stringify(tiny)}\n\n`.repeat(count), [], family);
      await turn();
      assert.equal(events[1]?.type === "text-delta" && events[1].text.length, count);
    });
  });
}

function check(events: readonly ChatEvent[]): void {
  const kinds = events.map(({ type }) => type);
  assert.equal(kinds.indexOf("message-start"), 0);
  assert.equal(kinds.lastIndexOf("message-start"), 0);
  assert.equal(kinds.indexOf("message-end"), kinds.length - 1);
  assert.ok(kinds.filter((kind) => kind === "stream-error").length <= 1);
  const started = events.flatMap((event) => (event.type === "tool-call-start" ? [event.call] : []));
  const ended = events.flatMap((event) =>
    event.type === "tool-call-end" || event.type === "tool-call-invalid" ? [event.call] : [],
  );
  assert.equal(new Set(started).size, started.length);
  assert.deepEqual([...ended].sort(), [...started].sort());
  // A later part has a higher number; what belongs to a part has that of the part.
  const blocks = events.flatMap((event) =>
    "block" in event && event.type !== "citation" && event.type !== "opaque" ? [event.block] : [],
  );
  assert.deepEqual(
    blocks,
    [...blocks].sort((one, other) => one - other),
  );
  const end = events.at(-1)!;
  assert.ok(end.type === "message-end");
  if (started.length > 0) assert.equal(end.finish, "tool-calls");
  if (end.cut) assert.ok(!kinds.includes("tool-call-end"));
}
