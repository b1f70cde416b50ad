/** What a search in a chat finds: all that was said and done, in any case, as it is shown; again only where something changed. */
import assert from "node:assert/strict";
import { entryToReveal, FindInChat } from "../../../../src/chat/view/chatFind";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { assertLinear } from "../../../support/growth";

const at = 0;
const said = (id: string, text: string, block = 0): SessionEvent => ({
  type: "answer-event",
  id,
  event: { type: "text-delta", block, text },
});
const begun = (id: string): SessionEvent => ({ type: "answer-started", id, model: "m", family: "messages", at });
const asked = (id: string, text: string): SessionEvent => ({ type: "prompt-added", id, text, at });
const input = { path: "src/Harbour.ts", lines: [1, 2] };
const called: readonly SessionEvent[] = [
  { type: "answer-event", id: "a1", event: { type: "reasoning-delta", block: 0, text: "The harbour first." } },
  { type: "answer-event", id: "a1", event: { type: "opaque", block: 0, family: "messages", data: "harbour" } },
  said("a1", "I read it.", 1),
  { type: "answer-event", id: "a1", event: { type: "tool-call-start", block: 2, call: "c", name: "read_file" } },
  { type: "answer-event", id: "a1", event: { type: "tool-call-end", call: "c", input } },
  {
    type: "tool-progress",
    id: "a1",
    call: "c",
    progress: { state: "done", input, action: { type: "call", name: "read" }, result: "harbour\nHARBOUR" },
  },
];
const chatOf = (...events: readonly SessionEvent[]): Chat => events.reduce(reduceChat, emptyChat("chat"));
const find = (chat: Chat, query: string): ReturnType<FindInChat["find"]> =>
  new FindInChat(query).find(chat, new AbortController().signal);
const countIn = async (text: string, query: string): Promise<number> =>
  (await find(chatOf(asked("p", "?"), begun("a"), said("a", text)), query))[0]?.parts[0] ?? 0;

describe("find in a chat", () => {
  it("P4: prompts, thinking, answers, and arguments and results of calls, each with how often it has the text", async () => {
    const chat = chatOf(asked("p1", "Where is the harbour?"), begun("a1"), ...called, asked("p2", "Thanks"));
    assert.deepEqual(await find(chat, "harbour"), [
      { entry: "p1", parts: [1] },
      { entry: "a1", parts: [1, 0, 3] },
    ]);
    assert.deepEqual(await find(chat, "  "), []);
    assert.deepEqual(await find(chat, "har.*bour|("), []);
  });

  it("P4: a call that waits is searched as the change that is shown, a running one as what it has written", async () => {
    const action = { type: "call", name: "edit" } as const;
    const change = { path: "a", hunks: [{ oldStart: 1, newStart: 1, lines: ["-old words", "+new words"] }] };
    const approval = { id: "1", reasons: [] };
    const waiting: SessionEvent = {
      type: "tool-progress",
      id: "a1",
      call: "c",
      progress: { state: "waiting", input, action, change, approval },
    };
    const until = [asked("p1", "?"), begun("a1"), ...called.slice(0, 5)];
    assert.deepEqual(await find(chatOf(...until, waiting), "words"), [{ entry: "a1", parts: [0, 0, 2] }]);
    const running = chatOf(
      ...until,
      { type: "tool-progress", id: "a1", call: "c", progress: { state: "running", input, action } },
      { type: "tool-output", id: "a1", call: "c", output: { head: "words", omitted: 0, tail: "" } },
    );
    assert.deepEqual(await find(running, "words"), [{ entry: "a1", parts: [0, 0, 1] }]);
  });

  it("P4: as it is shown: without the marks of Markdown, across a line break, and still with what looks like a mark", async () => {
    for (const [text, query] of [
      ["the **bold** word", "bold word"],
      ["see [the guide](https://example.com) there", "the guide there"],
      ["- one\n- *two*\n", "one two"],
      ["> ## A `title`", "a title"],
      ["it breaks\nhere", "breaks here"],
      ["call `f(**words)`", "f(**words)"],
      ["snake_case and 2 * 3", "2 * 3"],
      ["at [A (the first)](https://example.com/A_(b)) it", "A (the first) it"],
      ["__init__ of \\*this\\*", "init of *this*"],
    ] as const) {
      assert.equal(await countIn(text, query), 1, text);
      assert.deepEqual(await find(chatOf(asked("p", text)), query), [{ entry: "p", parts: [1] }], "in a prompt too");
    }
  });

  it("P2: an entry that has not changed is not searched again", async () => {
    const finder = new FindInChat("word");
    const { signal } = new AbortController();
    const chat = chatOf(asked("p", "a word"), begun("a"), said("a", "word "));
    const before = await finder.find(chat, signal);
    const after = await finder.find(reduceChat(chat, said("a", "word")), signal);
    assert.equal(before[0], after[0]);
    assert.deepEqual(after[1], { entry: "a", parts: [2] });
  });

  for (const [name, textOf] of [
    ["brackets", (count: number) => "[".repeat(count)],
    ["beginnings of links", (count: number) => "[a](".repeat(count)],
    ["underscores in a word", (count: number) => `a${"_".repeat(count)}b`],
  ] as const)
    it(`P3: ${name} in an answer hold the host for a time that grows as their number does`, async () => {
      await assertLinear(5_000, (count) => {
        const text = textOf(count);
        return async () => assert.equal(await countIn(text, "x"), 0);
      });
    });

  it("P3: of a letter that an answer of 5 MB consists of the first 10,000 are counted, in linear time and within 50 MB", async () => {
    const long = "e".repeat(5_000_000);
    const memory = process.memoryUsage().heapUsed;
    assert.equal(await countIn(long, "e"), 10_000);
    const grown = (process.memoryUsage().heapUsed - memory) / 1e6;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
    await assertLinear(50_000, (length) => {
      const text = "e".repeat(length);
      return () => countIn(text, "e");
    });
  });

  it("P4: a hit in a branch that was replaced leads to the newest entry with all of its words, if there is one", () => {
    const chat = chatOf(
      asked("p1", "red boats"),
      asked("p2", "Boats that are red"),
      asked("p3", "blue"),
      asked("p4", "old"),
      { type: "prompt-added", id: "p5", text: "new", at, replaces: "p4" },
    );
    assert.equal(entryToReveal(chat, "p1", ["red", "boats"]), "p1");
    assert.equal(entryToReveal(chat, "p4", ["red", "boats"]), "p2");
    assert.equal(entryToReveal(chat, "p4", ["old"]), undefined);
  });
});
