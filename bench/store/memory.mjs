// Measures what the extension host holds with the tasks, after the history was opened and with a long chat: heap and resident memory over those of an
// idle host.
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { WorkerChatIndex } from "../../src/chat/storage/index/workerChatIndex";
import { readSession, writeRecord } from "../../src/chat/storage/records";

const chats = 500;
const answers = 200;
/** Characters of an answer, and the parts in which it came. */
const [answerLength, parts] = [4000, 20];

/** @typedef {{ heap: number, rss: number }} Memory megabytes */

/** @returns {Promise<Memory>} */
export async function memoryNow() {
  // The second one frees what the finalizers of the first have released.
  for (let turn = 0; turn < 2; turn += 1) {
    globalThis.gc?.();
    await systemClock.delay(50);
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
}

/** Fills the folder. @param {string} folder */
export async function fillChats(folder) {
  await mkdir(folder, { recursive: true });
  // This is a tenth of the text that the bench of chats has, which would take minutes.
  for (let at = 0; at < chats; at += 1) await writeFile(path.join(folder, `s${at}.jsonl`), chatOf(`s${at}`, 5));
  await writeFile(path.join(folder, "long.jsonl"), chatOf("long", answers));
}

/** @param {string} id @param {number} count of answers */
function chatOf(id, count) {
  const lines = [writeRecord({ type: "session", version: 1, id, createdAt: 1 })];
  for (let turn = 0; turn < count; turn += 1) {
    const answer = `a${turn}`;
    /** @type {import("../../src/domain/chat/chat").SessionEvent[]} */
    const events = [
      { type: "prompt-added", id: `p${turn}`, text: `What of ${id} ${turn}?`, at: turn },
      { type: "turn-started" },
      { type: "answer-started", id: answer, model: "model-x", family: "messages", at: turn },
      ...Array.from({ length: parts }, (_, part) => ({
        type: /** @type {const} */ ("answer-event"),
        id: answer,
        event: { type: /** @type {const} */ ("text-delta"), block: 0, text: textOf(`${id}-${turn}-${part} `) },
      })),
      { type: "answer-ended", id: answer, at: turn, state: "complete" },
      { type: "turn-ended" },
    ];
    lines.push(...events.map(writeRecord));
  }
  return lines.join("");
}

/** @param {string} start */
const textOf = (start) => start.repeat(Math.ceil(answerLength / parts / start.length));

/** Milliseconds in which V8 gives the pages of a thread that has ended back to the system: it keeps them for 8 seconds. */
const pagesKept = 10_000;

/** Opens the history, and waits until its thread and what it held are gone. @param {string} program @param {string} folder */
export async function openHistory(program, folder) {
  /** @type {Promise<import("node:worker_threads").Worker[]>} */
  const started = once(process, "worker");
  const index = new WorkerChatIndex({
    program,
    path: path.join(folder, "..", "chats.db"),
    sessions: folder,
    // The thread's minute is a moment here.
    clock: { ...systemClock, delay: (_, signal) => systemClock.delay(10, signal) },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const listed = await index.list();
  if (listed.length !== chats + 1) throw new Error(`${listed.length} chats are listed`);
  const [worker] = await started;
  if (worker) await once(worker, "exit");
  await systemClock.delay(pagesKept);
}

/** @param {string} folder */
export const openLongChat = (folder) =>
  readSession(path.join(folder, "long.jsonl"), "long", new AbortController().signal);
