/** What fills the context: counted tokens, split by length. */
import assert from "node:assert/strict";
import { changesFill, fillOf } from "../../../../src/chat/request/contextFill";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import type { AnswerEntry, Chat, ToolCallBlock } from "../../../../src/domain/chat/chat";

const user = (text: string): Chat["entries"][number] => ({ type: "user", id: text, text, at: 0 });
const answer = (rest: Partial<AnswerEntry>): AnswerEntry => ({
  type: "answer",
  id: "a",
  model: "m",
  family: "messages",
  startedAt: 0,
  state: "complete",
  blocks: [],
  ...rest,
});
const chat = (...entries: Chat["entries"]): Chat => ({ id: "c", entries, running: false });
const read: ToolCallBlock = {
  type: "tool-call",
  block: 0,
  call: "c",
  name: "read",
  argumentText: "",
  progress: { state: "done", input: {}, action: { type: "call", name: "read" }, result: "x".repeat(2000) },
};

describe("fillOf", () => {
  it("P1: nothing is known before a service has counted", () => {
    assert.equal(fillOf(chat(user("hello"))), undefined);
    assert.equal(fillOf(chat(user("hello"), answer({ usage: { output: 5, raw: 0 } }))), undefined);
  });

  it("P1: the last count and what was added since is what is used; messages, answers and tool results have their shares, instructions the rest", () => {
    const fill = fillOf(
      chat(
        user("q".repeat(400)),
        answer({ id: "a1", blocks: [read], usage: { input: 5, output: 5, raw: 0 } }),
        answer({
          id: "a2",
          blocks: [{ type: "text", block: 0, text: "t".repeat(800) }],
          usage: { input: 1500, output: 200, raw: 0 },
        }),
        user("not sent yet"),
      ),
    );
    assert.deepEqual(fill, { used: 1703, messages: 103, answers: 200, tools: 500, rest: 900 });
  });

  it("P1: the parts never exceed what was counted", () => {
    const fill = fillOf(chat(user("字".repeat(4000)), answer({ usage: { input: 90, output: 10, raw: 0 } })));
    assert.deepEqual(fill, { used: 100, messages: 100, answers: 0, tools: 0, rest: 0 });
  });

  it("P1: a summary that is undone fills the context again, and the meter learns of it", () => {
    const counted = answer({ usage: { input: 900, output: 100, raw: 0 } });
    const summary = { ...answer({ id: "s" }), type: "summary", until: "a" } as const;
    const before = chat(user("q".repeat(2000)), counted, summary, user("next"));
    const after = reduceChat(before, { type: "summary-switched", id: "s", undone: true });
    assert.ok((fillOf(after)?.used ?? 0) > (fillOf(before)?.used ?? 0));
    assert.ok(changesFill("summary-switched"));
    assert.ok(!changesFill("answer-event"));
  });

  it("P1, A5 (newuser L1): messages that are taken back leave the context, and the meter learns of it", () => {
    const counted = answer({ usage: { input: 900, output: 100, raw: 0 } });
    const before = chat(user("q"), counted);
    const after = reduceChat(before, { type: "entries-replaced", from: "q" });
    assert.deepEqual([fillOf(before)?.used, fillOf(after)], [1000, undefined]);
    assert.ok(changesFill("entries-replaced"));
  });
});
