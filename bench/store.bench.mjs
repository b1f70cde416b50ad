// F4, F6: measures how soon 10,000 and 100,000 tasks are there while another window writes to the same file, how long the extension host is held, and
// what it holds with 10,000 tasks, 500 chats and a long chat.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { buildSubject, inFolder, measureSubject, nodeBundle } from "./subject.mjs";

/** The least of so many runs counts, because what else the machine does only adds. */
const rounds = 3;
/** Milliseconds to the first page, and the longest that the extension host is held. Megabytes of heap and of what is resident, over an idle host. */
const limits = { opened: 45, held: 20, heldLongest: 45, heap: 25, rss: 120 };
const missed = {
  goal: limits.held,
  why: "the collector copies the new rows of a page in one piece; shorter pieces need fewer rows in memory: finished tasks read only where they are shown",
};

/** @typedef {{ opened: number, loading: number, stepping: number }} Figures */

/** @returns {Promise<import("./verdicts.mjs").Verdict[]>} */
export const run = () =>
  inFolder(async (folder) => {
    const subject = await buildSubject("store", folder);
    const thread = path.join(folder, "storage.cjs");
    const entryPoints = [path.join(import.meta.dirname, "..", "src", "chat", "storage", "index", "storageThread.ts")];
    await build({ ...nodeBundle, format: "cjs", entryPoints, outfile: thread });
    const [few, many] = [path.join(folder, "few", "tasks.db"), path.join(folder, "many", "tasks.db")];
    const chats = path.join(folder, "few", "chats");
    await measureSubject([subject, "fill", many, "100000"]);
    const ofMany = await least([subject, "board", many, "100000", thread]);
    await measureSubject([subject, "fill", few, "10000"]);
    const ofFew = await least([subject, "board", few, "10000", thread]);
    await measureSubject([subject, "fill-chats", few, "10000", thread, chats]);
    /** @type {{ heap: number, rss: number }} */
    const { heap, rss } = await measureSubject(["--expose-gc", subject, "memory", few, "10000", thread, chats]);
    const what = "over idle with 10,000 tasks, after 500 chats were listed, with 200 answers";
    return [
      { what: "first page of 10,000 tasks", today: ofFew.opened, limit: limits.opened, unit: "ms" },
      { what: "host held while 10,000 load", today: ofFew.loading, limit: limits.held, unit: "ms" },
      { what: "first page of 100,000 tasks", today: ofMany.opened, limit: limits.opened, unit: "ms" },
      { what: "host held while 100,000 load", today: ofMany.loading, limit: limits.heldLongest, unit: "ms", missed },
      { what: "host held while steps are taken, p99", today: ofMany.stepping, limit: limits.held, unit: "ms" },
      { what: `heap ${what}`, today: heap, limit: limits.heap, unit: "MB" },
      { what: `resident ${what}`, today: rss, limit: limits.rss, unit: "MB" },
    ];
  });

/** Returns the least of each figure, measured while a window writes to the same file. @param {readonly string[]} args @returns {Promise<Figures>} */
async function least([subject = "", what = "", file = "", ...rest]) {
  const writer = spawn(process.execPath, [subject, "writer", file, ...rest], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(writer.stdout, "data");
    const all = { opened: Infinity, loading: Infinity, stepping: Infinity };
    for (let round = 0; round < rounds; round += 1) {
      /** @type {Figures} */
      const { opened, loading, stepping } = await measureSubject(["--expose-gc", subject, what, file, ...rest]);
      all.opened = Math.min(all.opened, opened);
      all.loading = Math.min(all.loading, loading);
      all.stepping = Math.min(all.stepping, stepping);
    }
    return all;
  } finally {
    const ended = once(writer, "exit");
    writer.kill("SIGKILL");
    await ended;
  }
}
