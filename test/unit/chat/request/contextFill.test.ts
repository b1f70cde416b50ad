/** What fills the context: counted tokens, split by length. */
import assert from "node:assert/strict";
import { changesFill, estimateAnswer, fillOf } from "../../../../src/chat/request/contextFill";
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

describe("estimateAnswer", () => {
  const blocks = [{ type: "text", block: 0, text: "t".repeat(40) }] as const;
  const summary = { ...answer({ id: "s", blocks, state: "streaming" }), type: "summary", until: "a" } as const;

  it("T10: a summary takes what it covers and what came of it, an answer all that is before it", () => {
    const cut = answer({ id: "b", blocks, state: "streaming" });
    const before = chat(user("q".repeat(400)), answer({ blocks }), user("n".repeat(4000)));
    const entries = [...before.entries, summary, cut];
    assert.equal(estimateAnswer({ entries }, summary), 100 + 10 + 10);
    assert.equal(estimateAnswer({ entries }, cut), 100 + 10 + 1000 + 10);
  });

  it("T10: there is none where the gateway has counted, and where nothing has arrived", () => {
    const counted = answer({ blocks, usage: { input: 1, raw: 0 } });
    assert.equal(estimateAnswer(chat(counted), counted), undefined);
    const empty = answer({ state: "streaming" });
    assert.equal(estimateAnswer(chat(user("hello"), empty), empty), undefined);
  });
});
