/** What waits in the composer stays with its chat. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { enterChat, type EnteredChat, type PendingText } from "../../../../../src/webview/chat/shared/chatDrafts";
import { readSavedState, type SavedState } from "../../../../../src/webview/chat/shared/savedState";

const nothingPending: PendingText = { sent: undefined, isHeld: false };
const chatOf = (id: string, ...prompts: readonly string[]): EnteredChat => ({
  ...{ id, prompts, isEmpty: prompts.length === 0 },
});
const writtenIn = (chat: string, draft: string): SavedState => readSavedState({ chat, draft });

describe("drafts of chats", () => {
  it("P1: a draft stays with its chat, and comes back with it", () => {
    const a = { ...writtenIn("a", "for a"), references: [{ path: "a.ts" }] };
    const inB = enterChat(a, chatOf("b", "old"), nothingPending);
    assert.deepEqual(inB.shown, { draft: "", references: [] });
    const writtenInB = { ...inB.saved, draft: "for b" };
    const backInA = enterChat(writtenInB, chatOf("a", "older"), nothingPending);
    assert.deepEqual([backInA.shown.draft, backInA.shown.references], ["for a", [{ path: "a.ts" }]]);
    assert.deepEqual(
      backInA.saved.drafts.map(({ chat, draft }) => [chat, draft]),
      [["b", "for b"]],
    );
  });

  it("P1: a new chat takes over what was typed; it is not in the former one then", () => {
    const { saved, shown } = enterChat(writtenIn("a", "better alone"), chatOf("new"), nothingPending);
    assert.equal(shown.draft, "better alone");
    assert.equal(enterChat({ ...saved, draft: "" }, chatOf("a", "x"), nothingPending).shown.draft, "");
  });

  it("P1: the first chat that a page shows has the text that was typed before; Enter before it is loaded sends to it", () => {
    assert.equal(enterChat(writtenIn("", "early"), chatOf("a", "x"), nothingPending).shown.draft, "early");
    const held = enterChat(writtenIn("z", "early"), chatOf("a", "x"), { sent: undefined, isHeld: true });
    assert.equal(held.shown.draft, "early");
  });

  it("P1: what was sent when its chat was left is no draft of a new chat, and comes back only where it was not taken", () => {
    const sent: PendingText = { sent: "go", isHeld: false };
    const left = enterChat(writtenIn("a", "go"), chatOf("new"), sent);
    assert.equal(left.shown.draft, "");
    assert.equal(enterChat(left.saved, chatOf("a", "x", "go"), nothingPending).shown.draft, "");
    const refused = enterChat(left.saved, chatOf("a", "x"), nothingPending);
    assert.deepEqual([refused.shown.draft, refused.shown.sent], ["go", true]);
  });

  it("P1: over any walk through chats no text is lost or in two of them, up to twenty chats with a draft", () => {
    const step = fc.record({
      chat: fc.nat({ max: 9 }),
      text: fc.option(fc.string({ minLength: 1 }).filter((one) => one.trim() !== "")),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let saved = writtenIn("chat-0", "");
        const expected = new Map<string, string>();
        for (const { chat, text } of steps) {
          const entered = enterChat(saved, chatOf(`chat-${chat}`, "has a message"), nothingPending);
          saved = chat === Number(saved.chat.slice(5)) ? saved : entered.saved;
          assert.equal(saved.draft, expected.get(saved.chat) ?? "");
          if (text === null) continue;
          saved = { ...saved, draft: text };
          expected.set(saved.chat, text);
        }
      }),
    );
    let many = writtenIn("c0", "d0");
    for (let at = 1; at < 40; at += 1)
      many = { ...enterChat(many, chatOf(`c${at}`, "m"), nothingPending).saved, draft: `d${at}` };
    assert.deepEqual([many.drafts.length, many.drafts.at(-1)?.draft], [20, "d38"]);
  });
});
