// Finds the 300 hunks of a file of 10,000 lines, first and after each key that is typed, and prints milliseconds of CPU as JSON.
import { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { hunksOf } from "../../src/chat/undo/reviewRows";
import { marksOf, UndecidedFiles } from "../../src/chat/undo/undecidedFiles";
import { MemoryLedgerStore } from "../../test/support/memoryLedger";
import { memoryRoot, MemoryWorkspace } from "../../test/support/memoryWorkspace";

const [lineCount, hunkCount, keys] = [10_000, 300, 200];
const path = `${memoryRoot}/large.ts`;
const lines = Array.from({ length: lineCount }, (_, at) =>
  at % 7 === 0 ? "" : `  const value${at} = compute(${at});`,
);
const changed = lines.map((line, at) => (at % Math.floor(lineCount / hunkCount) === 3 ? `${line} // changed` : line));
const [before, after] = [`${lines.join("\n")}\n`, `${changed.join("\n")}\n`];
const workspace = new MemoryWorkspace();
workspace.files.set(path, Buffer.from(before));
const store = new MemoryLedgerStore();
const ports = { store, workspace, now: () => 1, labelOf: (/** @type {string} */ one) => one };
const tools = new ChangeLedger(ports).changesOf({ type: "call", answer: "a", call: "c", allowed: "once" });
await tools.write(path, before, after);

/** Milliseconds of CPU of this thread. */
function threadTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** @param {() => Promise<unknown>} work */
async function cpuOf(work) {
  const begun = threadTime();
  await work();
  return threadTime() - begun;
}

/** Reads the hunks as an editor does. @param {UndecidedFiles} undecided @param {string} text */
async function read(undecided, text) {
  const rows = (await undecided.rowsOf(path, text)) ?? [];
  if (marksOf(rows).length < hunkCount) throw new Error(`${hunksOf(rows).length} hunks`);
}

/** @type {number[]} */
const first = [];
/** @type {number[]} */
const typed = [];
for (let round = 0; round < 5; round += 1) {
  const ledger = new ChangeLedger(ports);
  await ledger.load();
  const undecided = new UndecidedFiles(ledger);
  first.push(await cpuOf(() => read(undecided, after)));
  let text = after;
  const place = text.indexOf("compute", Math.floor((text.length / 5) * round));
  for (let key = 0; key < keys / 5; key += 1) {
    const at = place + key;
    text = `${text.slice(0, at)}x${text.slice(at)}`;
    const now = text;
    typed.push(await cpuOf(() => read(undecided, now)));
  }
}
typed.sort((one, other) => one - other);
console.log(
  JSON.stringify({ first: Math.min(...first), cold: first[0], typed: typed[Math.floor(typed.length * 0.95)] }),
);
