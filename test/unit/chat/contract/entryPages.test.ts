/** A long chat on its way to the page: the newest entries first, older ones on request, and deltas of a constant size. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { mergeSessionEvents } from "../../../../src/domain/chat/mergeSessionEvents";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { entriesPage, type ChatPageSnapshot } from "../../../../src/chat/contract/chatPageContract";
import { Projector } from "../../../../src/base/projector";
import { applyMessage, type ChatPageState, type StateMessage } from "../../../../src/chat/page/chatPageState";
import { createMovedClock } from "../../../support/movedClock";

const status = {
  connection: "ready",
  gateway: "g",
  model: "m",
  demoModel: false,
  trusted: true,
  suggestions: [],
} as const;

function turn(index: number): SessionEvent[] {
  return [
    { type: "prompt-added", id: `p${index}`, text: `Question ${index}`, at: 0 },
    { type: "turn-started" },
    { type: "answer-started", id: `a${index}`, model: "m", family: "messages", at: 0 },
    { type: "answer-event", id: `a${index}`, event: { type: "text-delta", block: 0, text: "x".repeat(1000) } },
    { type: "answer-ended", id: `a${index}`, at: 1, state: "complete" },
    { type: "turn-ended" },
  ];
}

const chatOf = (turns: number): Chat =>
  Array.from({ length: turns }, (_, index) => turn(index))
    .flat()
    .reduce(reduceChat, emptyChat("chat"));

/** As the host posts it and the page gets it. */
function receive(state: ChatPageState, message: StateMessage): ChatPageState {
  return applyMessage(state, JSON.parse(JSON.stringify(message)) as StateMessage).projection;
}

describe("pages of a chat", () => {
  it("P2, P3: a short chat is one page", () => {
    const chat = chatOf(3);
    assert.deepEqual(entriesPage(chat), { entries: chat.entries, older: 0 });
  });

  it("P2, P3: pages from the newest to the oldest hold every entry once, and each begins with a message of the person", () => {
    const chat = chatOf(200);
    const { entries, older } = entriesPage(chat);
    assert.ok(entries.length < 100 && older === chat.entries.length - entries.length);
    let state = receive(
      { type: "empty" },
      { type: "snapshot", revision: 0, snapshot: { chat: { ...chat, entries }, status, older } },
    );
    for (let round = 0; round < 20; round++) {
      assert.ok(state.type === "known");
      const [first] = state.snapshot.chat.entries;
      assert.equal(first?.type, "user");
      if (state.snapshot.older === 0) break;
      state = receive(state, { type: "entries", chat: chat.id, before: first.id, ...entriesPage(chat, first.id) });
    }
    assert.ok(state.type === "known");
    assert.deepEqual(state.snapshot.chat.entries, chat.entries);
  });

  it("P4: a page goes as far as the entry that is to be shown, to the beginning of its turn", () => {
    const chat = chatOf(200);
    const before = entriesPage(chat).entries[0]?.id ?? "";
    const { entries, older } = entriesPage(chat, before, "a7");
    assert.deepEqual([entries[0]?.id, older], ["p7", 14]);
    assert.deepEqual(entriesPage(chat, before, "nothing"), entriesPage(chat, before));
    assert.deepEqual(entriesPage(chat, "p20", "p150"), entriesPage(chat, "p20"));
  });

  it("P3: entries for another chat, or that were asked for before the last ones came, are ignored", () => {
    const chat = chatOf(200);
    const { entries, older } = entriesPage(chat);
    const state = receive(
      { type: "empty" },
      { type: "snapshot", revision: 0, snapshot: { chat: { ...chat, entries }, status, older } },
    );
    const before = entries[0]?.id ?? "";
    const page = entriesPage(chat, before);
    assert.equal(receive(state, { type: "entries", chat: "other", before, ...page }), state);
    const next = receive(state, { type: "entries", chat: chat.id, before, ...page });
    assert.equal(receive(next, { type: "entries", chat: chat.id, before, ...page }), next);
    assert.deepEqual(entriesPage(chat, "nothing"), { entries: [], older: 0 });
  });

  it("P2: what is posted for a token is as long for the 50,000th as for the first", async () => {
    const clock = createMovedClock();
    const emitted = new Emitter<SessionEvent>();
    let chat = chatOf(1);
    let bytes = 0;
    const projector = new Projector<ChatPageSnapshot, SessionEvent>({
      source: {
        get snapshot() {
          return { chat, status };
        },
        onDidEmit: emitted.event,
      },
      clock,
      post: (message) => (bytes += JSON.stringify(message).length),
      merge: mergeSessionEvents,
    });
    projector.sendSnapshot();
    const sizes: number[] = [];
    const event: SessionEvent = {
      type: "answer-event",
      id: "a0",
      event: { type: "text-delta", block: 0, text: "word " },
    };
    for (let token = 0; token < 50_000; token++) {
      chat = reduceChat(chat, event);
      emitted.fire(event);
      if (token > 100 && token < 49_900) continue;
      bytes = 0;
      await clock.advance(40);
      sizes.push(bytes);
    }
    const [first, last] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
    assert.ok(first > 0 && last > 0 && last <= first + 5, `${first} bytes, then ${last}`);
    projector.dispose();
  });
});
