/** L2, L3: the program's clock, word for stylized images and accounts, and what a kill leaves of these. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { programUnderTest, type Whereabouts } from "./programSupport";
import { request } from "./support";

describe("local gateway: flags of the program", () => {
  const { state, run, firstLine, forkOne, hello } = programUnderTest();
  const faulty = programUnderTest("test/faults/program.ts");

  it("L2 (finding 26): --movable-clock sets the clock forward, and what came due has ended then", async () => {
    const child = faulty.run("--state", await state(), "--movable-clock", "--stylized-image-task-type", "drawn");
    const where = await firstLine(child);
    const before = Date.now();
    const { json: created } = await request(where, "POST", "/v1/tasks", { task_type: "drawn" });
    const { status, json } = await request(where, "POST", "/_local/clock", { advance: 60_000 });
    assert.deepEqual([status, Date.parse(String(json["now"])) >= before + 60_000], [200, true]);
    const ended = await request(where, "GET", `/v1/tasks/${String(created["task_id"])}`);
    assert.deepEqual([ended.json["status"], ended.json["task_type"]], [4, 1]);
    const ledger = (await request(where, "GET", "/_local/ledger")).json;
    assert.equal(ledger["open_holds"], 0);
  });

  it("L1 (finding 26): the word for stylized images follows a message of the process that started it", async () => {
    const child = forkOne("--state", await state(), "--stylized-image-task-type", "drawn");
    const where = await hello(child);
    child.send({ stylizedImageWord: "painted" });
    const create = (type: string) => request(where, "POST", "/v1/tasks", { task_type: type });
    // The message and the requests come by different ways.
    let painted = await create("painted");
    while (painted.status === 400) painted = await create("painted");
    assert.equal(painted.status, 202);
    assert.equal((await create("drawn")).status, 400);
  });

  it("L3: after kill -9 in the middle of creates of two accounts, the sums of each agree, with one hold for each key", async () => {
    const dir = await state();
    const flags = ["--state", dir, "--account", "studio", "--task-type-off", "video"];
    const accountsAt = async (at: Whereabouts) => {
      const { json } = await request(at, "GET", "/_local/accounts");
      return json["accounts"] as { name: string; key: string; balance: Record<string, number>; open_holds: number }[];
    };
    let child = run(...flags);
    let where = await firstLine(child);
    const keys = (await accountsAt(where)).map(({ key }) => key);
    const create = (index: number) =>
      request({ url: where.url, key: keys[index % 2]! }, "POST", "/v1/tasks", {
        task_type: "async_image",
        prompt: "[stuck]",
        idempotency_key: `k${index >> 1}`,
      });
    const taskOf = new Map<number, string>();
    const asked = Array.from({ length: 60 }, async (_, index) => {
      taskOf.set(index, String((await create(index)).json["task_id"]));
      if (taskOf.size === 20) child.kill("SIGKILL");
    });
    await Promise.allSettled(asked);
    assert.ok(taskOf.size >= 20);
    child = run(...flags);
    where = await firstLine(child);
    for (let index = 0; index < 60; index += 1) {
      const { json } = await create(index);
      assert.equal(json["task_id"], taskOf.get(index) ?? json["task_id"]);
    }
    const accounts = await accountsAt(where);
    assert.deepEqual(
      accounts.map(({ key, open_holds, balance }) => [key, open_holds, balance["held"]]),
      keys.map((key) => [key, 30, 6_000]),
    );
    for (const { balance } of accounts) {
      assert.equal(balance["available"]! + balance["held"]! + balance["spent"]!, balance["deposited"]);
    }
    const off = await request(where, "POST", "/v1/tasks", { task_type: "video" });
    assert.equal(off.status, 403);
  });

  it("L1 (finding 26): what npm started ends when npm is ended, also where its shell goes on", async () => {
    const processes = pathToFileURL("scripts/processes.mjs").href;
    const serving = `process.stdout.write("up\\n"); setInterval(() => undefined, 1e6)`;
    const script =
      `const { leaveWithNpm, startTree } = await import(${JSON.stringify(processes)}); leaveWithNpm();` +
      `startTree(process.execPath, ["-e", ${JSON.stringify(serving)}], { stdio: "inherit" });`;
    const shell = `"$NODE" --input-type=module -e "$SCRIPT"; true`;
    // In the place of npm, which starts a script through a shell.
    const npm = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(shell)}], { stdio: "inherit" })`;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const child = spawn(process.execPath, ["-e", npm], {
        env: { ...process.env, npm_lifecycle_event: "gateway", NODE: process.execPath, SCRIPT: script },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      child.kill(signal);
      // The pipe is closed when the last process that writes to it has ended.
      await once(child, "close");
    }
  });
});
