// F3, the host's part: writes a session of 2,000 messages, reads it as a window does, and makes what its page gets. It prints its figures and the
// messages as JSON. Its argument is an empty folder.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { Emitter } from "../../src/base/event";
import { readSession, writeRecord } from "../../src/chat/storage/records";
import { mergeSessionEvents } from "../../src/domain/chat/mergeSessionEvents";
import { reduceChat } from "../../src/domain/chat/reduceChat";
import { chatForPage, entriesForPage, eventForPage } from "../../src/chat/contract/chatForPage";
import { entriesPage } from "../../src/chat/contract/chatPageContract";
import { Projector } from "../../src/base/projector";
import { createText, cutText, kinds } from "./texts.mjs";

/** @typedef {import("../../src/domain/chat/chat").SessionEvent} SessionEvent */

const turns = 1000;
const answerLength = 10_000;

/** @param {string} id @returns {SessionEvent[]} */
const begin = (id) => [
  { type: "prompt-added", id: `p${id}`, text: `Question ${id}`, at: 0 },
  { type: "turn-started" },
  { type: "answer-started", id, model: "m", family: "messages", at: 0 },
];
/** @param {string} id @param {string} text @returns {SessionEvent} */
const words = (id, text) => ({ type: "answer-event", id, event: { type: "text-delta", block: 0, text } });
/** @param {string} id @returns {SessionEvent[]} */
const end = (id) => [
  { type: "answer-event", id, event: { type: "message-end", finish: "stop", cut: false } },
  { type: "answer-ended", id, at: 1, state: "complete" },
  { type: "turn-ended" },
];

const file = path.join(process.argv[2] ?? "", "long.jsonl");
const answers = kinds.map((kind) => createText(kind, answerLength).match(/[^]{1,500}/g) ?? []);
const records = Array.from({ length: turns }, (_, turn) => {
  const id = String(turn);
  return [...begin(id), ...(answers[turn % answers.length] ?? []).map((text) => words(id, text)), ...end(id)];
});
const header = writeRecord({ type: "session", version: 1, id: "long", createdAt: 0 });
await writeFile(file, [header, ...records.flat().map(writeRecord)].join(""));

/** The status is as the page's contract has it. Nothing in it is measured. */
const status = { connection: "ready", gateway: "g", model: "m", demoModel: false, trusted: true, suggestions: [] };
/** The messages are JSON, because VS Code makes text of a message on its way. @type {string[]} */
const posted = [];
const start = performance.now();
const used = process.cpuUsage();
let { chat } = (await readSession(file, "long", new AbortController().signal)).session;
/** @type {Emitter<SessionEvent>} */
const emitted = new Emitter();
const projector = new Projector({
  source: {
    get snapshot() {
      const { entries, older } = entriesPage(chat);
      return { chat: chatForPage({ ...chat, entries }), status, older };
    },
    onDidEmit: (/** @type {(event: SessionEvent) => void} */ listener) =>
      emitted.event((event) => listener(eventForPage(event))),
  },
  clock: { ...systemClock, delay: () => Promise.resolve() },
  post: (message) => posted.push(JSON.stringify(message)),
  merge: mergeSessionEvents,
});
projector.sendSnapshot();
const { user, system } = process.cpuUsage(used);
const read = { cpu: (user + system) / 1000, wall: performance.now() - start };
const [snapshot = ""] = posted.splice(0);

const older = [];
for (let page = entriesPage(chat); page.older > 0;) {
  const before = page.entries[0]?.id ?? "";
  page = entriesPage(chat, before);
  const entries = entriesForPage(page.entries);
  older.push(JSON.stringify({ type: "entries", chat: chat.id, before, entries, older: page.older }));
}

/** @param {readonly SessionEvent[]} events */
async function emit(events) {
  for (const event of events) {
    chat = reduceChat(chat, event);
    emitted.fire(event);
  }
  // The projector posts in the next macrotask.
  await new Promise((resolve) => setTimeout(resolve));
}
await emit(begin("new"));
const chunks = cutText(createText("document", 6000));
for (const text of chunks) await emit([words("new", text)]);
projector.dispose();
/** How many bytes each message has in addition to the text itself. */
const beside = posted.slice(1).map((message, index) => message.length - JSON.stringify(chunks[index]).length);
console.log(JSON.stringify({ read, snapshot, older, updates: posted, posted: Math.max(...beside) }));
