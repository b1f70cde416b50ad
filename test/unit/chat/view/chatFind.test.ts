/** The host's half of Find in Chat: once at once, then calmly as the chat changes, and no more when it is closed. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { Store } from "../../../../src/base/store";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import type { ChatPageMessage } from "../../../../src/chat/contract/chatPageContract";
import { ChatFind } from "../../../../src/chat/view/chatFind";
import { createMovedClock } from "../../../support/movedClock";

class FoundSession {
  chat: Chat;
  readonly #emitted = new Emitter<SessionEvent>();
  readonly onDidEmit = this.#emitted.event;

  constructor(id: string) {
    this.chat = emptyChat(id);
  }

  say(id: string, text: string): void {
    const event: SessionEvent = { type: "prompt-added", id, text, at: 0 };
    this.chat = reduceChat(this.chat, event);
    this.#emitted.fire(event);
  }
}

function setUp() {
  const clock = createMovedClock();
  const first = new FoundSession("first");
  const session = new Store(first);
  const posted: Extract<ChatPageMessage, { type: "chat-found" }>[] = [];
  const found = new ChatFind({
    session,
    clock,
    post: (message) => {
      assert.ok(message.type === "chat-found");
      posted.push(message);
    },
  });
  return { clock, first, session, posted, found };
}

describe("Find in Chat in the host", () => {
  it("P2, P4: what changes is found again, at most three times a second", async () => {
    const { clock, first, posted, found } = setUp();
    first.say("p1", "word");
    found.ask("word");
    await clock.advance(0);
    assert.deepEqual(posted, [
      { type: "chat-found", chat: "first", query: "word", hits: [{ entry: "p1", parts: [1] }] },
    ]);
    for (let index = 0; index < 100; index += 1) {
      first.say(`q${index}`, "word");
      await clock.advance(10);
    }
    await clock.advance(300);
    assert.ok(posted.length >= 4 && posted.length <= 6, `${posted.length} times in 1.3 s`);
    assert.equal(posted.at(-1)?.hits.length, 101);
    await clock.advance(5000);
    assert.equal(clock.waiting, 0, "nothing is searched while nothing changes");
  });

  it("P4: another chat that is shown is searched too; closed, nothing is", async () => {
    const { clock, first, session, posted, found } = setUp();
    found.ask("word");
    await clock.advance(0);
    const second = new FoundSession("second");
    second.say("p", "a word");
    session.set(second);
    await clock.advance(300);
    assert.deepEqual(posted.at(-1), {
      type: "chat-found",
      chat: "second",
      query: "word",
      hits: [{ entry: "p", parts: [1] }],
    });
    found.ask("");
    const count = posted.length;
    second.say("q", "word");
    first.say("r", "word");
    await clock.advance(1000);
    assert.equal(posted.length, count);
  });
});
