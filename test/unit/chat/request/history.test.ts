/** The history that is sent is valid for any transcript: each call has one result, right behind it (A7). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createMessages } from "../../../../src/chat/request/history";
import type { Block, Entry, ToolProgress } from "../../../../src/domain/chat/chat";

const input = { path: "a" };
const action = { type: "read-file", path: "a" } as const;
const progress = fc.constantFrom<ToolProgress>(
  { state: "arriving" },
  { state: "invalid", reason: "cut" },
  { state: "ready", input },
  { state: "waiting", input, action, approval: { id: "1", reasons: ["writes-file"] } },
  { state: "running", input, action },
  { state: "done", input, action, result: "text" },
  { state: "failed", input, action, result: "no" },
  { state: "denied", input, action, note: "no" },
  { state: "stopped", input, action, started: true },
  { state: "interrupted", action, started: false },
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text" as const), block: fc.nat(9), text: fc.string() }),
  fc.record({ type: fc.constant("reasoning" as const), block: fc.nat(9), text: fc.string() }),
  fc.record({
    type: fc.constant("opaque" as const),
    block: fc.nat(9),
    family: fc.constant("messages" as const),
    data: fc.constant(1),
  }),
  fc.record({ type: fc.constant("citation" as const), block: fc.nat(9) }),
  fc.constant<Block>({ type: "media", block: 0, mimeType: "image/png", data: "AAAA" }),
  progress.map((at): Block => ({
    type: "tool-call",
    block: 0,
    call: "c",
    name: "read",
    argumentText: "",
    progress: at,
  })),
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), id: fc.uuid(), text: fc.string(), at: fc.constant(0) }),
  fc.record({
    type: fc.constant("answer" as const),
    id: fc.uuid(),
    model: fc.constant("m"),
    family: fc.constant("chat-completions" as const),
    startedAt: fc.constant(0),
    state: fc.constantFrom("streaming" as const, "complete" as const, "stopped" as const, "failed" as const),
    blocks: fc.array(block, { maxLength: 6 }),
  }),
);

describe("createMessages", () => {
  it("A7: every call is followed at once by its result, and a result follows nothing else", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
        const messages = createMessages({ id: "chat", entries, running: false }, "be brief");
        assert.equal(messages[0]?.role, "system");
        for (const [index, message] of messages.entries()) {
          if (message.role === "system") assert.equal(index, 0);
          if (message.role !== "assistant") continue;
          assert.ok(message.parts.length > 0, "no empty assistant message");
          const calls = message.parts.filter((part) => part.type === "tool-call").length;
          const behind = messages.slice(index + 1);
          const end = behind.findIndex(({ role }) => role !== "tool");
          assert.equal(end < 0 ? behind.length : end, calls);
        }
        const results = messages.filter(({ role }) => role === "tool").length;
        const calls = messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));
        assert.equal(results, calls.filter(({ type }) => type === "tool-call").length);
      }),
    );
  });

  it("P4: an attachment of 400,000 runs of backticks is a code block as any other", () => {
    const text = "`a".repeat(400_000);
    const asked: Entry = {
      type: "user",
      id: "p",
      text: "hi",
      at: 0,
      attachments: [{ type: "text", path: "a.md", text }],
    };
    const [, message] = createMessages({ id: "chat", entries: [asked], running: false }, "be brief");
    assert.ok(JSON.stringify(message).includes(`\`\`\`\\n${text}\\n\`\`\``));
  });
});
