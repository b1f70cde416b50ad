/** A13: commands in the background, by the table of processes: none is left after its end, its chat's, the window's, or a kill of the host. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import type { BackgroundChild, ChildProcesses } from "../../../src/domain/tools/childProcesses";
import { createChildProcesses } from "../../../src/tools/command/childProcesses";
import { createSandbox } from "../../../src/tools/sandbox/sandbox";
import { sandboxPolicy } from "../../../src/tools/gate/sandboxPolicy";
import type { BackgroundProgramOptions } from "../../support/backgroundProgram";
import { until } from "../../support/builders";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("a command in the background", function () {
  let folder: TemporaryFolder;
  let root: string;
  /** Seconds that nothing else on this machine sleeps. */
  let seconds: string;
  const sandbox = createSandbox(() => true, process.env);
  const processes = createChildProcesses(systemClock, () => Promise.resolve(sandbox));
  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    root = await realpath(folder.path);
    seconds = `7654.${randomInt(1e8, 1e9)}`;
  });
  afterEach(() => folder.remove());

  /** How many processes have it among their arguments, those of the sandbox too. */
  const counted = (): number =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(seconds);
      } catch {
        return false;
      }
    }).length;
  const canConfine = async (): Promise<boolean> => (await processes.sandbox([root])).state === "ready";
  const start = (line: string, isConfined: boolean, onOutput: (text: string) => void = () => undefined) =>
    processes.start({
      argv: ["/bin/sh", "-c", line],
      cwd: root,
      environment: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 0,
      onOutput,
      ...(isConfined ? { confinement: { roots: [root], policy: sandboxPolicy } } : {}),
    });
  /** One of the group, one of a session of its own, one without its environment. */
  const family = (): string =>
    `sleep ${seconds} & setsid sleep ${seconds} & env -i PATH=$PATH sleep ${seconds} & echo begun; wait`;

  for (const isConfined of [false, true]) {
    const where = isConfined ? "in the sandbox" : "outside of it";

    it(`A13: it takes lines, gives its output and its end, ${where}`, async function () {
      if (isConfined && !(await canConfine())) this.skip();
      let written = "";
      const child = await start("read line; echo got $line; exit 3", isConfined, (text) => (written += text));
      assert.equal(child.write("a line\n"), true);
      assert.deepEqual(await child.ended, { type: "exited", code: 3 });
      assert.equal(written, "got a line\n");
      assert.equal(child.write("more\n"), false);
    });

    it(`A13, A1: its end takes all with it that it has started, ${where}`, async function () {
      if (isConfined && !(await canConfine())) this.skip();
      let written = "";
      const child: BackgroundChild = await start(family(), isConfined, (text) => (written += text));
      await until(() => written.includes("begun") && counted() >= 3);
      child.end();
      await child.ended;
      await until(() => counted() === 0);
    });

    it(`A13: after kill -9 of the process that started it nothing of it is left, ${where}`, async function () {
      if (isConfined && !(await canConfine())) this.skip();
      const options: BackgroundProgramOptions = { root, lines: [family(), family()], isConfined };
      const program = resolve("dist/test/support/backgroundProgram.mjs");
      const host = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      await until(() => counted() >= 6);
      host.kill("SIGKILL");
      await once(host, "exit");
      await until(() => counted() === 0);
    });
  }

  for (const where of ["outside of the sandbox", "in the sandbox", "on a copy"])
    it(`A13, A1: after kill -9 of the process that waits for a command nothing of it is left, ${where}`, async function () {
      const isConfined = where !== "outside of the sandbox";
      if (isConfined && !(await canConfine())) this.skip();
      const copies = where === "on a copy" ? join(root, "copies") : undefined;
      const project = join(root, "project");
      await mkdir(project);
      const options: BackgroundProgramOptions = {
        ...{ root: project, lines: [family()], isConfined, isForeground: true },
        ...(copies === undefined ? {} : { copies }),
      };
      const program = resolve("dist/test/support/backgroundProgram.mjs");
      const host = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      await until(() => counted() >= 3);
      host.kill("SIGKILL");
      await once(host, "exit");
      await until(() => counted() === 0);
    });

  for (const isForeground of [false, true])
    it(`A13: a kill -9 of the process that is just starting it leaves nothing of it, ${isForeground ? "waited for" : "in the background"}`, async () => {
      const options: BackgroundProgramOptions = {
        ...{ root, lines: [family().replace("wait", "kill -s KILL $PPID; wait")], isConfined: false },
        ...(isForeground ? { isForeground } : {}),
      };
      const program = resolve("dist/test/support/backgroundProgram.mjs");
      for (let kills = 0; kills < 5; kills += 1) {
        const host = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
        await once(host, "exit");
        await until(() => counted() === 0);
      }
    });

  it("A13: a port of this machine answers or not", async () => {
    const server = createServer((connection) => connection.destroy());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const answers: ChildProcesses["answers"] = (one) => processes.answers(one);
    assert.equal(await answers(port), true);
    await new Promise((done) => server.close(done));
    assert.equal(await answers(port), false);
  });
});
