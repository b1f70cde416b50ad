// Runs commands outside of the sandbox and on a copy, in a project of some thousand files, and prints the medians of their times.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { LedgerFiles } from "../../src/chat/undo/ledgerFiles";
import { applyCopy } from "../../src/tools/command/applyCopy";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";
import { createSandbox } from "../../src/tools/sandbox/sandbox";
import { createDiskWorkspace } from "../../test/support/diskWorkspace";

const rounds = Number(process.argv[2]);
const files = 1000;
const never = new AbortController().signal;
const base = await realpath(await mkdtemp(path.join(tmpdir(), "bench-copied-")));
try {
  const root = path.join(base, "project");
  for (let folder = 0; folder < 100; folder += 1) {
    await mkdir(path.join(root, `src/d${folder}`), { recursive: true });
    for (let at = 0; at < 30; at += 1)
      await writeFile(path.join(root, `src/d${folder}/f${at}.js`), `export const a = ${at};\n`.repeat(40));
  }
  await mkdir(path.join(root, "test"));
  await writeFile(
    path.join(root, "test/a.test.js"),
    `import test from "node:test"; import { writeFileSync, mkdirSync } from "node:fs"; test("a", () => { mkdirSync("coverage", { recursive: true }); writeFileSync("coverage/lcov.info", String(Date.now())); });`,
  );
  await writeFile(path.join(root, "package.json"), `{"type":"module"}`);
  await writeFile(path.join(root, ".gitignore"), "coverage/\n");
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "."], { cwd: root });
  const processes = createChildProcesses(systemClock, async () =>
    createSandbox(() => true, process.env, path.join(base, "copies")),
  );
  const state = await processes.sandbox([root]);
  const isReady = state.state === "ready" && state.copies;
  const workspace = createDiskWorkspace(root);
  const store = LedgerFiles.nextTo(path.join(base, "storage/chats")).storeOf("chat");
  const ledger = new ChangeLedger({ store, workspace, now: () => Date.now(), labelOf: (name) => name });
  const kept = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "sandbox" });
  const environment = { PATH: process.env["PATH"] ?? "" };
  /** @param {string} line @param {boolean} isCopied */
  const time = async (line, isCopied) => {
    /** @type {import("../../src/domain/tools/sandbox").CommandCopy | undefined} */
    let copy;
    const confinement = {
      roots: [root],
      policy: sandboxPolicy,
      onCopy: (/** @type {typeof copy} */ made) => (copy = made),
    };
    const command = {
      argv: /** @type {const} */ (["/bin/sh", "-c", line]),
      cwd: root,
      environment,
      timeoutMs: 60_000,
      onOutput: () => undefined,
    };
    const begun = performance.now();
    const end = await processes.run(isCopied ? { ...command, confinement } : command, never);
    if (end.type !== "exited" || end.code !== 0) throw new Error(JSON.stringify(end));
    const ended = performance.now();
    const used = process.cpuUsage();
    const applied = copy && (await applyCopy(workspace, copy, kept, never));
    if (applied?.question) throw new Error(`asks: ${applied.question.reasons.join(", ")}`);
    const { user, system } = process.cpuUsage(used);
    return {
      whole: performance.now() - begun,
      applied: performance.now() - ended,
      cpu: (user + system) / 1000,
    };
  };
  /** @param {readonly number[]} all */
  const median = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? Number.NaN;
  const test = "node --test test/*.test.js";
  /** @type {number[]} */ const outside = [];
  /** @type {number[]} */ const copied = [];
  /** @type {number[]} */ const applied = [];
  /** @type {number[]} */ const cpu = [];
  if (isReady)
    for (let round = 0; round < rounds; round += 1) {
      outside.push((await time(test, false)).whole);
      copied.push((await time(test, true)).whole);
      const change = `for n in $(seq 0 99); do for m in $(seq 0 ${files / 100 - 1}); do echo "// ${round}" >> src/d$n/f$m.js; done; done`;
      const changed = await time(change, true);
      applied.push(changed.applied);
      cpu.push(changed.cpu);
    }
  console.log(
    JSON.stringify({
      isReady,
      files,
      outside: median(outside),
      copied: median(copied),
      applied: median(applied),
      cpu: median(cpu),
    }),
  );
} finally {
  await rm(base, { recursive: true, force: true });
}
