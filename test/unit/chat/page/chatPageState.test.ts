/** The page's copy of the chat: revisions in order, repeated, missed, and unknown. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import type { ChatPageStatus } from "../../../../src/chat/contract/chatPageContract";
import { applyMessage, type ChatPageState, type StateMessage } from "../../../../src/chat/page/chatPageState";
import { readSavedState } from "../../../../src/chat/page/shared/savedState";

const status: ChatPageStatus = {
  connection: "ready",
  gateway: "Local gateway",
  model: "m",
  demoModel: true,
  trusted: true,
  suggestions: [],
};
const story: readonly SessionEvent[] = [
  { type: "prompt-added", id: "p", text: "Hi", at: 1 },
  { type: "turn-started" },
  { type: "answer-started", id: "a", model: "m", family: "messages", at: 2 },
  ...Array.from("some words", (text): SessionEvent => ({
    type: "answer-event",
    id: "a",
    event: { type: "text-delta", block: 0, text },
  })),
  { type: "answer-ended", id: "a", at: 3, state: "complete" },
  { type: "turn-ended" },
];
const chatAt = (revision: number) => story.slice(0, revision).reduce(reduceChat, emptyChat("c"));
const snapshot = (revision: number): StateMessage => ({
  type: "snapshot",
  revision,
  snapshot: { chat: chatAt(revision), status },
});
const events = (after: number, end: number): StateMessage => ({
  type: "events",
  after,
  events: story.slice(after, end),
});

function apply(
  messages: readonly StateMessage[],
  state: ChatPageState = { type: "empty" },
): { state: ChatPageState; lost: number } {
  let lost = 0;
  for (const message of messages) {
    const step = applyMessage(state, message);
    state = step.projection;
    if (step.lost) lost += 1;
  }
  return { state, lost };
}

describe("panel state", () => {
  it("P3: whatever is repeated, overlaps or is lost, asking for snapshots ends at the host's chat", () => {
    const message = fc.tuple(fc.nat({ max: story.length }), fc.nat({ max: 6 }));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), (posts) => {
        let state: ChatPageState = { type: "empty" };
        for (const [after, count] of posts) {
          const step = applyMessage(state, events(after, Math.min(after + count, story.length)));
          state = step.lost
            ? applyMessage(step.projection, snapshot(Math.min(after + count, story.length))).projection
            : step.projection;
          if (state.type === "known") assert.deepEqual(state.snapshot.chat, chatAt(state.revision));
          if (state.type === "empty") state = applyMessage(state, snapshot(after)).projection;
        }
        const end = apply([snapshot(story.length)], state);
        assert.deepEqual(end.state, {
          type: "known",
          revision: story.length,
          snapshot: { chat: chatAt(story.length), status },
        });
      }),
    );
  });

  it("P3: a gap is told once, and what was shown stays until the snapshot", () => {
    const { state, lost } = apply([snapshot(2), events(4, 5), events(5, 6), events(6, 7)]);
    assert.equal(lost, 1);
    assert.equal(state.type, "behind");
    assert.deepEqual(state.snapshot.chat, chatAt(2));
  });

  it("P3: events before the first snapshot ask for nothing more", () => {
    assert.deepEqual(apply([events(0, 3), events(3, 4)]), { state: { type: "empty" }, lost: 0 });
  });

  it("P1: a chat of which the page has only the newest entries is asked for anew when its branch changes", () => {
    const { type, revision, snapshot: whole } = snapshot(story.length) as Extract<StateMessage, { type: "snapshot" }>;
    const part: StateMessage = { type, revision, snapshot: { ...whole, older: 3 } };
    const after: StateMessage = { type: "events", after: revision, events: [{ type: "branch-switched" }] };
    assert.equal(apply([part, after]).lost, 1);
    assert.equal(apply([{ type, revision, snapshot: whole }, after]).lost, 0);
    assert.equal(apply([part, { ...after, events: [{ type: "turn-started" }] }]).lost, 0);
  });

  it("P2: entries that did not change stay the same objects", () => {
    const before = apply([snapshot(5)]).state;
    const now = applyMessage(before, events(5, 8)).projection;
    assert.ok(before.type === "known" && now.type === "known");
    assert.equal(now.snapshot.chat.entries[0], before.snapshot.chat.entries[0]);
    assert.notEqual(now.snapshot.chat.entries[1], before.snapshot.chat.entries[1]);
  });

  it("P3: an event that can't be applied asks for a snapshot", () => {
    const broken = { type: "events", after: 3, events: [{ type: "answer-event", id: "a" }] } as unknown as StateMessage;
    assert.equal(apply([snapshot(3), broken]).lost, 1);
  });

  it("P3: of what the page kept, only what is understood comes back", () => {
    assert.deepEqual(readSavedState(undefined), {
      page: "",
      changes: 0,
      chat: "",
      draft: "",
      references: [],
      drafts: [],
      opened: [],
      edits: [],
      fields: [],
    });
    const drafts = [{ chat: "b" }, { chat: "c", draft: "x", references: [1] }, 3];
    assert.deepEqual(readSavedState({ draft: 1, opened: ["a", 2], anchor: { entry: "e" }, drafts }), {
      page: "",
      changes: 0,
      chat: "",
      draft: "",
      references: [],
      drafts: [{ chat: "c", draft: "x", references: [] }],
      opened: ["a"],
      edits: [],
      fields: [],
    });
    const edits = [
      { entry: "p", text: "t" },
      { entry: "q", text: "u", without: [0, -1, 0.5, "1", 2] },
    ];
    assert.deepEqual(readSavedState({ edits }).edits, [
      { entry: "p", text: "t", without: [] },
      { entry: "q", text: "u", without: [0, 2] },
    ]);
    const field = { kind: "answer", chat: "c", id: "q", text: "t" } as const;
    const fields = [field, { ...field, kind: "other" }, { ...field, id: 1 }, null];
    assert.deepEqual(readSavedState({ fields }).fields, [field]);
    const whole = {
      page: "view",
      changes: 4,
      fields: [field],
      chat: "c",
      draft: "d",
      references: [{ path: "a.ts" }],
      drafts: [{ chat: "b", draft: "e", references: [{ path: "b.ts" }] }],
      opened: ["a"],
      edits: [{ entry: "p", text: "t", without: [1] }],
      anchor: { entry: "e", offset: 3 },
    };
    assert.deepEqual(readSavedState(structuredClone(whole)), whole);
  });
});
