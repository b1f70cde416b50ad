// F4: the task store against the log of lines that it replaces, at 10,000 and 100,000 tasks, while another process writes to the same file.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSubject, measureSubject, nodeBundle } from "./subject.mjs";

const sizes = [10_000, 100_000];
/** Milliseconds: the first page, and the longest that a store's call may hold the extension host (p99). */
const limits = { opened: 50, held: 20 };

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

/** True when the first page and the held thread are within their limits at every size. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-store-"));
  const subject = await buildSubject("store", folder);
  const thread = path.join(folder, "taskStore.cjs");
  const entryPoints = [path.join(import.meta.dirname, "..", "src", "compose", "storageThread.ts")];
  await build({ ...nodeBundle, format: "cjs", entryPoints, outfile: thread });
  let within = true;
  try {
    for (const tasks of sizes) {
      const log = path.join(folder, `${tasks}.jsonl`);
      const database = path.join(folder, `${tasks}`, "tasks.db");
      await measureSubject([subject, "fill-log", log, String(tasks)]);
      await measureSubject([subject, "fill-database", database, String(tasks)]);
      const peer = await besideWriter(subject, "log", log, tasks, thread);
      const inHost = await besideWriter(subject, "database-in-host", database, tasks, thread);
      const onThread = await besideWriter(subject, "database-on-thread", database, tasks, thread);
      await print(tasks, { log, database }, { peer, inHost, onThread });
      within &&= onThread.opened <= limits.opened + peer.idle && onThread.stepping <= limits.held + peer.idle;
    }
    console.log(
      `limits on its thread: first page ${limits.opened} ms, host held ${limits.held} ms (p99), beside what an idle loop is held`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return within;
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
