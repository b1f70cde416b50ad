/** Which model a chat asks: its own choice, else the one that answered last; never the choice of who exported it (A13). */
import assert from "node:assert/strict";
import { eventsToImport } from "../../../../src/chat/storage/exportChat";
import type { SessionOptions } from "../../../../src/chat/session/sessionOptions";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { choiceOf, type ChatModelChoice } from "../../../../src/domain/chat/choices";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import type { Gateway } from "../../../../src/domain/ports";
import { answersOf, textAnswer } from "../../../support/builders";
import { model, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";

const noOptions = [undefined, undefined, undefined, undefined] as const;

function choosing(count: number) {
  const choices: ChatModelChoice[] = [];
  const asks: SessionOptions["model"] = (choice) => {
    choices.push(choice);
    return Promise.resolve({ ...model, id: choice.model ?? "first" });
  };
  const over = answersOf(...Array.from({ length: count }, () => textAnswer("ok")));
  const { session } = sessionOver(over.streamChat, [], { model }, ...noOptions, { model: asks });
  return { session, choices, requests: over.requests };
}

describe("the model of a chat", () => {
  it("A13: the first answer's model stays the chat's until another is chosen, which counts from the next request on", async () => {
    const { session, choices, requests } = choosing(3);
    await session.submit("one");
    await session.submit("two");
    assert.equal(await session.choose({ type: "model-set", model: "other" }), true);
    assert.equal(await session.choose({ type: "effort-set", effort: "high" }), true);
    await session.submit("three");
    assert.deepEqual(choices, [{}, { model: "first" }, { model: "other", effort: "high" }]);
    assert.deepEqual(
      requests.map((request) => request.model),
      ["first", "first", "other"],
    );
    assert.equal(await session.choose({ type: "effort-set" }), true);
    assert.deepEqual(choiceOf(session.chat), { model: "other" });
  });

  it("T18: a fallback that has answered is not the chat's model: the next turn asks the one in whose place it was", async () => {
    const asked: string[] = [];
    const overloaded = new AppFailure({ kind: "unavailable", message: "Overloaded", status: 529 });
    const streamChat: Gateway["streamChat"] = async function* (request) {
      asked.push(request.model);
      await Promise.resolve();
      if (asked.length === 1) throw overloaded;
      yield* textAnswer("ok");
    };
    const { session } = sessionOver(streamChat, [], { model }, ...noOptions, {
      model: (choice) => Promise.resolve({ ...model, id: choice.model ?? "first", fallback: "spare" }),
      fallbackOf: (of) => (of.id === "spare" ? undefined : { ...model, id: "spare" }),
    });
    await session.submit("one");
    assert.deepEqual(choiceOf(session.chat), { model: "first" });
    await session.submit("two");
    assert.deepEqual(asked, ["first", "spare", "first"]);
    assert.deepEqual(choiceOf(session.chat), { model: "first" });
  });

  it("A13, P3: choices are there after a reload", async () => {
    const { session } = choosing(1);
    const lines: string[] = [];
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.submit("one");
    await session.choose({ type: "model-set", model: "other" });
    await session.choose({ type: "effort-set", effort: "low" });
    assert.deepEqual(choiceOf(replayChat("chat", lines)), { model: "other", effort: "low" });
  });

  it("A13, R4: an imported chat chooses nothing here, neither by its events nor by who answered", async () => {
    const { session } = choosing(1);
    const events: SessionEvent[] = [];
    session.onDidEmit((event) => events.push(event));
    await session.submit("one");
    await session.choose({ type: "model-set", model: "dear" });
    await session.choose({ type: "effort-set", effort: "high" });
    const imported: readonly SessionEvent[] = [
      ...(await eventsToImport(events)),
      { type: "chat-imported", untrusted: "chat.json" },
    ];
    assert.deepEqual(choiceOf(imported.reduce(reduceChat, emptyChat("here"))), {});
  });

  it("T18, A15: what the file of an imported chat says that a gateway stated is no evidence here", () => {
    const cost = { amount: 1, currency: "USD", source: "gateway" } as const;
    const usage = { type: "usage", input: 5, cost, raw: null } as const;
    const events: readonly SessionEvent[] = [
      { type: "answer-started", id: "a", model: "m", family: "messages", at: 0 },
      { type: "answer-event", id: "a", event: usage },
      { type: "answer-ended", id: "a", at: 1, state: "complete" },
    ];
    const own = events.reduce(reduceChat, emptyChat("here"));
    assert.deepEqual(own.costs, [cost]);
    const imported = reduceChat(own, { type: "chat-imported", untrusted: "chat.json" });
    assert.equal(imported.costs, undefined);
    assert.doesNotMatch(JSON.stringify(imported), /gateway/);
  });
});
