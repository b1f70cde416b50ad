/** An answer that the service only paused is gone on with by the session itself. */
import assert from "node:assert/strict";
import { ChatSession } from "../../../../src/chat/session/session";
import type { ChatEvent, Family } from "../../../../src/domain/chat/chatEvent";
import { answersOf, connectTo, keptLog, makeGateway, textAnswer } from "../../../support/builders";
import { answers, errorOf } from "../../../support/chatSessions";
import { createMovedClock } from "../../../support/movedClock";
import { plainSessionOptions } from "../../../support/plainOptions";

function sessionWith(family: Family, ...streams: readonly (readonly ChatEvent[])[]) {
  const model = answersOf(...streams);
  const connections = connectTo(makeGateway({ streamChat: model.streamChat }));
  const session = new ChatSession({
    ...plainSessionOptions,
    connections,
    clock: createMovedClock(),
    log: keptLog(),
    model: () => Promise.resolve({ id: "m", family }),
  });
  return { session, requests: model.requests };
}

const paused = (family: Family, data: unknown, cut = false): readonly ChatEvent[] => [
  { type: "message-start" },
  { type: "text-delta", block: 0, text: "Part." },
  { type: "opaque", block: 1, family, data },
  { type: "message-end", finish: "pause", cut },
];
const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };

describe("ChatSession and a pause", () => {
  for (const [family, data] of [
    ["messages", search],
    ["generate-content", { continuationToken: "t" }],
  ] as const) {
    it(`A1: ${family}: the answer goes back as it is, without a word of the person's, and goes on in the same turn`, async () => {
      const { session, requests } = sessionWith(family, paused(family, data), textAnswer("Done."));
      await session.submit("go");
      assert.deepEqual(
        answers(session).map(({ finish, state }) => [finish, state]),
        [
          ["pause", "complete"],
          ["stop", "complete"],
        ],
      );
      assert.equal(requests.length, 2);
      assert.deepEqual(requests[1]!.messages.at(-1), {
        role: "assistant",
        family,
        model: "m",
        paused: true,
        parts: [
          { type: "text", text: "Part." },
          { type: "opaque", family, data },
        ],
      });
    });
  }

  it("A1: several pauses each hand back more, and count as rounds", async () => {
    const pauses = Array.from({ length: 240 }, (_, id) => paused("messages", { ...search, id }));
    const { session, requests } = sessionWith("messages", ...pauses);
    await session.submit("go");
    assert.equal(requests.length, 200);
    assert.equal(errorOf(answers(session).at(-1))?.action.label, "Go On");
  });

  it("A1: what hands back only what went out before is not asked again for ever", async () => {
    const same = paused("generate-content", { continuationToken: "t" });
    const { session, requests } = sessionWith("generate-content", same, same, same);
    await session.submit("go");
    assert.equal(requests.length, 2);
    assert.equal(answers(session).length, 2);
  });

  it("A1: an empty pause, one that was cut, and one of a family that has none end the turn", async () => {
    const empty: readonly ChatEvent[] = [
      { type: "message-start" },
      { type: "message-end", finish: "pause", cut: false },
    ];
    for (const [family, stream] of [
      ["messages", empty],
      ["messages", paused("messages", search, true)],
      ["chat-completions", paused("chat-completions", {})],
    ] as const) {
      const { session, requests } = sessionWith(family, stream, textAnswer("never"));
      await session.submit("go");
      assert.equal(requests.length, 1, family);
      await session.submit("again");
      const { messages } = requests[1]!;
      assert.ok(messages.every((message) => message.role !== "assistant" || message.paused === undefined));
    }
  });

  it("A1: Try Again after an answer that failed goes on from the pause", async () => {
    const failed: readonly ChatEvent[] = [
      { type: "message-start" },
      { type: "stream-error", error: { kind: "unreachable", message: "gone" } },
      { type: "message-end", finish: "error", cut: true },
    ];
    const { session, requests } = sessionWith("messages", paused("messages", search), failed, textAnswer("Done."));
    await session.submit("go");
    await session.retry();
    assert.deepEqual(requests[2]!.messages, requests[1]!.messages);
    assert.equal(answers(session).at(-1)?.state, "complete");
  });
});
