/** The transcript that `reduceChat` makes of events: the parts of an answer are in one entry. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Block, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";

describe("reduceChat", () => {
  const blocksOf = (events: readonly ChatEvent[]): readonly Block[] => {
    const begun = reduceChat(emptyChat("c"), {
      type: "answer-started",
      ...{ id: "a", model: "m", family: "messages", at: 1 },
    });
    const chat = events.reduce((now, event) => reduceChat(now, { type: "answer-event", id: "a", event }), begun);
    const [answer] = chat.entries;
    return answer?.type === "answer" ? answer.blocks : [];
  };

  it("S2: text goes on where it was, also behind a source of it", () => {
    const blocks = blocksOf([
      { type: "reasoning-delta", block: 0, text: "Hm." },
      { type: "opaque", block: 0, family: "messages", data: "sig" },
      { type: "text-delta", block: 1, text: "It is " },
      { type: "citation", block: 1, url: "https://a.example", raw: 0 },
      { type: "text-delta", block: 1, text: "so." },
      { type: "text-delta", block: 2, text: "Indeed." },
    ]);
    assert.deepEqual(
      blocks.map((block) => ("text" in block ? [block.type, block.text] : [block.type])),
      [["reasoning", "Hm."], ["opaque"], ["text", "It is so."], ["citation"], ["text", "Indeed."]],
    );
  });

  it("T10, T18: what the gateway has reported of an answer or a summary counts once, also where the window ended before it", () => {
    const started = { model: "m", family: "messages", at: 1 } as const;
    const cost = { amount: 2, currency: "EUR", source: "gateway" } as const;
    const reported = (id: string, input: number): SessionEvent => ({
      type: "answer-event",
      id,
      event: { type: "usage", input, output: 1, raw: null, ...(id === "c" ? { cost } : {}) },
    });
    const events: readonly SessionEvent[] = [
      { type: "prompt-added", id: "p", text: "go", at: 1 },
      { type: "turn-started" },
      { type: "answer-started", id: "a", ...started },
      reported("a", 10),
      { type: "answer-ended", id: "a", at: 2, state: "complete" },
      { type: "summary-started", id: "b", until: "p", ...started },
      reported("b", 100),
      { type: "answer-started", id: "c", ...started },
      reported("c", 1000),
      { type: "answer-started", id: "d", ...started, isFree: true },
      reported("d", 10_000),
      { type: "turn-interrupted" },
      { type: "turn-interrupted" },
    ];
    const { tokens, spent, costs } = events.reduce(reduceChat, emptyChat("c"));
    assert.equal(tokens, 11 + 101 + 1001 + 10_001);
    assert.deepEqual(spent, [{ model: "m", input: 110, output: 2, cacheRead: 0, cacheWrite: 0 }]);
    assert.deepEqual(costs, [cost], "what the local gateway answers costs nothing");
  });
});
