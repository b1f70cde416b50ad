/** From the session to the page: one snapshot, then gathered deltas without a gap, and the page's own state is the host's. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { capText } from "../../../../src/domain/chat/cappedText";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { mergeSessionEvents } from "../../../../src/domain/chat/mergeSessionEvents";
import {
  chatPageContract,
  type ChatPageMessage,
  type ChatPageStatus,
} from "../../../../src/chat/contract/chatPageContract";
import { intentReader } from "../../../../src/base/pageContract";
import { applyProjected, type Projection, Projector } from "../../../../src/base/projector";
import { createMovedClock } from "../../../support/movedClock";

const status: ChatPageStatus = {
  connection: "ready",
  gateway: "Local gateway",
  model: "demo",
  demoModel: true,
  trusted: true,
  suggestions: [],
};

function setUp() {
  const clock = createMovedClock();
  const emitted = new Emitter<SessionEvent>();
  const source = { chat: emptyChat("chat"), onDidEmit: emitted.event };
  const emit = (event: SessionEvent): void => {
    source.chat = reduceChat(source.chat, event);
    emitted.fire(event);
  };
  const posted: ChatPageMessage[] = [];
  const projected = {
    get snapshot() {
      return { chat: source.chat, status };
    },
    onDidEmit: source.onDidEmit,
  };
  const projector = new Projector({
    source: projected,
    clock,
    post: (message) => posted.push(message),
    merge: mergeSessionEvents,
  });
  return { clock, emit, posted, projector, source };
}

/** What a page makes of the messages. */
function replay(posted: readonly ChatPageMessage[]): { chat: Chat; revision: number } {
  let chat = emptyChat("none");
  let revision = -1;
  for (const message of posted) {
    if (message.type === "snapshot") [chat, revision] = [message.snapshot.chat, message.revision];
    if (message.type !== "events") continue;
    assert.equal(message.after, revision, "no gap");
    chat = message.events.reduce(reduceChat, chat);
    revision += message.events.length;
  }
  return { chat, revision };
}

const start: SessionEvent[] = [
  { type: "prompt-added", id: "p", text: "hi", at: 0 },
  { type: "turn-started" },
  { type: "answer-started", id: "a", model: "m", family: "chat-completions", at: 0 },
];
const called: SessionEvent = {
  type: "answer-event",
  id: "a",
  event: { type: "tool-call-start", block: 0, call: "c", name: "work" },
};
const running: SessionEvent = {
  type: "tool-progress",
  id: "a",
  call: "c",
  progress: { state: "running", input: {}, action: { type: "call", name: "work" } },
};
const delta = (text: string): SessionEvent => ({
  type: "answer-event",
  id: "a",
  event: { type: "text-delta", block: 0, text },
});

