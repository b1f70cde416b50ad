// Looks through a whole project and edits one document, in a process that does nothing else, and prints the milliseconds of CPU as JSON.
import { TimeSlices } from "../../src/base/async/timeSlices";
import { findMediaReferences } from "../../src/tasks/missing/findReferences";
import { lookThrough } from "../../src/tasks/missing/lookThrough";
import { MissingFiles } from "../../src/tasks/missing/missingFiles";
import { createDiskWorkspace } from "../../test/support/diskWorkspace";

const [, , folder = "", program = "", rounds = "1"] = process.argv;

/** @param {() => Promise<void>} work */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const all = [];
let missing = 0;
let documents = 0;
/** The longest time in which nothing else could run. */
let longest = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 5);
    last = now;
  }, 5);
  all.push(
    await cpuOf(async () => {
      const files = new MissingFiles(createDiskWorkspace(folder));
      const { signal } = new AbortController();
      await files.reset();
      const job = { roots: [{ name: "project", path: folder }], personalIgnoreFile: undefined, excluded: [] };
      documents = await lookThrough(program, job, signal, (path, references) => files.put(path, references));
      const slices = new TimeSlices(signal);
      missing = 0;
      for (const path of files.documents) missing += (await files.judge(path, slices)).length;
    }),
  );
  clearInterval(timer);
}
const text = "# A page\n\nWords.\n\n![A pier](img/pier.png)\n\n".repeat(400);
const edits = 200;
const edit = await cpuOf(async () => {
  for (let round = 0; round < edits; round += 1) findMediaReferences("a.md", text);
});
console.log(JSON.stringify({ all, missing, documents, longest, edit: edit / edits }));
