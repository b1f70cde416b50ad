// F7, P4: measures full text over 100 MB of chats (F7 allows 150 ms), the list of 500, what making the index costs, and how long a session of 10 MB
// holds the thread while it is read.
import path from "node:path";
import { buildSubject, inFolder, measureSubject } from "./subject.mjs";

/** The limits are in milliseconds. Only `made` is the CPU of making the index, with reading the files, over that of SQLite's full text alone. */
const limits = { search: 60, list: 16, held: 34, made: 1 };

/** @typedef {{ made: number, cpu: number, plain: number, listed: number, size: number, p50: number, slowest: { query: string, ms: number }, read: number, held: number, searches: number }} Figures */

/** Measures what the index of chats costs, and how soon it answers. */
export const run = () =>
  inFolder(async (folder) => {
    const subject = await buildSubject("chats", folder);
    /** @type {Figures} */
    const { made, cpu, plain, listed, size, p50, slowest, read, held, searches } = await measureSubject([
      subject,
      path.join(folder, "work"),
    ]);
    const seconds = (/** @type {number} */ milliseconds) => (milliseconds / 1000).toFixed(1);
    console.log(`500 chats of 100 MB, Node ${process.version}`);
    console.log(
      `  index made in ${seconds(made)} s with ${seconds(cpu)} s of CPU, ${(size / 1e6).toFixed(0)} MB; SQLite's full text by itself: ${seconds(plain)} s of CPU`,
    );
    console.log(`  search: median of ${searches} ${p50.toFixed(1)} ms, slowest for “${slowest.query}”`);
    console.log(`  a chat of 10 MB is read in ${read.toFixed(0)} ms`);
    return [
      { what: "CPU of making the index over plain full text", today: cpu / plain, limit: limits.made, unit: "×" },
      { what: "list of 500 chats, median of 5", today: listed, limit: limits.list, unit: "ms" },
      { what: "slowest search in 100 MB", today: slowest.ms, limit: limits.search, unit: "ms" },
      { what: "thread held while 10 MB are read", today: held, limit: limits.held, unit: "ms" },
    ];
  });
