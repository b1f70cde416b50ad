/** The chats of windows that share a folder: stored, reopened, written by one at a time, followed by the others. */
import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { ChatSessions } from "../../../../src/chat/storage/chatSessions";
import type { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { readChange } from "../../../../src/chat/storage/index/sqliteChatIndex";
import { emptySession, readRecord, reduceSession, readSession } from "../../../../src/chat/storage/records";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import type { AnswerEntry, Chat } from "../../../../src/domain/chat/chat";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { model } from "../../../support/chatSessions";
import { useChatWindows } from "../../../support/chatWindows";
import { withSettings } from "../../../support/plainOptions";
import { isFullRun } from "../../../support/runs";

/** An answer that never ends. */
async function* halfAnswer(): AsyncGenerator<ChatEvent> {
  yield* textAnswer("half of it").slice(0, 2);
  await new Promise(() => undefined);
}

describe("the chats of a window", () => {
  const { openWindow, untilStored, folder: folderOf } = useChatWindows();
  let folder: SessionFolder;
  beforeEach(() => {
    folder = folderOf();
  });
  const storedChat = async (id: string): Promise<Chat> =>
    (await readSession(folder.fileOf(id), id, new AbortController().signal)).session.chat;
  const lastAnswer = ({ shown }: ChatSessions): AnswerEntry | undefined => {
    const last = shown.current.chat.entries.at(-1);
    return last?.type === "answer" ? last : undefined;
  };

  it("P4: a chat is stored as it is shown, and the next window of that folder shows it again", async () => {
    const memory: { shown?: string } = {};
    const first = await openWindow(answersOf(textAnswer("one"), textAnswer("two")).streamChat, memory);
    await first.shown.current.submit("hello");
    await first.shown.current.submit("more");
    const { chat } = first.shown.current;
    await first.close();
    assert.deepEqual(await storedChat(chat.id), chat);
    const second = await openWindow(() => assert.fail("asked"), memory);
    assert.deepEqual(second.shown.current.chat, chat);
  });

  it("P4: without a prompt there is no file", async () => {
    const chats = await openWindow(() => assert.fail("asked"));
    chats.create();
    await chats.close();
    assert.deepEqual(await folder.list(), []);
  });

  it("P3, P4: a turn that the end of the window cut is marked, and Continue goes on with a request that is valid", async () => {
    const memory: { shown?: string } = {};
    const first = await openWindow(halfAnswer, memory);
    void first.shown.current.submit("tell me");
    await until(() => lastAnswer(first)?.blocks.length === 1);
    await first.close();
    const wire = answersOf(textAnswer(" and the rest"));
    const second = await openWindow(wire.streamChat, memory);
    const session = second.shown.current;
    assert.equal(lastAnswer(second)?.state, "interrupted");
    assert.equal(session.chat.interrupted, true);
    assert.equal(await session.continueTurn(), true);
    assert.deepEqual(
      wire.requests[0]?.messages.map(({ role }) => role),
      ["system", "user", "assistant", "user"],
    );
    assert.equal(session.chat.interrupted, undefined);
    assert.equal(await session.continueTurn(), false);
    await second.close();
    assert.deepEqual(await storedChat(session.chat.id), session.chat);
  });

  it("T10, T18: an answer that the end of the window cut counts by an estimate, in the chat, its cap and the index alike", async () => {
    const memory: { shown?: string } = {};
    const first = await openWindow(halfAnswer, memory);
    void first.shown.current.submit("x".repeat(4000));
    await until(() => lastAnswer(first)?.blocks.length === 1);
    await first.close();
    const capped = withSettings(() => ({ "caps.tokensPerChat": 1500 }));
    const second = await openWindow(() => assert.fail("asked"), memory, capped);
    const { session } = second.current;
    const { tokens = 0, spent } = session.chat;
    assert.ok(tokens > 1000 && tokens < 1010, String(tokens));
    assert.deepEqual(spent, [{ model: model.id, input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }]);
    await session.continueTurn();
    assert.equal(lastAnswer(second)?.failure?.type, "token-cap", "Go On does not pass the cap by another request");
    await second.close();
    const third = await openWindow(() => assert.fail("asked"), memory);
    assert.equal(third.shown.current.chat.tokens, tokens, "it is not counted again");
    const { turns } = await readChange(
      folder.fileOf(memory.shown!),
      memory.shown!,
      undefined,
      new AbortController().signal,
    );
    assert.deepEqual(
      turns.flatMap((turn) => [turn.tokens, ...turn.usages.map(({ input }) => input)]),
      [tokens, tokens],
    );
  });

  it("P4: a file torn at every byte opens with its whole records, and goes on", async () => {
    const memory: { shown?: string } = {};
    const first = await openWindow(answersOf(textAnswer("yes")).streamChat, memory);
    await first.shown.current.submit("hello ä");
    await first.close();
    const path = folder.fileOf(memory.shown!);
    const bytes = await readFile(path);
    for (let cut = 0; cut < bytes.length; cut += isFullRun ? 1 : 3) {
      await writeFile(path, bytes.subarray(0, cut));
      const lines = bytes.subarray(0, cut).toString().split("\n").slice(0, -1);
      const records = lines.map((line) => readRecord(line) ?? assert.fail(line));
      assert.deepEqual(
        await storedChat(memory.shown!),
        records.reduce(reduceSession, emptySession(memory.shown!, 0)).chat,
        `cut at ${cut}`,
      );
      if (cut % 174 !== 0) continue;
      const chats = await openWindow(answersOf(textAnswer("on")).streamChat, memory);
      const session = chats.shown.current;
      assert.equal(session.chat.running, false, `cut at ${cut}`);
      await session.submit("go on");
      await chats.close();
      assert.deepEqual(await storedChat(session.chat.id), session.chat, `cut at ${cut}`);
    }
  });

  it("P4: one window writes, another follows what it writes, and takes over when the first has closed", async () => {
    const gate = Promise.withResolvers<undefined>();
    const first = await openWindow(async function* () {
      yield* textAnswer("half").slice(0, 2);
      await gate.promise;
      yield* textAnswer(" whole").slice(1);
    });
    const turn = first.shown.current.submit("hello");
    await until(() => lastAnswer(first)?.blocks.length === 1);
    const { id } = first.current;
    const second = await openWindow(answersOf(textAnswer("from the second")).streamChat);
    await untilStored(first, "half");
    await second.show(id);
    assert.deepEqual(second.current.access.current, { state: "following", isWriterGone: false });
    assert.equal(await second.shown.current.submit("me too"), false);
    assert.equal(await second.current.change({ type: "title-set", title: "mine" }), false);
    await until(() => lastAnswer(second)?.blocks.length === 1);
    gate.resolve(undefined);
    await turn;
    await until(() => lastAnswer(second)?.state === "complete" && !second.shown.current.chat.running);
    assert.deepEqual(second.shown.current.chat, first.shown.current.chat);
    first.create();
    await until(() => {
      const { current } = second.current.access;
      return current.state === "following" && current.isWriterGone;
    });
    assert.equal(await second.shown.current.submit("now me"), true);
    assert.deepEqual(second.current.access.current, { state: "writing" });
    await second.close();
    assert.equal((await storedChat(id)).entries.length, 4);
  });

  it("P4: a window that takes over from one that died in mid-answer closes the turn and may go on", async () => {
    const first = await openWindow(halfAnswer);
    void first.shown.current.submit("hello");
    await until(() => lastAnswer(first)?.blocks.length === 1);
    const { id } = first.current;
    await first.close();
    // As it was while the first one lived.
    const second = await openWindow(answersOf(textAnswer("rest")).streamChat);
    await second.show(id);
    assert.equal(second.shown.current.chat.interrupted, true);
    assert.equal(await second.shown.current.continueTurn(), true);
    assert.equal(lastAnswer(second)?.state, "complete");
  });

  it("P1, P4: what a closed window has left in the queue can be removed in another one that showed the chat", async () => {
    const first = await openWindow(halfAnswer);
    void first.shown.current.submit("hello");
    await until(() => lastAnswer(first)?.blocks.length === 1);
    await first.shown.current.submit("and then");
    await untilStored(first, "and then");
    const { id } = first.current;
    const second = await openWindow(halfAnswer);
    await second.show(id);
    const [queued] = second.shown.current.chat.queue ?? [];
    assert.ok(queued);
    assert.equal(await second.shown.current.removeQueued(queued.id), false, "the other window lives");
    await first.close();
    assert.equal(await second.shown.current.removeQueued(queued.id), true);
    assert.equal(second.shown.current.chat.queue, undefined);
  });

  it("P4: a turn goes on behind another chat, and its chat is closed when it has ended", async () => {
    const gate = Promise.withResolvers<undefined>();
    const chats = await openWindow(async function* () {
      await gate.promise;
      yield* textAnswer("late");
    });
    const { id } = chats.current;
    const running = chats.shown.current;
    const turn = running.submit("hello");
    chats.create();
    assert.notEqual(chats.current.id, id);
    assert.deepEqual([...chats.open.keys()].includes(id), true);
    gate.resolve(undefined);
    await turn;
    assert.equal(chats.open.has(id), false);
    await chats.show(id);
    assert.equal(lastAnswer(chats)?.state, "complete");
    assert.notEqual(chats.shown.current, running);
  });

  it("P4: a file of a newer version is only read", async () => {
    await mkdir(folder.path, { recursive: true });
    const header = { type: "session", version: 2, id: "new", createdAt: 1 };
    const lines = [header, { type: "of-tomorrow" }, { type: "prompt-added", id: "p", text: "hi", at: 1 }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(folder.fileOf("new"), text);
    const chats = await openWindow(() => assert.fail("asked"), { shown: "new" });
    assert.equal(chats.current.access.current.state, "newer");
    assert.equal(chats.shown.current.chat.entries.length, 1);
    assert.equal(await chats.shown.current.submit("hello"), false);
    await chats.close();
    assert.equal(await readFile(folder.fileOf("new"), "utf8"), text);
  });

  it("P4: title and pin are stored with the chat; a deleted one comes back until its undo is gone", async () => {
    const chats = await openWindow(answersOf(textAnswer("one")).streamChat);
    await chats.shown.current.submit("hello");
    const { id } = chats.current;
    await chats.current.change({ type: "title-set", title: "Greeting" });
    await chats.current.change({ type: "pin-set", pinned: true });
    assert.equal(await chats.release(id), true);
    assert.notEqual(chats.current.id, id);
    await folder.discard(id);
    assert.deepEqual(await folder.list(), []);
    await folder.restore(id);
    const state = await chats.use(id, (stored) => Promise.resolve(stored.state));
    assert.deepEqual([state.title, state.pinned, state.workspace], ["Greeting", true, "/work"]);
    assert.equal(await chats.release(id), true);
    await folder.discard(id);
    await folder.remove(id);
    assert.deepEqual(await readdir(`${folder.path}/trash`), []);
  });

  it("P4: a line that somebody has damaged is skipped and stays in the file", async () => {
    const memory: { shown?: string } = {};
    const first = await openWindow(answersOf(textAnswer("one"), textAnswer("two")).streamChat, memory);
    await first.shown.current.submit("hello");
    await first.close();
    await appendFile(folder.fileOf(memory.shown!), "garbage\n");
    const second = await openWindow(answersOf(textAnswer("two")).streamChat, memory);
    await second.shown.current.submit("more");
    await second.close();
    assert.equal((await storedChat(memory.shown!)).entries.length, 4);
    assert.match(await readFile(folder.fileOf(memory.shown!), "utf8"), /\ngarbage\n/);
  });
});
