// F4, F6: the task store against the log of lines that it replaces, at 10,000 and 100,000 tasks, while another process writes to the same file; and what the extension host holds with 10,000 tasks, 500 chats and a long chat.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSubject, measureSubject, nodeBundle } from "./subject.mjs";

const sizes = [10_000, 100_000];
/** The least of so many runs: what else the machine does only adds. */
const rounds = 3;
/** Milliseconds: the first page, and the longest that the extension host is held. Megabytes over an idle host: its heap, and what is resident. */
const limits = { opened: 45, held: 20, heap: 25, rss: 120 };
/** With 100,000 tasks. */
const heldLongest = 45;
const why =
  "the collector copies the new rows of a page in one piece; shorter pieces need fewer rows in memory: finished tasks read only where they are shown";

/** @typedef {{ opened: number, whole: number, rss: number, heap: number, p50: number, p99: number, idle: number, loading: number, stepping: number, calls?: number, longest?: number }} Figures */

/** @param {string} subject @param {string} what @param {string} file @param {number} tasks @param {string} thread @returns {Promise<Figures>} */
async function besideWriter(subject, what, file, tasks, thread) {
  const args = ["--expose-gc", subject, what, file, String(tasks)];
  // The log has no other writer: two windows each append to it, and neither reads what the other wrote.
  if (what === "log") return measureSubject(args);
  const writer = spawn(process.execPath, [subject, "writer", file, String(tasks)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(writer.stdout, "data");
    return await measureSubject([...args, thread]);
  } finally {
    const ended = once(writer, "exit");
    writer.kill("SIGKILL");
    await ended;
  }
}

/** How soon the tasks are there, how long the host is held, and what it holds. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-store-"));
  const subject = await buildSubject("store", folder);
  const thread = path.join(folder, "taskStore.cjs");
  const entryPoints = [path.join(import.meta.dirname, "..", "src", "compose", "storageThread.ts")];
  await build({ ...nodeBundle, format: "cjs", entryPoints, outfile: thread });
  try {
    /** @type {import("./verdicts.mjs").Verdict[]} */
    const verdicts = [];
    for (const tasks of sizes) {
      const log = path.join(folder, `${tasks}.jsonl`);
      const database = path.join(folder, `${tasks}`, "tasks.db");
      await measureSubject([subject, "fill-log", log, String(tasks)]);
      await measureSubject([subject, "fill-database", database, String(tasks)]);
      const peer = await besideWriter(subject, "log", log, tasks, thread);
      const inHost = await besideWriter(subject, "database-in-host", database, tasks, thread);
      /** @type {Figures[]} */
      const runs = [];
      for (let round = 0; round < rounds; round += 1)
        runs.push(await besideWriter(subject, "database-on-thread", database, tasks, thread));
      const onThread = least(runs);
      await print(tasks, { log, database }, { peer, inHost, onThread });
      const count = tasks.toLocaleString("en");
      verdicts.push(
        { what: `first page of ${count} tasks`, today: onThread.opened, limit: limits.opened, unit: "ms" },
        {
          ...{ what: `host held while ${count} load`, today: onThread.loading, unit: "ms" },
          ...(tasks > 10_000 ? { limit: heldLongest, missed: { goal: limits.held, why } } : { limit: limits.held }),
        },
        { what: `host held while steps are taken, p99`, today: onThread.stepping, limit: limits.held, unit: "ms" },
      );
      if (tasks === sizes[0]) verdicts.push(...(await memory(subject, database, tasks, thread)));
    }
    return verdicts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The least of each figure, whichever run it is from. @param {readonly Figures[]} runs */
function least(runs) {
  const [first] = runs;
  const names = /** @type {(keyof Figures)[]} */ (Object.keys(first ?? {}));
  const entries = names.map((name) => [name, Math.min(...runs.map((figures) => figures[name] ?? NaN))]);
  return /** @type {Figures} */ (Object.fromEntries(entries));
}

/** @param {string} subject @param {string} database @param {number} tasks @param {string} thread @returns {Promise<import("./verdicts.mjs").Verdict[]>} */
async function memory(subject, database, tasks, thread) {
  const chats = path.join(path.dirname(database), "chats");
  await measureSubject([subject, "fill-chats", database, String(tasks), thread, chats]);
  /** @type {Record<"withTasks" | "afterHistory" | "withChat", { heap: number, rss: number }>} */
  const { withTasks, afterHistory, withChat } = await measureSubject([
    ...["--expose-gc", subject, "memory", database, String(tasks), thread, chats],
  ]);
  for (const [when, { heap, rss }] of Object.entries({ withTasks, afterHistory, withChat }))
    console.log(`memory over idle, ${when}: heap ${heap.toFixed(0)} MB, resident ${rss.toFixed(0)} MB`);
  const what = "over idle with 10,000 tasks, after 500 chats were listed, with 200 answers";
  return [
    { what: `heap ${what}`, today: withChat.heap, limit: limits.heap, unit: "MB" },
    { what: `resident ${what}`, today: withChat.rss, limit: limits.rss, unit: "MB" },
  ];
}

/** @param {number} tasks @param {{ log: string, database: string }} files @param {{ peer: Figures, inHost: Figures, onThread: Figures }} figures */
async function print(tasks, files, { peer, inHost, onThread }) {
  const size = async (/** @type {string} */ file) => Math.round((await stat(file)).size / 2 ** 20);
  console.log(
    `store: ${tasks.toLocaleString("en")} tasks, log ${await size(files.log)} MB, database ${await size(files.database)} MB, Node ${process.version}`,
  );
  console.log(
    `${"".padEnd(46)}${"log of lines".padStart(14)}${"in the host".padStart(14)}${"on its thread".padStart(15)}`,
  );
  /** @type {readonly (readonly [string, (figures: Figures) => number | undefined])[]} */
  const rows = [
    ["first page is there, ms", ({ opened }) => opened],
    ["all tasks are there, ms", ({ whole }) => whole],
    ["host held at most while they load, ms", ({ loading }) => loading],
    ["memory: heap, MB", ({ heap }) => heap],
    ["memory: process, MB", ({ rss }) => rss],
    ["a step on disk, p50 ms", ({ p50 }) => p50],
    ["a step on disk, p99 ms", ({ p99 }) => p99],
    ["one synchronous call of a step, p99 ms", ({ calls }) => calls],
    ["one synchronous call of a step, longest, ms", ({ longest }) => longest],
    ["host held while steps are taken, p99 ms", ({ stepping }) => stepping],
    ["host held while nothing is done, p99 ms", ({ idle }) => idle],
  ];
  for (const [name, read] of rows) {
    const cells = [peer, inHost, onThread].map((figures) => read(figures)?.toFixed(1) ?? "–");
    console.log(`${name.padEnd(46)}${cells[0]?.padStart(14)}${cells[1]?.padStart(14)}${cells[2]?.padStart(15)}`);
  }
}

if (process.argv[1] === import.meta.filename) await run();
