/** Words and sums for a turn, following, and what is announced. */
import { noPriceList } from "../../../../../src/domain/prices/priceList";
import assert from "node:assert/strict";
import { config } from "@vscode/l10n";
import { fileOfAction, countLines } from "../../../../../src/domain/chat/changedLines";
import { reduceChat } from "../../../../../src/domain/chat/reduceChat";
import { type AnswerEntry, emptyChat, type SessionEvent, type ToolAction } from "../../../../../src/domain/chat/chat";
import { announce, announceReferences } from "../../../../../src/chat/page/announcements";
import { followsAfter } from "../../../../../src/chat/page/following";
import { callArguments, callState, callTitle } from "../../../../../src/chat/page/rows/toolText";
import {
  describeEnd,
  describeTurn,
  isTurnEnd,
  isAwaitingModel,
  changesOfTurn,
  summariseTurn,
} from "../../../../../src/chat/page/shared/turn";

const answer = (rest: Partial<AnswerEntry> = {}): AnswerEntry => ({
  type: "answer",
  id: "a",
  model: "m",
  family: "messages",
  startedAt: 1000,
  endedAt: 3000,
  state: "complete",
  blocks: [{ type: "text", block: 0, text: "words" }],
  finish: "stop",
  cut: false,
  ...rest,
});
const user = { type: "user", id: "u", text: "?", at: 0 } as const;

