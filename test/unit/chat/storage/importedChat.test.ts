/** What a chat file of another person may not do: send, read files of this workspace, hide rows, or stay behind as a half. */
import assert from "node:assert/strict";
import { open, readdir, writeFile } from "node:fs/promises";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { JsonBoundsFailure } from "../../../../src/base/text/jsonParts";
import { importJson } from "../../../../src/chat/storage/exportChat";
import { readSession } from "../../../../src/chat/storage/records";
import type { SessionEvent } from "../../../../src/domain/chat/chat";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { sessionOver } from "../../../support/chatSessions";
import { useChatWindows } from "../../../support/chatWindows";

const file = (records: readonly unknown[]): Buffer =>
  Buffer.from(JSON.stringify({ format: "sluice-chat", version: 1, title: "t", createdAt: 1, records }, undefined, 1));

describe("an imported chat", () => {
  const { openWindow, folder } = useChatWindows();

  it("S1: the first prompt in an imported chat does not send, and pay for, what the file has in its queue", async () => {
    const queued = Array.from({ length: 5 }, (_, at) => ({
      type: "prompt-queued",
      id: `q${at}`,
      text: `theirs ${at}`,
      at,
    }));
    const id = await importJson(folder(), file([{ type: "prompt-added", id: "p", text: "hi", at: 1 }, ...queued]));
    assert.ok(id);
    const answered = answersOf(...Array.from({ length: 6 }, () => textAnswer("ok")));
    const chats = await openWindow(answered.streamChat);
    await chats.show(id);
    await chats.shown.current.submit("mine");
    await until(() => !chats.shown.current.isRunning);
    assert.equal(answered.requests.length, 1);
  });

  it("R6 (finding R1): a file that is deeper, or has more in it, than a chat can have is refused before it is parsed", async () => {
    const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const open = '{"format":"sluice-chat","version":1,"createdAt":1,';
    for (const text of [
      `${open}"title":"t","records":[${nested}]}`,
      `${open}"title":${nested},"records":[]}`,
      `${open}"title":"t","records":[${"{},".repeat(200_000)}{}]}`,
      `${open}"title":"t","records":[[${"{},".repeat(20_000)}{}]]}`,
      `${open}"title":"t","records":[${'{"type":"prompt-added","id":"p","text":"","at":1},'.repeat(20_000)}{"type":"prompt-added","id":"p","text":"","at":1}]}`,
    ])
      await assert.rejects(importJson(folder(), Buffer.from(text)), JsonBoundsFailure, text.slice(0, 80));
    assert.deepEqual(await folder().list(), []);
  });

  it("R6 (finding R1): other work of the host goes on between any two records of a file, and in a long one", async () => {
    let pauses = 0;
    class CountedSlices extends TimeSlices {
      override get isSpent(): boolean {
        return true;
      }
      override next(): Promise<void> {
        pauses += 1;
        return super.next();
      }
    }
    const prompts = (count: number, text: string): Buffer =>
      file(Array.from({ length: count }, (_, at) => ({ type: "prompt-added", id: `p${at}`, text, at })));
    assert.ok(await importJson(folder(), prompts(300, "hi"), new CountedSlices()));
    assert.ok(pauses >= 600, `${pauses}`);
    pauses = 0;
    assert.ok(await importJson(folder(), prompts(1, "x".repeat(4_000_000)), new CountedSlices()));
    assert.ok(pauses >= 4_000_000 / 32_768, `${pauses}`);
  });

  it("P4 (finding R1): escapes, blanks and brackets in texts end no record", async () => {
    const texts = ['a "quoted\\" ]}, {[', "\\", "汉字 \u2028 😀", '"', ""];
    const id = await importJson(
      folder(),
      file(texts.map((text, at) => ({ type: "prompt-added", id: `p${at}`, text, at }))),
    );
    const { chat } = (await readSession(folder().fileOf(id!), id!, new AbortController().signal)).session;
    assert.deepEqual(
      chat.entries.map((entry) => entry.type === "user" && entry.text),
      texts,
    );
    for (const end of [1, 20, 60]) assert.equal(await importJson(folder(), file([]).subarray(0, -end)), undefined);
    assert.equal(await importJson(folder(), Buffer.concat([file([]), Buffer.from("x")])), undefined);
  });

  it("P1: going on with an imported chat reads no file of this workspace that nobody here attached", async () => {
    const events: readonly SessionEvent[] = [
      { type: "prompt-added", id: "p", text: "hi", at: 1, references: [{ path: "src/private.ts" }] },
      { type: "turn-started" },
    ];
    const id = await importJson(folder(), file(events));
    assert.ok(id);
    const asked: string[] = [];
    const answered = answersOf(textAnswer("ok"));
    const chats = await openWindow(answersOf().streamChat);
    await chats.show(id);
    const stored = chats.shown.current.chat;
    const { session } = sessionOver(answered.streamChat, [], undefined, stored, (files) => {
      asked.push(...files.map(({ path }) => path));
      return Promise.resolve(files.map(({ path }) => ({ type: "text", path, text: "secret" })));
    });
    await session.continueTurn();
    assert.deepEqual(asked, []);
  });

  it("P4: an import that fails half-way leaves no half of a chat in the history", async () => {
    const long = "x".repeat(1000);
    const records = Array.from({ length: 10 }, (_, at) => ({ type: "prompt-added", id: `p${at}`, text: long, at }));
    const probe = await open("/dev/null", "r");
    const handles = Object.getPrototypeOf(probe) as { write: (...args: unknown[]) => Promise<unknown> };
    await probe.close();
    const write = handles.write;
    handles.write = async function (this: unknown, ...[bytes, start, , position]: unknown[]) {
      if (Number(start) > 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      return write.call(this, bytes, 0, 4000, position);
    };
    try {
      await assert.rejects(importJson(folder(), file(records)), { code: "ENOSPC" });
    } finally {
      handles.write = write;
    }
    assert.deepEqual(await readdir(folder().path), []);
    // What a window has left that was killed in the middle.
    await writeFile(`${folder().path}/half.part`, "{");
    assert.deepEqual(await folder().list(), []);
    await folder().sweep(Date.now());
    assert.equal((await readdir(folder().path)).length, 1);
    await folder().sweep(Date.now() + 2 * 3_600_000);
    assert.deepEqual(await readdir(folder().path), []);
  });

  it("P4: entries and calls that share an id with earlier ones each have their own row", async () => {
    const start = { type: "answer-started", id: "a", model: "m", family: "messages", at: 1 };
    const event = (one: unknown): unknown => ({ type: "answer-event", id: "a", event: one });
    const id = await importJson(
      folder(),
      file([
        { type: "prompt-added", id: "p", text: "one", at: 1 },
        start,
        event({ type: "text-delta", block: 0, text: "first" }),
        event({ type: "tool-call-start", block: 1, call: "c", name: "x" }),
        event({ type: "tool-call-start", block: 2, call: "c", name: "y" }),
        { type: "prompt-added", id: "p", text: "two", at: 2 },
        start,
        event({ type: "text-delta", block: 0, text: "second" }),
      ]),
    );
    const { chat } = (await readSession(folder().fileOf(id!), id!, new AbortController().signal)).session;
    assert.equal(new Set(chat.entries.map((entry) => entry.id)).size, 4);
    const blocks = chat.entries.map((entry) =>
      "blocks" in entry ? entry.blocks.map((block) => ("text" in block ? block.text : block.type)) : entry.text,
    );
    assert.deepEqual(blocks, ["one", ["first", "tool-call"], "two", ["second"]]);
  });

  it("P1: an attachment that the file has read stays, whatever entry shares the prompt's id", async () => {
    const references = [{ path: "a.md" }];
    const attachments = [{ type: "text", path: "a.md", text: "theirs" }];
    const id = await importJson(
      folder(),
      file([
        { type: "prompt-added", id: "p", text: "one", at: 1, references },
        { type: "attachments-read", id: "p", attachments },
        { type: "prompt-added", id: "q", text: "two", at: 2, references },
        { type: "task-added", id: "q", text: "a hill", at: 2, tasks: [] },
        { type: "attachments-read", id: "q", attachments },
      ]),
    );
    const { chat } = (await readSession(folder().fileOf(id!), id!, new AbortController().signal)).session;
    const users = chat.entries.filter((entry) => entry.type === "user");
    assert.deepEqual(
      users.map((user) => [user.references, user.attachments]),
      [
        [references, attachments],
        [undefined, undefined],
      ],
    );
  });

  it("P1: an attachment stays that was read with a later prompt, because the turn of its own was stopped before", async () => {
    const references = [{ path: "a.md" }];
    const attachments = [{ type: "text", path: "a.md", text: "theirs" }];
    const id = await importJson(
      folder(),
      file([
        { type: "prompt-added", id: "p", text: "one", at: 1, references },
        { type: "prompt-added", id: "q", text: "two", at: 2, references },
        { type: "attachments-read", id: "p", attachments },
        { type: "prompt-added", id: "r", text: "three", at: 3, references },
        { type: "entries-replaced", from: "r" },
        { type: "attachments-read", id: "r", attachments },
      ]),
    );
    const { chat } = (await readSession(folder().fileOf(id!), id!, new AbortController().signal)).session;
    const users = chat.entries.filter((entry) => entry.type === "user");
    assert.deepEqual(
      users.map((user) => [user.references, user.attachments]),
      [
        [references, attachments],
        [undefined, undefined],
      ],
    );
  });

  it("P1: references of a prompt that was edited are not read from this workspace, also where the file says later that they were read", async () => {
    const references = [{ path: "a.md" }];
    const id = await importJson(
      folder(),
      file([
        { type: "prompt-added", id: "p", text: "one", at: 1, references },
        { type: "prompt-added", id: "q", text: "two", at: 2, replaces: "p" },
        { type: "attachments-read", id: "p", attachments: [{ type: "text", path: "a.md", text: "theirs" }] },
        { type: "branch-switched" },
      ]),
    );
    const { chat } = (await readSession(folder().fileOf(id!), id!, new AbortController().signal)).session;
    const users = chat.entries.filter((entry) => entry.type === "user");
    assert.deepEqual(
      users.map((user) => [user.text, user.references]),
      [["one", undefined]],
    );
  });

  it("P4: times beyond all dates are brought back to the last date", async () => {
    const text = JSON.stringify({
      ...JSON.parse(file([{ type: "prompt-added", id: "p", text: "hi", at: 1e18 }]).toString()),
      createdAt: -1e18,
    });
    const id = await importJson(folder(), Buffer.from(text));
    const { session } = await readSession(folder().fileOf(id!), id!, new AbortController().signal);
    const [prompt] = session.chat.entries;
    assert.ok(prompt?.type === "user");
    for (const at of [prompt.at, session.createdAt]) assert.ok(!Number.isNaN(new Date(at).getTime()), String(at));
  });
});
