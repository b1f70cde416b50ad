/** The transcript that `reduceChat` makes of events: the parts of an answer are in one entry. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Block, emptyChat } from "../../../../src/domain/chat/chat";

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
});
