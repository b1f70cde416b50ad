/** Attacks by a gateway that never ends, or answers with pictures: what is kept and sent again is bounded. */
import assert from "node:assert/strict";
import { createMessages } from "../../../../src/chat/request/history";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { buildGenerateContentRequest } from "../../../../src/gateway/families/generateContent";
import { answers, sessionOver } from "../../../support/chatSessions";

describe("bounds of answers and requests", () => {
  it("S1: pictures that a model has answered with do not make the request larger than services take", () => {
    const data = "A".repeat(4_000_000);
    const events = Array.from({ length: 8 }, (_, at): SessionEvent[] => [
      { type: "prompt-added", id: `p${at}`, text: "draw", at },
      { type: "answer-started", id: `a${at}`, model: "m", family: "generate-content", at },
      { type: "answer-event", id: `a${at}`, event: { type: "media", block: 0, mimeType: "image/png", data } },
      { type: "answer-event", id: `a${at}`, event: { type: "message-end", finish: "stop", cut: false } },
      { type: "answer-ended", id: `a${at}`, at, state: "complete" },
    ]).flat();
    const messages = createMessages(events.reduce(reduceChat, emptyChat("c")), "");
    const request: ChatRequest = { family: "generate-content", model: "m", messages, tools: [] };
    const size = JSON.stringify(buildGenerateContentRequest(request)).length;
    assert.ok(size < 20_000_000, `${Math.round(size / 1e6)} MB`);
  });

  it("P3: an answer without end is ended before it takes 100 MB of the host and of the disk", async () => {
    const { session } = sessionOver(async function* () {
      yield { type: "message-start" };
      for (let at = 0; at < 150; at += 1) {
        await Promise.resolve();
        yield { type: "text-delta", block: 0, text: "x".repeat(1_000_000) };
      }
      yield { type: "message-end", finish: "stop", cut: false };
    });
    await session.submit("go");
    const [block] = answers(session)[0]!.blocks;
    assert.ok(block?.type === "text" && block.text.length < 100_000_000, "150 MB of one answer");
  });
});
