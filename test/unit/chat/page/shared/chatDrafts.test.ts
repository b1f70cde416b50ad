/** What waits in the composer stays with its chat. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  changeDraft,
  changeField,
  enterChat,
  type EnteredChat,
  readSavedState,
  type SavedState,
} from "../../../../../src/chat/page/shared/savedState";

const chatOf = (id: string, isEmpty = false): EnteredChat => ({ id, isEmpty });
const writtenIn = (chat: string, draft: string): SavedState => readSavedState({ chat, draft });

describe("drafts of chats", () => {
  it("P1: a draft stays with its chat, and comes back with it", () => {
    const a = { ...writtenIn("a", "for a"), references: [{ path: "a.ts" }] };
    const inB = enterChat(a, chatOf("b"), false);
    assert.deepEqual([inB.draft, inB.references], ["", []]);
    const backInA = enterChat({ ...inB, draft: "for b" }, chatOf("a"), false);
    assert.deepEqual([backInA.draft, backInA.references], ["for a", [{ path: "a.ts" }]]);
    assert.deepEqual(backInA.drafts, [{ chat: "b", draft: "for b", references: [] }]);
  });

  it("P1: a new chat takes over what was typed; it is not in the former one then", () => {
    const inNew = enterChat(writtenIn("a", "better alone"), chatOf("new", true), false);
    assert.equal(inNew.draft, "better alone");
    assert.equal(enterChat({ ...inNew, draft: "" }, chatOf("a"), false).draft, "");
  });

  it("P1: the first chat that a page shows has the text that was typed before; Enter before it is loaded sends to it", () => {
    assert.equal(enterChat(writtenIn("", "early"), chatOf("a"), false).draft, "early");
    assert.equal(enterChat(writtenIn("z", "early"), chatOf("a"), true).draft, "early");
  });

  it("P1: what was posted to a chat that another one came before stays in view, before the draft of that one", () => {
    const inB = enterChat(
      { ...writtenIn("a", "go"), drafts: [{ chat: "b", draft: "for b", references: [] }] },
      chatOf("b"),
      true,
    );
    assert.deepEqual([inB.draft, inB.drafts], ["go\n\nfor b", []]);
  });

  it("P1: the draft of a chat that is not shown is changed alone; one that is empty then is kept no more", () => {
    const before = writtenIn("b", "for b");
    const after = changeDraft(before, "a", (draft) => ({ ...draft, draft: "for a" }));
    assert.deepEqual([after.draft, after.drafts], ["for b", [{ chat: "a", draft: "for a", references: [] }]]);
    assert.equal(
      changeDraft(after, "a", (draft) => draft),
      after,
    );
    assert.deepEqual(changeDraft(after, "a", (draft) => ({ ...draft, draft: "" })).drafts, []);
  });

  it("P3: of the texts in fields the twenty newest are kept, one for each field", () => {
    const typed = Array.from({ length: 42 }, (_, at) => ({
      kind: "answer" as const,
      chat: "a",
      id: `q${at % 21}`,
      text: `${at}`,
    }));
    const { fields } = typed.reduce(changeField, writtenIn("a", ""));
    assert.deepEqual(fields, typed.slice(-20));
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
          if (saved.chat !== `chat-${chat}`) saved = enterChat(saved, chatOf(`chat-${chat}`), false);
          assert.equal(saved.draft, expected.get(saved.chat) ?? "");
          if (text === null) continue;
          saved = { ...saved, draft: text };
          expected.set(saved.chat, text);
        }
      }),
    );
    let many = writtenIn("c0", "d0");
    for (let at = 1; at < 40; at += 1) many = { ...enterChat(many, chatOf(`c${at}`), false), draft: `d${at}` };
    assert.deepEqual([many.drafts.length, many.drafts.at(-1)?.draft], [20, "d38"]);
  });
});
