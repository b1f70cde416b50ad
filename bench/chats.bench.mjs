// F7, P4: full text over 100 MB of chats within 150 ms, the list of 500 at once; and how long a session of 10 MB holds the thread while it is read.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSubject, measureSubject } from "./subject.mjs";

/** Milliseconds. */
const limits = { search: 150, list: 150, held: 50 };

/** @typedef {{ made: number, listed: number, size: number, p50: number, slowest: { query: string, ms: number }, read: number, held: number, searches: number }} Figures */

/** True when all limits are held. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-chats-"));
  try {
    const subject = await buildSubject("chats", folder);
    /** @type {Figures} */
    const { made, listed, size, p50, slowest, read, held, searches } = await measureSubject([
      subject,
      path.join(folder, "work"),
    ]);
    console.log(`500 chats of 100 MB, Node ${process.version}`);
    console.log(`  index made in ${(made / 1000).toFixed(1)} s, ${(size / 1e6).toFixed(0)} MB`);
    console.log(`  list: ${listed.toFixed(0)} ms (limit ${limits.list})`);
    console.log(
      `  search: median of ${searches} ${p50.toFixed(1)} ms, slowest ${slowest.ms.toFixed(0)} ms for “${slowest.query}” (limit ${limits.search})`,
    );
    console.log(
      `  a chat of 10 MB is read in ${read.toFixed(0)} ms and holds the thread ${held.toFixed(0)} ms at most (limit ${limits.held})`,
    );
    return listed <= limits.list && slowest.ms <= limits.search && held <= limits.held;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await run();
