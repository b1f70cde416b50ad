/** After any order of messages, edits, second answers, undos, pins and summaries what is sent is valid, and belongs to the branch that is shown. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createMessages } from "../../../../src/chat/request/history";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import type { Message } from "../../../../src/domain/chat/message";
import type { Entry } from "../../../../src/domain/chat/chat";
import { callingAnswer } from "../../../support/builders";
import { makeTool } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { countedAnswer, summarizedChat, textOfMessage } from "../../../support/summarizedChats";
import { runsOf } from "../../../support/runs";

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("submit" as const), calls: fc.nat(3) }) },
  fc.record({ do: fc.constantFrom("regenerate" as const, "switch" as const, "summarize" as const) }),
  fc.record({
    do: fc.constantFrom("resend" as const, "rewind" as const, "pin" as const, "undo" as const),
    at: fc.nat(),
  }),
);

/** The names of messages and answers in a text. */
const namesIn = (text: string): string[] => text.match(/\b[mr]\d+;/g) ?? [];
const textOf = (entry: Entry): string => ("text" in entry ? entry.text : JSON.stringify(entry.blocks));

function checkWire(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    if (message.role === "system") assert.equal(index, 0);
    if (message.role !== "assistant") return;
    const calls = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.call] : []));
    const results = messages.slice(index + 1, index + 1 + calls.length);
    assert.deepEqual(
      results.map((one) => one.role === "tool" && one.call),
      calls,
      "each call has its result right behind it",
    );
    if (index + 1 + calls.length < messages.length) assert.notEqual(messages[index + 1 + calls.length]?.role, "tool");
  });
  assert.equal(messages[1]?.role, "user");
}

describe("the history with summaries", () => {
  it("A6, A7, P1: every request is valid, holds each pinned message and the one that is answered, and nothing of another branch, nor by a summary", async () => {
    let made = 0;
    const runs = runsOf(300);
    let summarised = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const lines: string[] = [];
        // The session would take an exception in a stream for a failed answer.
        const faults: unknown[] = [];
        const check = (assertion: () => void): void => {
          try {
            assertion();
          } catch (fault) {
            faults.push(fault);
          }
        };
        let left = 0;
        /** More was to be summarised than fits into the small context. */
        let isCut = false;
        const answer = (): readonly ChatEvent[] => {
          made += 1;
          left -= 1;
          if (left >= 0)
            return callingAnswer({ name: "read", input: { at: made } }, { name: "read", input: { to: made } });
          return countedAnswer(`r${made}; ${"y".repeat(300)}`);
        };
        const chat = summarizedChat(
          {
            answer: (request) => {
              check(() => checkWire(request.messages));
              check(() => checkBranch(request.messages));
              return answer();
            },
            // The summary names all that it was made of.
            summarize: ({ messages }) => {
              const asked = textOfMessage(messages[0]);
              isCut ||= asked.includes("(the oldest part is left out)");
              const names = namesIn(asked);
              const known = new Set(shownNames());
              check(() =>
                assert.ok(
                  names.every((name) => known.has(name)),
                  `${names.join(" ")} of other branches`,
                ),
              );
              return countedAnswer(`summary of ${names.join(" ")}`, 50);
            },
          },
          { tools: () => [makeTool("read", () => Promise.resolve("z".repeat(200)))] },
        );
        const { session } = chat;
        const shownNames = (): string[] => session.chat.entries.flatMap((entry) => namesIn(textOf(entry)));
        const checkBranch = (messages: readonly Message[]): void => {
          const sent = messages.map(textOfMessage).join("\n");
          const shown = new Set(
            session.chat.entries.filter(({ type }) => type !== "summary").flatMap((entry) => namesIn(textOf(entry))),
          );
          for (const name of namesIn(sent)) assert.ok(shown.has(name), `${name} is not on the branch`);
          const users = session.chat.entries.filter((entry) => entry.type === "user");
          for (const user of users) {
            const times = messages.filter((one) => one.role === "user" && textOfMessage(one) === user.text).length;
            if (user.pinned || user === users.at(-1)) assert.equal(times, 1, `${user.text} is sent once`);
            // It is sent, or a summary that is sent was made of it.
            else if (!isCut) assert.ok(namesIn(sent).includes(namesIn(user.text)[0] ?? ""), user.text);
          }
        };
        session.onDidEmit((event) => lines.push(writeEvent(event)));
        for (const one of steps) {
          const users = session.chat.entries.filter(({ type }) => type === "user");
          const user = "at" in one ? users[one.at % users.length] : undefined;
          const written = session.chat.entries.filter(({ type }) => type === "summary");
          made += 1;
          left = 0;
          if (one.do === "submit") {
            left = one.calls;
            await session.submit(`m${made}; ${"x".repeat(400)}`);
          } else if (one.do === "regenerate") await session.regenerate();
          else if (one.do === "switch") await session.switchBranch();
          else if (one.do === "summarize") await session.summarize();
          else if (one.do === "undo") {
            const summary = written[one.at % written.length];
            if (summary?.type === "summary") await session.switchSummary(summary.id, summary.undone !== true);
          } else if (user === undefined) continue;
          else if (one.do === "resend") await session.resend(user.id, `m${made}; edited ${"x".repeat(300)}`);
          else if (one.do === "rewind") await session.rewind(user.id);
          else await session.pin(user.id, user.type === "user" && user.pinned !== true);
        }
        if (faults.length > 0) throw faults[0];
        const stored = replayChat(session.chat.id, lines);
        assert.deepEqual(stored, session.chat);
        assert.deepEqual(createMessages(stored, "s"), createMessages(session.chat, "s"));
        summarised += chat.requests.filter(({ asks }) => asks === "summary").length;
      }),
      { numRuns: runs },
    );
    assert.ok(summarised > runs / 2, `only ${summarised} summaries were made`);
  });
});
