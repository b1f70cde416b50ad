/** A13, A1 (finding S13): what a command may take of the machine, and that it ends at once and whole. With the real sandbox. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { systemClock } from "../../../../src/base/async/systemClock";
import type { CommandCopy } from "../../../../src/domain/tools/sandbox";
import { type CommandLimits, createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { sandboxPolicy } from "../../../../src/tools/gate/sandboxPolicy";
import type { Sandbox } from "../../../../src/tools/sandbox/sandbox";
import { collectCopies, WorkspaceCopy } from "../../../../src/tools/sandbox/workspaceCopy";
import { isAbort } from "../../../../src/base/async/abort";
import { reportEnd } from "../../../../src/tools/command/reportEnd";
import { until } from "../../../support/builders";
import { type CopiedProject, createCopiedProject } from "../../../support/copiedProject";

describe("the limits of a command on a copy", () => {
  let project: CopiedProject;
  before(async function () {
    project = await createCopiedProject();
    if (!project.isReady) this.skip();
  });
  beforeEach(() => project.clear());
  after(() => project.remove());

  const facts = { limit: 60, ms: 1000, output: "" };
  const cases: readonly (readonly [name: string, limits: Partial<CommandLimits>, line: string, told: RegExp])[] = [
    [
      "processes",
      { processes: 50 },
      "for n in $(seq 100); do sleep 1000 & done; wait",
      /ran more than 50 processes at once/,
    ],
    ["memory", { memory: 300 * 1024 ** 2 }, "head -c 1000000000 /dev/zero | tail", /took more than 0 GB of memory/],
    [
      "the disk",
      { written: 50 * 1024 ** 2 },
      "head -c 300000000 /dev/zero > big; sync; sleep 1000",
      /filled the disk, or wrote more than/,
    ],
  ];
  for (const [name, limits, line, told] of cases)
    it(`A13 (finding S13): one that takes too much of ${name} is ended, and the model is told`, async () => {
      const { run } = project;
      const { end } = await run(line, { limits });
      assert.equal(end.type, "over-limit");
      assert.match(reportEnd(end, facts), told);
      assert.deepEqual(
        (await run("echo next > a.js", { limits })).changes.map(({ inRoot }) => inRoot),
        ["a.js"],
        "the next one is not harmed",
      );
    });

  it("A13, A1 (finding S13): a stop ends it whatever its tree, and nothing of it is applied or left", async () => {
    const { run, root, copies } = project;
    const stop = new AbortController();
    const mark = "31415.9265";
    const running = run(
      `mkdir -p t; for n in $(seq 20000); do mkdir t/$n; done & for n in $(seq 300); do setsid sh -c 'trap "" TERM; sleep ${mark} & sleep ${mark}' & done; wait`,
      { signal: stop.signal },
    );
    await until(() => marked(mark).length > 300);
    stop.abort();
    await assert.rejects(running, isAbort);
    await until(() => marked(mark).length === 0);
    assert.deepEqual(readdirSync(root), []);
    await until(() => readdirSync(copies).length === 0);
  });

  it("A13: at its time limit it is dead before its changes are read", async () => {
    const { run } = project;
    const { end, changes, copy } = await run(
      "while :; do echo 1 >> a.js; setsid sh -c 'while :; do echo 1 >> b.js; done' & done",
      {
        timeoutMs: 300,
      },
    );
    assert.deepEqual(end, { type: "timed-out" });
    const sizes = changes.map(({ inRoot, size }) => [inRoot, size]);
    assert.deepEqual(
      (await copy?.changes(new AbortController().signal))?.map(({ inRoot, size }) => [inRoot, size]),
      sizes,
    );
  });

  it("A13: a time limit that is over while its folders are being copied is said as such, and nothing is changed", async () => {
    const { root, copies } = project;
    const programs = { shell: ["sh"], unshare: "unshare", mount: "mount" } as const;
    const copy = WorkspaceCopy.create(programs, copies, [root], [], { begun: Date.now(), apart: new Map() });
    const sandbox: Sandbox = {
      state: () => Promise.resolve({ state: "off" }),
      // It is at work on the copy for ever.
      enter: () => Promise.resolve({ argv: ["sleep", "1000"], environment: {}, copy }),
      reopen: () => Promise.resolve(undefined),
    };
    let given: CommandCopy | undefined;
    const confinement = { roots: [root], policy: sandboxPolicy, onCopy: (made: CommandCopy) => void (given = made) };
    const command = { argv: ["true"], cwd: root, environment: {}, timeoutMs: 50, onOutput: () => undefined } as const;
    const processes = createChildProcesses(systemClock, () => Promise.resolve(sandbox));
    const end = await processes.run({ ...command, confinement }, new AbortController().signal);
    assert.deepEqual(end, { type: "timed-out" });
    assert.deepEqual(await given?.changes(new AbortController().signal), []);
    await copy.close();
  });

  it("A13 (finding S13): too long a list of arguments is said, and the next command runs", async () => {
    const { processes, root, run } = project;
    const argv = ["true", "x".repeat(200_000)] as const;
    const command = { argv, cwd: root, environment: {}, timeoutMs: 10_000, onOutput: () => undefined };
    const end = await processes.run(command, new AbortController().signal);
    assert.deepEqual(end, { type: "not-started", code: "E2BIG" });
    assert.match(reportEnd(end, facts), /^Nothing was run: its arguments are longer than the system takes\./);
    const background = await processes.start(command);
    assert.deepEqual(await background.ended, end);
    assert.equal((await run("echo done")).output, "done\n");
  });

  it("A13 (finding S13): 1,400 files that are hidden, with long paths, are no list of arguments", async () => {
    const { run, at } = project;
    const deep = at(`${"d".repeat(200)}/${"e".repeat(200)}`);
    mkdirSync(deep, { recursive: true });
    for (let n = 0; n < 1400; n += 1) writeFileSync(`${deep}/${n}.env`, "canary");
    const { output, end } = await run("cat */*/*.env; echo done");
    assert.deepEqual([end, output], [{ type: "exited", code: 0 }, "done\n"]);
  });

  it("A13: copies of windows that have ended are removed, but for those whose changes were not all applied", async () => {
    const { copies, run } = project;
    const { copy } = await run("echo 1 > a.js");
    assert.ok(copy);
    // The window that made the second pair had our process id, as in a container that was started again.
    const pids = [999_999_999, process.pid];
    for (const name of [...pids.flatMap((pid) => [`${pid}-a`, `${pid}-b`]), `${process.ppid}-c`])
      await mkdir(`${copies}/${name}/0/upper`, { recursive: true });
    for (const pid of pids) await mkdir(`${copies}/${pid}-b/kept`);
    assert.deepEqual(collectCopies(copies).toSorted(), pids.map((pid) => `${copies}/${pid}-b`).toSorted());
    await until(() => pids.every((pid) => !existsSync(`${copies}/${pid}-a`)));
    assert.ok(existsSync(`${copies}/${process.ppid}-c`));
    assert.ok(existsSync(copy.folder));
    await copy.close();
  });
});

function marked(mark: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`sleep\0${mark}`);
    } catch {
      return false;
    }
  });
}
