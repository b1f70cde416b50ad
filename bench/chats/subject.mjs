// Measures the chat index over 500 sessions of 100 MB, and one session of 10 MB, and prints its figures as JSON. Its argument is an empty folder.
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../src/base/async/systemClock";
import { SqliteChatIndex } from "../../src/chat/storage/index/sqliteChatIndex";
import { readTurns } from "../../src/chat/storage/index/sessionTurns";
import { readSession, writeRecord } from "../../src/chat/storage/records";
import { seeded } from "../../test/support/seeded";

const sessions = 500;
const characters = 100e6;
const random = seeded(1);
/** Few words are frequent and many are rare, as in a language. */
const words = Array.from({ length: 30_000 }, (_, at) => `${(at + 36).toString(36)}${"aeiou"[at % 5] ?? ""}`);
const word = () => words[Math.floor(words.length * (random(1e6) / 1e6) ** 3)] ?? "";
/** @param {number} length */
const textOf = (length) => {
  const text = [];
  for (let size = 0; size < length; size += (text.at(-1)?.length ?? 0) + 1) text.push(word());
  return text.join(" ");
};

/**
 * @param {string} id
 * @param {number} at
 * @param {number} length
 */
function sessionText(id, at, length) {
  const lines = [writeRecord({ type: "session", version: 1, id, createdAt: at })];
  for (let size = 0, turn = 0; size < length; turn += 1) {
    const answer = `${id}-${turn}`;
    const prompt = textOf(200);
    /** @type {import("../../src/domain/chat/chat").SessionEvent[]} */
    const events = [
      { type: "prompt-added", id: `p${answer}`, text: prompt, at },
      { type: "turn-started" },
      { type: "answer-started", id: answer, model: "model-x", family: "messages", at },
    ];
    // An answer of ten seconds makes about as many lines.
    for (let part = 0; part < 20; part += 1) {
      const text = textOf(400);
      size += text.length;
      events.push({ type: "answer-event", id: answer, event: { type: "text-delta", block: 0, text: `${text}\n` } });
    }
    events.push({ type: "answer-ended", id: answer, at: at + 1, state: "complete" }, { type: "turn-ended" });
    lines.push(...events.map(writeRecord));
  }
  return lines.join("");
}

/** @param {() => Promise<unknown>} work */
async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {() => Promise<unknown>} work Milliseconds of CPU of this process. */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The peer is full text as SQLite alone makes it, with the same texts, one transaction a chat. Reading the files does not count. */
async function plainFullText() {
  const database = new DatabaseSync(path.join(folder, "plain.db"));
  database.exec("CREATE VIRTUAL TABLE words USING fts5(text)");
  const insert = database.prepare("INSERT INTO words (text) VALUES (?)");
  let cpu = 0;
  for (let at = 0; at < sessions; at += 1) {
    /** @type {string[]} */
    const texts = [];
    await readTurns(path.join(chats, `s${at}.jsonl`), 0, new AbortController().signal, {
      meta() {},
      turn({ entries }) {
        texts.push(...entries.map(({ text }) => text));
        return true;
      },
    });
    cpu += await cpuOf(async () => {
      database.exec("BEGIN");
      for (const text of texts) insert.run(text);
      database.exec("COMMIT");
    });
  }
  database.close();
  return cpu;
}

const folder = process.argv[2] ?? "";
const chats = path.join(folder, "chats");
const file = path.join(folder, "chats.db");
await mkdir(chats, { recursive: true });
for (let at = 0; at < sessions; at += 1)
  await writeFile(path.join(chats, `s${at}.jsonl`), sessionText(`s${at}`, 1e12 + at * 1e7, characters / sessions));
const open = () =>
  SqliteChatIndex.open({ path: file, sessions: chats, clock: systemClock, onSkip() {}, onSetAside() {} });
let index = await open();
let made = NaN;
const cpu = await cpuOf(async () => (made = await time(() => index.list())));
await index.close();
const plain = await plainFullText();
/** Milliseconds of the first list after opening, several times: what was written before is still on its way to the disk. */
const lists = [];
for (let run = 0; run < 5; run += 1) {
  index = await open();
  lists.push(await time(() => index.list()));
  await index.close();
}
lists.sort((one, other) => one - other);
index = await open();
const queries = [
  ...[words[0], words[3], words[400], words[20_000], `${words[1]} ${words[2]}`, `${words[50]} ${words[25_000]}`],
  ...["ab", "abc", "zz", "notthere", "a", `${words[7]} ${words[8]} ${words[9]}`],
].map((query) => query ?? "");
const searches = [];
for (let run = 0; run < 5; run += 1)
  for (const query of queries) searches.push({ query, ms: await time(() => index.search(query)) });
await index.close();
const size = (await stat(file)).size;

const long = path.join(folder, "long.jsonl");
await writeFile(long, sessionText("long", 1e12, 10e6));
let held = 0;
let last = performance.now();
const ticker = setInterval(() => {
  held = Math.max(held, performance.now() - last - 1);
  last = performance.now();
}, 1);
const read = await time(() => readSession(long, "long", new AbortController().signal));
clearInterval(ticker);
await rm(folder, { recursive: true, force: true });
const sorted = searches.map(({ ms }) => ms).sort((one, other) => one - other);
const slowest = searches.reduce((one, other) => (one.ms > other.ms ? one : other));
console.log(
  JSON.stringify({
    made,
    cpu,
    plain,
    listed: lists[2],
    size,
    p50: sorted[Math.floor(sorted.length / 2)],
    slowest,
    read,
    held,
    searches: sorted.length,
  }),
);
