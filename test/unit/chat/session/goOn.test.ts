/** A turn whose answer did not come to its end goes on from what there is of it (A11). */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { unfinishedAnswer } from "../../../../src/domain/chat/chat";
import type { Message } from "../../../../src/domain/chat/message";
import { answersOf, callingAnswer, textAnswer } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { assertPrefixes } from "../../../support/sentBodies";

const start: ChatEvent = { type: "message-start" };
const half: ChatEvent = { type: "text-delta", block: 0, text: "Half of" };
const lost: ChatEvent = { type: "stream-error", error: { kind: "unreachable", message: "terminated" } };
const end = (finish: "stop" | "length" | "error" | "tool-calls", cut = false): ChatEvent => ({
  type: "message-end",
  finish,
  cut,
});

const unfinished: Readonly<Record<string, readonly [readonly ChatEvent[], RegExp]>> = {
  "a stream that ended without a sign": [[start, half, end("stop", true)], /^Your answer was cut off\./],
  "a connection that was lost": [[start, half, lost, end("error", true)], /^Your answer was cut off\./],
  "the output limit": [[start, half, end("length")], /^Your answer reached its output limit\./],
  "an empty answer": [[start, end("stop")], /^Your answer was empty\./],
  "nothing but thinking": [
    [start, { type: "reasoning-delta", block: 0, text: "Hm." }, end("stop")],
    /^Your answer was (?:empty|cut off)\./,
  ],
};

const textOf = (message: Message | undefined): string =>
  message?.role === "user" ? message.parts.map((part) => ("text" in part ? part.text : "")).join("") : "";

describe("going on", () => {
  for (const [what, [events, said]] of Object.entries(unfinished)) {
    it(`A11, A7: after ${what} the model gets what there is and a word about it, the same after a reload, and each request begins the next`, async () => {
      const model = answersOf(
        callingAnswer({ name: "read", input: {} }),
        events,
        textAnswer("the rest"),
        textAnswer("two"),
      );
      const lines: string[] = [];
      const tool = makeTool("read", () => Promise.resolve("text"));
      const { session } = sessionOver(model.streamChat, [tool]);
      session.onDidEmit((event) => lines.push(writeEvent(event)));
      await session.submit("one");
      assert.equal(unfinishedAnswer(session.chat)?.id, answers(session).at(-1)?.id);
      assert.equal(await session.continueTurn(), true);
      assert.deepEqual([answers(session).length, answers(session).at(-1)?.state], [3, "complete"]);
      const { messages } = model.requests[2]!;
      assert.match(textOf(messages.at(-1)), said);
      const hasText = events.includes(half);
      assert.equal(messages.at(-2)?.role, hasText || what === "nothing but thinking" ? "assistant" : "tool");
      assert.equal(await session.continueTurn(), false, "it came to its end");
      await session.submit("two");
      assertPrefixes(model.requests);

      const again = answersOf(textAnswer("three"));
      const after = sessionOver(again.streamChat, [tool], undefined, replayChat("chat", lines));
      await after.session.submit("three");
      assert.deepEqual(again.requests[0]!.messages.slice(0, -2), model.requests[3]!.messages);
    });
  }

  it("A11: a whole answer, one that was stopped and one that failed before it said anything are not gone on from", async () => {
    for (const events of [
      [start, half, end("stop")],
      [start, lost, end("error", true)],
    ]) {
      const { session } = sessionOver(answersOf(events).streamChat);
      await session.submit("one");
      assert.equal(unfinishedAnswer(session.chat), undefined);
      assert.equal(await session.continueTurn(), false);
    }
  });

  it("A11, S3: a call that the output limit cut is not run, its result says so with the remedy, and the turn goes on", async () => {
    const cut: readonly ChatEvent[] = [
      start,
      { type: "tool-call-start", block: 0, call: "a", name: "write" },
      { type: "tool-call-delta", call: "a", text: '{"path":"a.ts","content":"import' },
      { type: "tool-call-invalid", call: "a", text: "{", reason: "The answer ended.", atLimit: true },
      { type: "usage", input: 10, output: 4096, raw: null },
      end("tool-calls"),
    ];
    const model = answersOf(cut, textAnswer("in parts"));
    const { session } = sessionOver(model.streamChat, [makeTool("write", () => assert.fail("ran"))]);
    await session.submit("one");
    const result = model.requests[1]?.messages.at(-1);
    assert.match(
      result?.role === "tool" ? result.text : "",
      /cut at the output limit of 4096 tokens.*write it in parts/,
    );
    assert.deepEqual([progressOf(session), answers(session).at(-1)?.state], [["invalid"], "complete"]);
  });
});
