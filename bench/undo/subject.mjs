// Previews, undoes and redoes the changes of one turn, over a store and a workspace that answer from another macrotask, as a disk does. Its argument
// is the number of files. It prints its figures as JSON.
import { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { previewUndo, redoable, undoable, undoChanges } from "../../src/chat/undo/undoChanges";
import { MemoryLedgerStore } from "../../test/support/memoryLedger";
import { memoryRoot, MemoryWorkspace } from "../../test/support/memoryWorkspace";

const count = Number(process.argv[2]);
const disk = () => new Promise((resolve) => setImmediate(resolve));

class SlowWorkspace extends MemoryWorkspace {
  /** The method of the class in memory looks through all files, so it is replaced. @param {string} path @override */
  async realPath(path) {
    await disk();
    return path;
  }

  /** @param {string} path @override */
  async open(path) {
    await disk();
    return super.open(path);
  }
}

const workspace = new SlowWorkspace();
const store = new MemoryLedgerStore();
const ports = { store, workspace, now: () => 1, labelOf: (/** @type {string} */ path) => path };
const paths = Array.from({ length: count }, (_, at) => `${memoryRoot}/folder${at % 100}/file${at}.ts`);
for (const path of paths) workspace.files.set(path, Buffer.from(`const before = "${path}";\n`));
const tools = new ChangeLedger(ports).changesOf({ type: "call", answer: "a", call: "c", allowed: "once" });
for (const path of paths) await tools.write(path, `const before = "${path}";\n`, `const after = "${path}";\n`);

/** Measures milliseconds of CPU: all, and the most of this thread for which nothing else ran. Time would count what other programs take of the machine. @param {() => Promise<unknown>} work */
async function measure(work) {
  let held = 0;
  let isOver = false;
  let last = threadTime();
  const turn = () => {
    const now = threadTime();
    held = Math.max(held, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  isOver = true;
  await disk();
  return { cpu: (user + system) / 1000, held };
}

function threadTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const ledger = new ChangeLedger(ports);
const load = await measure(() => ledger.load());
const preview = await measure(() => previewUndo(ledger, undoable(ledger)));
const undo = await measure(async () => expectAll(await undoChanges(ledger, undoable(ledger))));
const redo = await measure(async () => expectAll(await undoChanges(ledger, redoable(ledger))));
console.log(JSON.stringify({ load, preview, undo, redo }));

/** @param {import("../../src/chat/undo/undoChanges").UndoOutcome} outcome */
function expectAll({ undone }) {
  if (undone.length !== count) throw new Error(`${undone.length} of ${count} files`);
}
