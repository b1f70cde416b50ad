/** A chat that is stored as lines and replayed: the same transcript, and the same history for the gateway. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createMessages } from "../../../../src/chat/request/history";
import { emptySession, readRecord, reduceSession, writeRecord } from "../../../../src/chat/storage/records";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat } from "../../../../src/domain/chat/chat";
import { sessionEventSchema } from "../../../../src/domain/chat/chatSchema";
import { arbitraryOf } from "../../../support/arbitraryOf";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver } from "../../../support/chatSessions";
import { runsOf } from "../../../support/runs";

// Few ids and blocks, so that events meet the answers and calls of others.
const sessionEvent = arbitraryOf(sessionEventSchema, {
  id: fc.constantFrom("a", "b", "c"),
  call: fc.constantFrom("call-0", "__proto__"),
  block: fc.nat({ max: 2 }),
});
// Of eleven kinds the events of an answer are the most.
const answerEvent = sessionEvent.filter(({ type }) => type === "answer-event" || type === "tool-progress");
const events = fc.array(fc.oneof(sessionEvent, answerEvent), { maxLength: 60, size: "max" });

function replayChat(id: string, lines: readonly string[]): { readonly chat: Chat; readonly unreadable: number } {
  const records = lines.map(readRecord);
  const read = records.filter((record) => record !== undefined);
  return { chat: read.reduce(reduceSession, emptySession(id, 0)).chat, unreadable: records.length - read.length };
}

/** What the gateway gets when the person says one thing more. */
async function requestsAfter(stored: Chat): Promise<string> {
  const model = answersOf(textAnswer("done"));
  const { session } = sessionOver(model.streamChat, [], undefined, stored);
  await session.submit("go on");
  return JSON.stringify(model.requests);
}

describe("a stored chat", () => {
  it("P4, A7: any events → lines → session: the same transcript and, byte by byte, the same history", () => {
    fc.assert(
      fc.property(events, (story) => {
        const before = story.reduce(reduceChat, emptyChat("chat"));
        const { chat, unreadable } = replayChat("chat", story.map(writeRecord));
        assert.equal(unreadable, 0);
        // Property by property, but not by prototype: -0 is written as 0.
        assert.equal(JSON.stringify(chat), JSON.stringify(before));
        assert.equal(JSON.stringify(createMessages(chat, "s")), JSON.stringify(createMessages(before, "s")));
        const { session } = sessionOver(() => assert.fail("asked"), [], undefined, chat);
        assert.equal(session.chat.running, false);
        assert.ok(session.chat.entries.every((entry) => entry.type === "user" || entry.id.length > 0));
      }),
      { numRuns: runsOf(500) },
    );
  });

  it("P4: a session that goes on from a stored chat asks the gateway as the first one would have", async () => {
    await fc.assert(
      fc.asyncProperty(events, async (story) => {
        const before = story.reduce(reduceChat, emptyChat("chat"));
        const { chat } = replayChat("chat", story.map(writeRecord));
        assert.equal(await requestsAfter(chat), await requestsAfter(before));
      }),
      { numRuns: runsOf(100) },
    );
  });

  it("P4: a line that is torn or of a kind that this version does not know is counted, and the others are read", () => {
    const lines = [
      writeRecord({ type: "prompt-added", id: "p", text: "hi", at: 1 }),
      '{"type":"turn-star',
      '{"type":"of-a-newer-version"}',
      writeRecord({ type: "turn-started" }),
    ];
    const { chat, unreadable } = replayChat("chat", lines);
    assert.equal(unreadable, 2);
    assert.deepEqual([chat.entries.length, chat.running], [1, true]);
  });

  it("P3, P4: a turn that was cut in mid-answer is interrupted, keeps its text, and its request is not sent again", async () => {
    const lines: string[] = [];
    const first = sessionOver(async function* () {
      yield* textAnswer("half").slice(0, 2);
      await new Promise(() => undefined);
    });
    first.session.onDidEmit((event) => lines.push(writeRecord(event)));
    void first.session.submit("go");
    await until(() => answers(first.session)[0]?.blocks.length === 1);
    const model = answersOf(textAnswer("the rest"));
    const second = sessionOver(model.streamChat, [], undefined, replayChat("chat", lines).chat);
    const [answer] = answers(second.session);
    assert.deepEqual([answer?.state, answer?.blocks], ["interrupted", [{ type: "text", block: 0, text: "half" }]]);
    assert.equal(second.session.chat.running, false);
    assert.equal(model.requests.length, 0);
    await second.session.submit("go on");
    const roles = model.requests[0]!.messages.map(({ role }) => role);
    assert.deepEqual(roles, ["system", "user", "assistant", "user"]);
    first.session.stop();
  });

  it("A7, P4: a call that ran when the window ended may have had effects, one that waited had none, and the model is told", async () => {
    const lines: string[] = [];
    const calls = callingAnswer({ name: "slow", input: {} }, { name: "ask", input: {} });
    const first = sessionOver(answersOf(calls).streamChat, [
      makeTool("slow", () => new Promise(() => undefined)),
      makeTool("ask", () => assert.fail("ran"), true),
    ]);
    first.session.onDidEmit((event) => lines.push(writeRecord(event)));
    void first.session.submit("go");
    await until(() => progressOf(first.session).includes("running"));
    const model = answersOf(textAnswer("done"));
    const second = sessionOver(model.streamChat, [], undefined, replayChat("chat", lines).chat);
    assert.deepEqual(progressOf(second.session), ["interrupted", "interrupted"]);
    await second.session.submit("go on");
    const results = model.requests[0]!.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
    assert.match(results[0] ?? "", /while this call was running/);
    assert.match(results[1] ?? "", /before this call had run/);
    first.session.stop();
  });
});
