/** A13: how a command is started in the sandbox: with which handles, programs and temporary folders. With the real sandbox. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import type { Confinement } from "../../../../src/domain/tools/sandbox";
import { createSandbox, type Sandbox } from "../../../../src/tools/sandbox/sandbox";
import { sandboxPolicy } from "../../../../src/tools/gate/sandboxPolicy";
import { until } from "../../../support/builders";
import { type CopiedProject, createCopiedProject } from "../../../support/copiedProject";

describe("the start of a command in the sandbox", () => {
  let project: CopiedProject;
  let sandbox: Sandbox;
  before(async function () {
    project = await createCopiedProject();
    if (!project.isReady) this.skip();
    sandbox = createSandbox(() => true, process.env, project.copies);
  });
  beforeEach(() => project.clear());
  after(() => project.remove());

  const enter = (line: string, confinement: Partial<Confinement> = {}, path = process.env["PATH"] ?? "") =>
    sandbox.enter(
      {
        argv: ["/bin/sh", "-c", line],
        cwd: project.root,
        environment: { PATH: path },
        timeoutMs: 60_000,
        onOutput: () => undefined,
      },
      { roots: [project.root], policy: sandboxPolicy, ...confinement },
      new AbortController().signal,
    );
  const outputOf = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
    new Promise((resolve) => {
      execFile(argv[0] ?? "", argv.slice(1), { env }, (_, output) => resolve(output));
    });

  it("A13: the folder of the window goes with it, and that of an ended window with the next start; a cleaner may remove it before", async () => {
    const ended = `sluice-sandbox-${spawnSync("true").pid}-`;
    mkdirSync(join(tmpdir(), `${ended}left/made`), { recursive: true });
    const own = createSandbox(() => true, process.env);
    const earlier = new Set(readdirSync(tmpdir()));
    const made = (): readonly string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`sluice-sandbox-${process.pid}-`) && !earlier.has(name));
    const command = { argv: ["cat", "/etc/shadow"], cwd: project.root, timeoutMs: 60_000 } as const;
    const run = async (): Promise<number | null> => {
      const environment = { PATH: process.env["PATH"] ?? "" };
      const confinement = { roots: [project.root], policy: sandboxPolicy };
      const given = { ...command, environment, onOutput: () => undefined };
      const { argv } = await own.enter(given, confinement, new AbortController().signal);
      return spawnSync(argv[0], argv.slice(1), { env: {} }).status;
    };
    assert.equal(await run(), 0);
    await until(() => !readdirSync(tmpdir()).some((name) => name.startsWith(ended)));
    assert.equal(made().length, 1);
    for (const name of made()) rmSync(join(tmpdir(), name), { recursive: true });
    assert.equal(await run(), 0);
    assert.equal(made().length, 1);
    own.dispose();
    await until(() => made().length === 0);
  });

  for (const [name, confinement] of [
    ["on a copy", { onCopy: () => undefined }],
    ["in the workspace itself", {}],
  ] as const)
    it(`A13, R4: ${name}, a handle that the editor has left open is not the command's`, async () => {
      await project.put("../outside/key", "canary");
      const { argv, copy } = await enter("for each in /proc/$$/fd/*; do echo ${each##*/}; done", confinement);
      // Node opens none that a child inherits, so a shell does.
      const leaking = ["bash", "-c", 'exec 13<"$0" 4<"$0"; exec "$@"', join(project.base, "outside/key"), ...argv];
      // The last one is that of the list itself.
      assert.equal(await outputOf(leaking, { PATH: "/usr/bin:/bin" }), "0\n1\n2\n3\n");
      await copy?.close();
    });

  it("A13: what it writes into temporary folders is bounded by the system, in all by half of the memory", async () => {
    const { argv } = await enter(
      "for each in /tmp /var/tmp /run /dev/shm $HOME; do stat -f -c '%b %S' $each; done; (echo x > /dev/x) 2>/dev/null || echo refused",
    );
    const lines = (await outputOf(argv, { HOME: process.env["HOME"] ?? "" })).trim().split("\n");
    const sizes = lines
      .slice(0, -1)
      .map((line) => line.split(" ").reduce((product, each) => product * Number(each), 1));
    assert.equal(sizes.length, 5);
    assert.ok(sizes.every((size) => size > 0) && sizes.reduce((sum, size) => sum + size) <= totalmem() / 2 + 1024 ** 2);
    assert.equal(lines.at(-1), "refused");
  });

  it("A13, S7: a program of the workspace that is called git does not run in its place, where git may read the repository", async () => {
    const path = `${project.at("bin")}:${process.env["PATH"] ?? ""}`;
    assert.equal((await enter("true", { git: "reads" }, path)).environment["PATH"], process.env["PATH"]);
    await project.link("bin", "l");
    assert.equal((await enter("true", { git: "records" }, path)).environment["PATH"], process.env["PATH"]);
    assert.equal((await enter("true", {}, path)).environment["PATH"], path);
  });
});