describe("turn", () => {
  it("P6, A6: a screen reader hears when older messages are summarised and what became of it; nothing else says that the model is awaited", () => {
    const summary = { id: "s", model: "m", family: "messages", at: 1, until: "u" } as const;
    const events: readonly SessionEvent[] = [
      { type: "prompt-added", id: "u", text: "?", at: 0 },
      { type: "turn-started" },
      { type: "summary-started", ...summary },
      { type: "answer-ended", id: "s", state: "complete", at: 2 },
      { type: "turn-ended" },
    ];
    let chat = emptyChat("c");
    const said = events.map((event) => {
      const before = chat;
      chat = reduceChat(chat, event);
      return [...announce(before, chat), isAwaitingModel(chat)];
    });
    assert.deepEqual(said, [
      [false],
      [true],
      ["Summarizing older messages…", false],
      ["Summary of older messages", true],
      [false],
    ]);
  });

  it("P1: usage and time are summed over the answers of the turn, and grouped by locale", () => {
    const entries = [
      answer({ usage: { input: 9, output: 9, raw: 0 } }),
      user,
      answer({ id: "a1", usage: { input: 1000, output: 300, raw: 0 } }),
      answer({ id: "a2", startedAt: 9000, endedAt: 11_200, usage: { input: 204, output: 56, raw: 0 } }),
    ];
    const summary = summariseTurn(entries, 3);
    const spent = [{ model: "m", input: 1204, output: 356, cacheRead: 0, cacheWrite: 0 }];
    const sums = { model: "m", input: 1204, output: 356, milliseconds: 4200, text: "words\n\nwords", spent, costs: [] };
    assert.deepEqual(summary, sums);
    const prices = { ...noPriceList, entries: [{ model: "m", input: 1, output: 10 }] };
    const priced = "m · 1,204 in, 356 out · $0.0048 by your price list · 4.2 s";
    assert.equal(describeTurn(summary, "en", prices).join(" · "), priced, "T18");
    assert.equal(describeTurn(summary, "en", undefined).join(" · "), "m · 1,204 in, 356 out · 4.2 s");
    assert.equal(describeTurn(summary, "de", undefined).join(" · "), "m · 1.204 in, 356 out · 4,2 s");
    const cached = { ...summary, cached: 903 };
    assert.equal(
      describeTurn(cached, "en", undefined).join(" · "),
      "m · 1,204 in, 356 out · 75% from the cache · 4.2 s",
    );
    assert.equal(
      describeTurn({ ...cached, written: 301 }, "en", undefined).join(" · "),
      "m · 1,204 in, 356 out · 75% from the cache · 301 written to the cache · 4.2 s",
    );
    // A service that counts what it read beside the prompt says nothing that can be shown as a share of it.
    for (const odd of [0, 1205])
      assert.equal(
        describeTurn({ ...summary, cached: odd }, "en", undefined).join(" · "),
        describeTurn(summary, "en", undefined).join(" · "),
      );
    assert.equal(
      describeTurn({ model: "m", milliseconds: 900, text: "", spent: [], costs: [] }, "en", undefined).join(" · "),
      "m · 0.9 s",
    );
    // A free answer has no price, also by the list, and makes the sum no lower bound.
    const free = answer({ id: "a1", isFree: true, usage: { input: 1000, output: 300, raw: 0 } });
    const mixed = summariseTurn([user, free, { ...entries[3]!, id: "a2" }], 2);
    assert.match(describeTurn(mixed, "en", prices).join(" · "), /1,204 in, 356 out · \$0\.00076 by your price list/);
    const withoutKey = answer({ model: "", state: "failed" });
    assert.equal(summariseTurn([user, withoutKey, answer({ id: "a1" })], 2).model, "m");
  });

  it("P1: the footer stands under the last answer of a turn that has ended", () => {
    const chat = {
      id: "c",
      entries: [user, answer(), answer({ id: "b" }), { ...user, id: "v" }, answer({ id: "d" })],
      running: true,
    };
    assert.deepEqual(
      chat.entries.map((_, index) => isTurnEnd(chat, index)),
      [false, false, true, false, false],
    );
    assert.ok(isTurnEnd({ ...chat, running: false }, 4));
  });

  it("P1: how an answer ended is said in words, and an ordinary end is not", () => {
    assert.deepEqual(describeEnd(answer()), []);
    assert.deepEqual(describeEnd(answer({ state: "streaming", cut: true })), []);
    for (const finish of [
      "length",
      "content-filter",
      "refusal",
      "context-window",
      "pause",
      "error",
      "unknown",
    ] as const) {
      assert.equal(describeEnd(answer({ finish })).length, 1, finish);
    }
    assert.deepEqual(describeEnd(answer({ finish: "pause" }), false), [], "the turn goes on from it");
    assert.equal(describeEnd(answer({ finish: "length" }), false).length, 1);
    assert.match(describeEnd(answer({ finish: "unknown", cut: true })).join(), /^May be cut/);
    const failure = { type: "gateway", error: { kind: "unreachable", message: "" } } as const;
    assert.deepEqual(describeEnd(answer({ finish: "unknown", cut: true, failure })), [], "the card says why");
    assert.match(describeEnd(answer({ state: "stopped", finish: "unknown", cut: true })).join(), /^Stopped\. [^M]*$/);
    const free = describeEnd(answer({ state: "stopped", isFree: true }));
    assert.deepEqual(free, ["Stopped. What arrived is kept."], "the local gateway charges nothing");
    assert.match(describeEnd(answer({ blocks: [] })).join(), /^The answer is empty/);
  });

  it("P1: it waits for the model until there is something to see, and not for a person", () => {
    const waiting = (progress: "waiting" | "done"): boolean => {
      const input = {};
      const action = { type: "call", name: "n" } as const;
      const now =
        progress === "done"
          ? ({ state: "done", input, action, result: "" } as const)
          : ({ state: "waiting", input, action, approval: { id: "1", reasons: ["secret"] } } as const);
      const block = { type: "tool-call", block: 0, call: "c", name: "n", argumentText: "", progress: now } as const;
      return isAwaitingModel({ id: "c", running: true, entries: [user, answer({ blocks: [block] })] });
    };
    assert.ok(isAwaitingModel({ id: "c", running: true, entries: [user] }));
    assert.ok(!isAwaitingModel({ id: "c", running: false, entries: [user] }));
    assert.ok(!isAwaitingModel({ id: "c", running: true, entries: [user, answer({ state: "streaming" })] }));
    assert.ok(waiting("done"));
    assert.ok(!waiting("waiting"));
  });

  it("P1: it follows at the end only, and a small step up is enough to stop", () => {
    const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 400 });
    assert.ok(followsAfter(true, at(600), at(600)));
    assert.ok(!followsAfter(true, at(600), at(590)), "a person moved up");
    assert.ok(followsAfter(true, at(600), at(600, 2000)), "the text grew");
    assert.ok(!followsAfter(false, at(100), at(300)), "moved down, not to the end");
    assert.ok(followsAfter(false, at(300), at(570)), "came near the end");
    assert.ok(followsAfter(true, at(600), at(500, 900)), "the text shrank under the view");
  });

  it("P6: announcements are sentences about what changed", () => {
    const action = { type: "edit-file", path: "a", changedLines: 1 } as const;
    const approval = { id: "1", reasons: ["writes-file"] } as const;
    const events: SessionEvent[] = [
      { type: "prompt-added", id: "p", text: "Hi", at: 1 },
      { type: "turn-started" },
      { type: "answer-started", id: "a", model: "m", family: "messages", at: 2 },
      { type: "answer-event", id: "a", event: { type: "text-delta", block: 0, text: "words" } },
      { type: "answer-event", id: "a", event: { type: "tool-call-start", block: 1, call: "c", name: "edit" } },
      { type: "tool-progress", id: "a", call: "c", progress: { state: "waiting", input: {}, action, approval } },
      { type: "answer-ended", id: "a", at: 3, state: "complete" },
      { type: "turn-ended" },
    ];
    let chat = emptyChat("c");
    const said = events.flatMap((event) => {
      const before = chat;
      chat = reduceChat(chat, event);
      return announce(before, chat);
    });
    assert.deepEqual(said, ["Approval needed: Edit a: 1 line changed (changes a file)", "Answer finished"]);
    assert.deepEqual(announce(undefined, chat), []);
  });

  it("P6: the queue and the attachments are announced, sending is not announced as a removal", () => {
    const queue = (id: string): SessionEvent => ({ type: "prompt-queued", id, text: id, at: 1 });
    const unread = { type: "unread", path: ".env", reason: "secret" } as const;
    const events: SessionEvent[] = [
      { type: "prompt-added", id: "p", text: "Hi", at: 1, references: [{ path: ".env" }] },
      { type: "turn-started" },
      { type: "attachments-read", id: "p", attachments: [unread] },
      queue("q1"),
      queue("q2"),
      { type: "prompt-unqueued", id: "q1" },
      { type: "turn-ended" },
      { type: "prompt-added", id: "q2", text: "q2", at: 2 },
    ];
    let chat = emptyChat("c");
    const said = events.flatMap((event) => {
      const before = chat;
      chat = reduceChat(chat, event);
      return announce(before, chat);
    });
    assert.deepEqual(said, [
      "Not sent: .env",
      "Queued: 1 waiting",
      "Queued: 2 waiting",
      "Removed: 1 waiting",
      "Stopped",
      "Sent: 0 waiting",
    ]);
    const one = { path: "a.ts" };
    const two = { path: "b.ts", lines: { first: 1, last: 2 } };
    const draft = { draft: "Look", references: [one] };
    assert.deepEqual(announceReferences(draft, { draft: "Look", references: [one, two] }), ["Attached: b.ts:1-2"]);
    assert.deepEqual(announceReferences(draft, { draft: "Look", references: [] }), ["Removed: a.ts"]);
    assert.deepEqual(announceReferences(draft, { draft: "", references: [] }), []);
  });

  it("A3: a call's line and arguments show what can't be seen", () => {
    const block = { type: "tool-call", block: 0, call: "c", name: "read", argumentText: '{"pa' } as const;
    const ready = { ...block, progress: { state: "ready", input: { path: "a\u202eb" } } } as const;
    assert.equal(callTitle(ready), "read a⟨U+202E⟩b");
    assert.equal(callArguments(ready), '{\n  "path": "a⟨U+202E⟩b"\n}');
    const invalid = { ...block, progress: { state: "invalid", reason: "cut" } } as const;
    assert.equal(callArguments(invalid), '{"pa');
    assert.equal(callState(invalid.progress), "not run: cut");
  });

  it("A3: the line of a call that failed names its file: an edit that was not made is no reading", () => {
    const block = { type: "tool-call", block: 0, call: "c", name: "write_file", argumentText: "" } as const;
    const failed = { state: "failed", input: { path: "../a" }, result: "no" } as const;
    const titleOf = (action: ToolAction): string => callTitle({ ...block, progress: { ...failed, action } });
    assert.equal(titleOf({ type: "read-for-edit", path: "a.ts" }), "Write a.ts");
    const edited = { type: "edit-file", path: "a.ts", changedLines: 3 } as const;
    assert.equal(callTitle({ ...block, name: "edit_file", progress: { ...failed, action: edited } }), "Edit a.ts");
    assert.equal(titleOf({ type: "call", name: "write_file" }), "write_file ../a");
    assert.equal(titleOf({ type: "read-file", path: "a.ts" }), "Read a.ts");
  });

  it("A3: the line of a call says what came of it, with the file's name and how many lines", () => {
    const block = { type: "tool-call", block: 0, call: "c", name: "edit_file", argumentText: "" } as const;
    const lines = { first: 3, added: 1, removed: 2 };
    const edit = { type: "edit-file", path: "src/a.ts", changedLines: 2, lines } as const;
    const done = (action: ToolAction): string =>
      callTitle({ ...block, progress: { state: "done", input: {}, action, result: "" } });
    const denied = (action: ToolAction): string =>
      callTitle({ ...block, progress: { state: "denied", input: {}, action } });
    for (const [action, yes, no] of [
      [edit, "Edited a.ts +1 −2", "Not edited: a.ts"],
      [{ type: "create-file", path: "src/b.ts" }, "Created b.ts", "Not created: b.ts"],
      [{ type: "rename-file", path: "src/a.ts", to: "lib/b.ts" }, "Renamed a.ts to b.ts", "Not renamed: b.ts"],
      [{ type: "delete-file", path: "src/a.ts", trash: true }, "Moved a.ts to the trash", "Not deleted: a.ts"],
      [{ type: "delete-file", path: "src\\a.ts", trash: false }, "Deleted a.ts", "Not deleted: a.ts"],
      [{ type: "read-file", path: "src/a.ts", lines: { first: 1, last: 80 } }, "Read a.ts 1–80", "Not read: a.ts 1–80"],
      [{ type: "read-file", path: "a.ts", lines: { first: 9 } }, "Read a.ts from line 9", "Not read: a.ts from line 9"],
      [{ type: "run-command", command: "npm test" }, "Run `npm test`", "Not run: `npm test`"],
      [{ type: "list-files" }, "List files", "List files"],
    ] as const) {
      assert.equal(done(action), yes);
      assert.equal(denied(action), no);
    }
    assert.equal(
      callState({ state: "denied", input: {}, action: edit, note: "not a\u202eb" }),
      "you said “not a⟨U+202E⟩b”",
    );
    assert.equal(callState({ state: "denied", input: {}, action: edit }), "not allowed");
  });

  it("A3: the file of a call is opened at the first line that was read or changed", () => {
    const lines = { first: 3, added: 1, removed: 2 };
    assert.deepEqual(fileOfAction({ type: "edit-file", path: "src/a.ts", changedLines: 2, lines }), {
      path: "src/a.ts",
      line: 3,
    });
    assert.deepEqual(fileOfAction({ type: "rename-file", path: "a.ts", to: "b.ts" }), { path: "b.ts" });
    assert.equal(fileOfAction({ type: "delete-file", path: "a.ts", trash: true }), undefined);
    const hunks = [
      { oldStart: 4, newStart: 4, lines: [" a", " b", "-c", "+d", "+e", " f"] },
      { oldStart: 20, newStart: 21, lines: ["-g", "\\ No newline at end of file"] },
    ];
    assert.deepEqual(countLines(hunks), { first: 6, added: 2, removed: 2 });
  });

  it("A3: the state of a call that failed gives the first sentence of its error, cut where it is long", () => {
    const stateOf = (result: string, action: ToolAction = { type: "call", name: "a" }): string =>
      callState({ state: "failed", input: {}, action, result });
    assert.equal(stateOf("There is no a.ts at that path."), "failed: There is no a.ts at that path");
    assert.equal(stateOf("Exit code 1 after 0.4 s.\nnot found"), "failed: Exit code 1 after 0.4 s");
    config({ contents: { "failed: {0}": "失败：{0}", "Exit code {0} after {1} s": "退出代码 {0}，用时 {1} 秒" } });
    assert.equal(stateOf("Exit code 1 after 0.4 s.\nnot found"), "失败：退出代码 1，用时 0.4 秒");
    config({ contents: {} });
    assert.equal(stateOf("a\u202eb is no file. Call again."), "failed: a⟨U+202E⟩b is no file");
    assert.equal(stateOf("x".repeat(200)), `failed: ${"x".repeat(90)}…`);
    assert.equal(stateOf("a.ts is no text file.", { type: "read-file", path: "a.ts" }), "failed: is no text file");
    assert.equal(stateOf(" "), "failed");
  });

  it("P1 (newuser M2): the line under a turn counts what was undone where that is only a part of its files", () => {
    const turn = [user, answer({ id: "a1" }), answer({ id: "a2" })];
    const of = (...changes: Parameters<typeof changesOfTurn>[2]): unknown => changesOfTurn(turn, 2, changes);
    const files = ["cart.ts", "main.ts", "price.ts"];
    assert.deepEqual(of({ answer: "a1", files, state: "kept" }), { files, state: "kept" });
    assert.deepEqual(of({ answer: "a1", files, state: "kept", undone: ["cart.ts", "main.ts"] }), {
      ...{ files, state: "kept", undone: 2 },
    });
    assert.deepEqual(of({ answer: "a1", files, state: "undone" }), { files, state: "undone" });
    assert.deepEqual(
      of({ answer: "a1", files: ["cart.ts"], state: "undone" }, { answer: "a2", files: ["price.ts"], state: "made" }),
      { files: ["cart.ts", "price.ts"], state: "made", undone: 1 },
    );
    assert.deepEqual(
      of({ answer: "a1", files: ["cart.ts"], state: "undone" }, { answer: "a2", files: ["cart.ts"], state: "made" }),
      { files: ["cart.ts"], state: "made" },
    );
  });

  it("P1 (newuser M15): the time of a turn with tools says that they are not counted", () => {
    const at = (startedAt: number, endedAt: number): object => ({ startedAt, endedAt });
    const block = {
      type: "tool-call",
      block: 0,
      call: "c",
      name: "run_command",
      argumentText: "",
      progress: { state: "ready", input: {} },
    } as const;
    const one = summariseTurn([user, answer({ id: "a1", ...at(0, 2600) })], 1);
    assert.equal(describeTurn(one, "en", undefined).at(-1), "2.6 s");
    const two = summariseTurn(
      [user, answer({ id: "a1", ...at(0, 1600), blocks: [block] }), answer({ id: "a2", ...at(9000, 10_000) })],
      2,
    );
    assert.equal(describeTurn(two, "en", undefined).at(-1), "2.6 s, tools not counted");
  });
});