describe("Projector", () => {
  it("P3: posts nothing before the page is ready, then everything in one snapshot", () => {
    const { emit, posted, projector, source } = setUp();
    start.forEach(emit);
    assert.deepEqual(posted, []);
    projector.sendSnapshot();
    assert.equal(posted.length, 1);
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P2: a thousand deltas within a frame are one message with one event", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    for (let n = 0; n < 1000; n += 1) emit(delta("x"));
    await clock.advance(40);
    assert.equal(posted.length, 2);
    assert.equal(posted[1]?.type === "events" && posted[1].events.length, 4);
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P2: the first event after a quiet time is posted at once, what follows within a frame together", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    await clock.advance(0);
    assert.equal(posted.length, 2, "without waiting");
    emit(delta("a"));
    await clock.advance(10);
    emit(delta("b"));
    await clock.advance(10);
    assert.equal(posted.length, 2);
    await clock.advance(13);
    assert.equal(posted.length, 3);
    await clock.advance(33);
    emit(delta("c"));
    await clock.advance(0);
    assert.equal(posted.length, 4, "quiet since the last message");
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P2, F2: what one piece of an answer brings is one message, though its events are decoded one after the other", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    await clock.advance(100);
    emit({ type: "answer-event", id: "a", event: { type: "message-start" } });
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    emit(delta("a"));
    await clock.advance(0);
    assert.equal(posted.length, 3, "the first words wait for no frame");
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P2: output and reports of a running call within a frame are one event each, and the output stays capped", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    [...start, called, running].forEach(emit);
    for (let n = 0; n < 1000; n += 1)
      emit({ type: "tool-output", id: "a", call: "c", output: capText(`${n} `.repeat(100)) });
    for (let files = 1; files <= 1000; files += 1) {
      emit({ type: "tool-activity", id: "a", call: "c", activity: { type: "files-visited", files } });
    }
    await clock.advance(40);
    assert.equal(posted.length, 2);
    assert.equal(posted[1]?.type === "events" && posted[1].events.length, 7);
    assert.ok(JSON.stringify(posted[1]).length < 40_000);
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P2: what is posted for a delta does not grow with the chat", async () => {
    const { clock, emit, posted, projector } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    emit(delta("x".repeat(100_000)));
    await clock.advance(40);
    emit(delta("y"));
    await clock.advance(40);
    assert.ok(JSON.stringify(posted.at(-1)).length < 300);
  });

  it("P3: a message begins with the revision that the one before ended with, however many events that had", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    await clock.advance(40);
    emit(delta("a"));
    await clock.advance(40);
    assert.deepEqual(
      posted.map((message) => message.type === "events" && message.after),
      [false, 0, 3],
    );
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P3: a page that was hidden mid-answer gets a snapshot when it is back, and goes on without a gap", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    await clock.advance(40);
    emit(delta("a"));
    projector.pause();
    emit(delta("b"));
    await clock.advance(1000);
    const hidden = posted.length;
    projector.sendSnapshot();
    emit(delta("c"));
    await clock.advance(40);
    assert.equal(posted.length, hidden + 2);
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("P3: deltas gathered before a snapshot are not posted again after it", async () => {
    const { clock, emit, posted, projector, source } = setUp();
    projector.sendSnapshot();
    start.forEach(emit);
    emit(delta("a"));
    projector.sendSnapshot();
    await clock.advance(1000);
    assert.deepEqual(replay(posted).chat, source.chat);
  });

  it("N21, P1: a page that is about to show another chat hears first that its prompt was taken", () => {
    const { emit, posted, projector } = setUp();
    projector.sendSnapshot();
    emit({ type: "prompt-added", id: "p", text: "hi", at: 0 });
    const next = { snapshot: { chat: emptyChat("next"), status }, onDidEmit: new Emitter<SessionEvent>().event };
    projector.show(next);
    assert.deepEqual(
      posted.slice(1).map((message) => (message.type === "events" ? message.events[0]?.type : message.type)),
      ["prompt-added", "snapshot"],
    );
    assert.equal(replay(posted).chat.id, "next");
  });
});

describe("Projector of anything", () => {
  it("P3: a page of another model is followed the same way: snapshot, events, and a new snapshot after a gap", async () => {
    const clock = createMovedClock();
    const emitted = new Emitter<number>();
    const model = { snapshot: 0, onDidEmit: emitted.event };
    const add = (amount: number): void => {
      model.snapshot += amount;
      emitted.fire(amount);
    };
    let page: Projection<number> = { type: "empty" };
    const projector = new Projector<number, number>({
      source: model,
      clock,
      post: (message) => {
        page = applyProjected(page, message, (sum, amount) => sum + amount).projection;
      },
      merge: (last, next) => last + next,
    });
    add(1);
    projector.sendSnapshot();
    add(2);
    add(3);
    await clock.advance(40);
    assert.deepEqual(page, { type: "known", revision: 1, snapshot: 6 });
    projector.pause();
    assert.equal(projector.isReady, false);
    add(4);
    projector.sendSnapshot();
    assert.deepEqual(page, { type: "known", revision: 1, snapshot: 10 });
    const { projection, lost } = applyProjected<number, number>(
      page,
      { type: "events", after: 3, events: [1] },
      Math.max,
    );
    assert.deepEqual([projection.type, lost], ["behind", true]);
    projector.dispose();
  });
});

const readIntent = intentReader(chatPageContract);

describe("intentReader", () => {
  it("P5: what is none of the intents, or of another shape, is not read", () => {
    for (const message of [
      undefined,
      "view-ready",
      { type: "eval", code: "1" },
      { type: "approval-decide", approval: "1" },
      { type: "approval-decide", approval: "1", allow: "true" },
      { type: "prompt-submit", text: "of no chat" },
      { type: "prompt-submit", chat: "chat", text: 5 },
      { type: "prompt-submit", chat: "chat", text: "x".repeat(1_000_001) },
    ]) {
      assert.equal(readIntent(message), undefined, typeof message);
    }
    assert.deepEqual(readIntent({ type: "turn-stop", extra: 1 }), { type: "turn-stop" });
  });
});
