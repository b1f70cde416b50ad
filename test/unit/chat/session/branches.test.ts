/** Edit and resend, regenerate, and their undo: what the model gets, what comes back, and when it is gone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createMessages } from "../../../../src/chat/request/history";
import type { Chat } from "../../../../src/domain/chat/chat";
import type { ChatSession } from "../../../../src/chat/session/session";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { makeTool, progressOf, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { runsOf } from "../../../support/runs";

/** The transcript in words. */
const shown = ({ chat }: ChatSession): string[] =>
  chat.entries.map((entry) =>
    !("blocks" in entry)
      ? entry.text
      : entry.blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join(""),
  );
const userId = ({ chat }: ChatSession, text: string): string =>
  chat.entries.find((entry) => entry.type === "user" && entry.text === text)!.id;

describe("ChatSession, replaced messages", () => {
  it("P1: an edited message replaces itself and what came after; the model gets the chat before it and the new text", async () => {
    const model = answersOf(textAnswer("1"), textAnswer("2"), textAnswer("new"));
    const { session } = sessionOver(model.streamChat);
    await session.submit("one");
    await session.submit("two");
    assert.equal(await session.resend(userId(session, "two"), "two, edited"), true);
    assert.deepEqual(shown(session), ["one", "1", "two, edited", "new"]);
    const sent = model.requests[2]!.messages.map((message) =>
      message.role === "user" || message.role === "assistant" ? message.parts : [],
    );
    assert.deepEqual(sent.slice(1).flat(), [
      { type: "text", text: "one" },
      { type: "text", text: "1" },
      { type: "text", text: "two, edited" },
    ]);
  });

  it("P1: regenerating asks for the last turn again, with its tool calls gone from the history", async () => {
    const model = answersOf(callingAnswer({ name: "read", input: {} }), textAnswer("first"), textAnswer("second"));
    const { session } = sessionOver(model.streamChat, [makeTool("read", () => Promise.resolve("text"))]);
    await session.submit("go");
    assert.equal(await session.regenerate(), true);
    assert.deepEqual(shown(session), ["go", "second"]);
    assert.deepEqual(
      model.requests[2]!.messages.map(({ role }) => role),
      ["system", "user"],
    );
  });

  it("P1: one undo brings the old branch back, another the new one; the next message goes on from the one that is shown", async () => {
    const model = answersOf(textAnswer("1"), textAnswer("2"), textAnswer("3"));
    const { session } = sessionOver(model.streamChat);
    await session.submit("one");
    await session.resend(userId(session, "one"), "other");
    assert.deepEqual(shown(session), ["other", "2"]);
    assert.equal(await session.switchBranch(), true);
    assert.deepEqual(shown(session), ["one", "1"]);
    assert.equal(session.chat.otherBranch?.isNewer, true);
    assert.equal(await session.switchBranch(), true);
    assert.deepEqual(shown(session), ["other", "2"]);
    await session.switchBranch();
    await session.submit("next");
    assert.deepEqual(shown(session), ["one", "1", "next", "3"]);
    assert.equal(await session.switchBranch(), false, "the next message ended it");
  });

  it("A5: what a rewind did to the files is kept with the branch through its undo and redo, until the next message", async () => {
    const { session } = sessionOver(answersOf(textAnswer("1"), textAnswer("2")).streamChat);
    await session.submit("one");
    const rewound = { operation: "o", files: 2 };
    const other = (): Chat["otherBranch"] => session.chat.otherBranch;
    await session.rewind(userId(session, "one"), rewound);
    assert.deepEqual(other()?.rewound, rewound);
    await session.switchBranch();
    assert.deepEqual([shown(session), other()?.rewound], [["one", "1"], rewound]);
    await session.switchBranch();
    assert.deepEqual([shown(session), other()?.isNewer], [[], undefined]);
    await session.submit("two");
    assert.equal(other(), undefined);
  });

  it("P1: nothing is replaced while a turn runs, by an empty text, or for a message that is gone", async () => {
    const model = answersOf(callingAnswer({ name: "slow", input: {} }), textAnswer("2"));
    const { session } = sessionOver(model.streamChat, [makeTool("slow", () => new Promise(() => undefined))]);
    const turn = session.submit("one");
    await until(() => progressOf(session).includes("running"));
    const id = userId(session, "one");
    assert.equal(await session.resend(id, "other"), false);
    assert.equal(await session.regenerate(), false);
    session.stop();
    await turn;
    assert.equal(await session.resend(id, " \n"), false);
    assert.equal(await session.resend("unknown", "text"), false);
    assert.equal(await session.resend(session.chat.entries.at(-1)!.id, "an answer is no message"), false);
    assert.equal(await session.switchBranch(), false);
    assert.deepEqual(shown(session), ["one", "[tool-call]"]);
    assert.equal(await session.resend(id, "other"), true);
    assert.deepEqual(shown(session), ["other", "2"]);
  });

  it("P1: an edited message whose answer fails is kept, and the old branch with it", async () => {
    let calls = 0;
    const { session } = sessionOver(async function* () {
      calls += 1;
      await Promise.resolve();
      if (calls === 2) throw new AppFailure({ kind: "unavailable", message: "busy", status: 503 });
      yield* textAnswer(String(calls));
    });
    await session.submit("one");
    await session.resend(userId(session, "one"), "other");
    assert.equal(await session.retry(), true);
    assert.deepEqual(shown(session), ["other", "", "3"]);
    await session.switchBranch();
    assert.deepEqual(shown(session), ["one", "1"]);
  });

  it("P1, P4, A7: after any order of messages, edits, second answers and undos the stored chat is the same and its history valid", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("submit" as const) }),
      fc.record({ do: fc.constant("regenerate" as const) }),
      fc.record({ do: fc.constant("switch" as const) }),
      fc.record({ do: fc.constant("resend" as const), at: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const lines: string[] = [];
        const asked: string[][] = [];
        const { session } = sessionOver(async function* ({ messages }) {
          asked.push(messages.slice(1).map(({ role }) => role));
          await Promise.resolve();
          yield* textAnswer(`answer ${asked.length}`);
        });
        session.onDidEmit((event) => lines.push(writeEvent(event)));
        for (const [index, made] of steps.entries()) {
          const users = session.chat.entries.filter(({ type }) => type === "user");
          const before = shown(session);
          if (made.do === "submit") await session.submit(`message ${index}`);
          else if (made.do === "regenerate") await session.regenerate();
          else if (made.do === "resend" && users.length > 0) {
            await session.resend(users[made.at % users.length]!.id, `edited ${index}`);
            await session.switchBranch();
            assert.deepEqual(shown(session), before, "an undo brings back what was there");
            await session.switchBranch();
          } else if (made.do === "switch") await session.switchBranch();
        }
        // Each family wants the person's message last, and roles in turns. Not in the answer: a session takes what it throws for a failed one.
        for (const roles of asked) {
          assert.equal(roles.at(-1), "user");
          assert.ok(
            roles.every((role, index) => role === (index % 2 === 0 ? "user" : "assistant")),
            roles.join(" "),
          );
        }
        const chat = replayChat(session.chat.id, lines);
        assert.deepEqual(chat, session.chat);
        assert.deepEqual(createMessages(chat, "s"), createMessages(session.chat, "s"));
      }),
      { numRuns: runsOf(200) },
    );
  });
});
