/** Chats as Markdown and JSON, and back. */
import assert from "node:assert/strict";
import { chatToMarkdown, exportJson, importJson } from "../../../../src/chat/storage/exportChat";
import { AppendOnlyFile } from "../../../../src/base/appendOnlyFile";
import {
  readSession,
  emptySession,
  headerOf,
  reduceSession,
  type SessionRecord,
  type SessionState,
  writeRecord,
} from "../../../../src/chat/storage/records";
import { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const action = { type: "read-file", path: "a.md" } as const;
const event = { type: "answer-event", id: "a" } as const;
const events: readonly SessionRecord[] = [
  { type: "prompt-added", id: "p", text: "Read a.md\nplease", at: 5 },
  { type: "image-stored", image: { id: "i", mimeType: "image/png", data: "iVBORw0KGgo=" } },
  {
    type: "attachments-read",
    id: "p",
    attachments: [{ type: "image", path: "a`b.png", image: { id: "i", mimeType: "image/png", size: 8 } }],
  },
  { type: "turn-started" },
  { type: "answer-started", id: "a", model: "model-x", family: "messages", at: 6 },
  { ...event, event: { type: "opaque", block: 0, family: "messages", data: { signature: "s" } } },
  { ...event, event: { type: "text-delta", block: 1, text: "It " } },
  { ...event, event: { type: "text-delta", block: 1, text: "says:" } },
  { ...event, event: { type: "tool-call-start", block: 2, call: "c", name: "read_file" } },
  { ...event, event: { type: "tool-call-end", call: "c", input: { path: "a.md" } } },
  { ...event, event: { type: "message-end", finish: "tool-calls", cut: false } },
  { type: "answer-ended", id: "a", at: 7, state: "complete" },
  {
    type: "tool-progress",
    id: "a",
    call: "c",
    progress: { state: "done", input: { path: "a.md" }, action, result: "```\ncode\n```" },
  },
  { type: "turn-ended" },
];

const words = { you: "You", task: (prompt: string) => `Task: ${prompt}` };

describe("an exported chat", () => {
  let temporary: TemporaryFolder;
  let folder: SessionFolder;
  let state: SessionState;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = new SessionFolder(`${temporary.path}/chats`);
    const empty = emptySession("one", 3, "/work");
    state = events.reduce(reduceSession, empty);
    const file = await AppendOnlyFile.open(folder.fileOf("one"));
    await file.append([headerOf(empty), ...events].map(writeRecord).join(""));
    await file.close();
  });
  afterEach(() => temporary.remove());

  it("P4: as Markdown has the prompts, the answers and what the tools did", () => {
    assert.equal(
      chatToMarkdown(state, words),
      [
        ...["# Read a.md", "## You", "- `` a`b.png ``", "Read a.md\nplease", "## model-x", "It says:", "**Read a.md**"],
        "````\n```\ncode\n```\n````\n",
      ].join("\n\n"),
    );
  });

  it("P4: as Markdown has any text: names, prompts and results of 400,000 runs of backticks", () => {
    const ticks = "`a".repeat(400_000);
    const progress = { state: "done", input: {}, action: { type: "call", name: "x" }, result: ticks } as const;
    const stored = [
      ...events.slice(0, -2),
      { type: "attachments-read", id: "p", attachments: [{ type: "unread", path: ticks, reason: "refused" }] } as const,
      { type: "tool-progress", id: "a", call: "c", progress } as const,
    ].reduce(reduceSession, emptySession("one", 3));
    const text = chatToMarkdown(stored, words);
    assert.ok(text.includes(`\`\`\`\n${ticks}\n\`\`\``));
    assert.ok(text.includes(`- \`\` ${ticks} \`\``));
  });

  it("P4: as JSON makes the same chat on another machine, with its images, without what only this gateway can use", async () => {
    const json = await exportJson(folder, state);
    const id = await importJson(folder, Buffer.from(json));
    assert.ok(id);
    const { session, unreadable } = await readSession(folder.fileOf(id), id, new AbortController().signal);
    assert.equal(unreadable, 0);
    const untrusted = "Read a.md";
    const without = (chat: SessionState["chat"]): unknown =>
      chat.entries.map((entry) => ({
        ...entry,
        ...(entry.type === "answer" && { blocks: entry.blocks.filter(({ type }) => type !== "opaque") }),
        untrusted,
      }));
    assert.deepEqual(session.chat.entries, without(state.chat));
    assert.deepEqual(session.chat.images, [{ id: "i", mimeType: "image/png", data: "iVBORw0KGgo=" }]);
    assert.deepEqual([session.title, session.createdAt, session.workspace], ["Read a.md", 3, undefined]);
    assert.notEqual(id, "one");
  });

  it("P4: anything else is not imported, and an event that this version does not know is left out", async () => {
    for (const text of ["", "{}", "[1]", '{"format":"sluice-chat","version":9,"title":"","createdAt":1,"records":[]}'])
      assert.equal(await importJson(folder, Buffer.from(text)), undefined);
    const records = [{ type: "of-tomorrow" }, { type: "session", version: 1, id: "../x", createdAt: 1 }, events[0]];
    const text = JSON.stringify({ format: "sluice-chat", version: 1, title: "t", createdAt: 1, records });
    const id = (await importJson(folder, Buffer.from(text))) ?? assert.fail();
    const { session } = await readSession(folder.fileOf(id), id, new AbortController().signal);
    assert.deepEqual(
      session.chat.entries.map((entry) => entry.id),
      ["p"],
    );
  });
});
