/** L1, L3: the gateway as a program: its one line, its flags, its end, and what a kill leaves behind. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startLocalGateway } from "../../../src/localGateway/server";
import { faultTable } from "../../faults/faultTable";
import { ownPort } from "../../support/ownPort";
import { fewOf, someOf } from "../../support/runs";
import { programUnderTest, type Whereabouts } from "./programSupport";
import { request } from "./support";

describe("local gateway: program", () => {
  const { state, run, firstLine, forkOne, hello } = programUnderTest();

  it("L1: prints one JSON line, serves, and ends on SIGTERM", async () => {
    const child = run("--port", "0", "--state", await state());
    const where = await firstLine(child);
    assert.deepEqual(Object.keys(where), ["url", "key"]);
    assert.equal((await request(where, "GET", "/v1/models")).status, 200);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  it("L1: bad flags and a taken port are one clear line and exit 2", async () => {
    const first = run("--state", await state());
    const { port } = new URL((await firstLine(first)).url);
    const bad = [
      ["--port", "70000"],
      ["--port", "x"],
      ["--speed", "0"],
      ["--seed", "1.5"],
      ["--nonsense"],
      ["word"],
      ["--fault", "task.extra-fields"],
      ["--account", "<b>"],
      ["--stylized-image-task-type", "video"],
      ["--task-type-off", "nothing", "--state", await state()],
    ];
    // Each is a process of its own: all of them in full runs.
    for (const flags of [...someOf(bad, 0, 3), ["--port", port, "--state", await state()]]) {
      const child = run(...flags);
      let said = "";
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (said += text));
      assert.deepEqual((await once(child, "close"))[0], 2, flags.join(" "));
      assert.match(said, /^localGateway: .+\n$/, flags.join(" "));
    }
  });

  it("L3: a state folder that can't be used is one clear line and exit 2", async () => {
    const blocked = join(await state(), "gateway");
    await writeFile(blocked, "");
    const foreign = await state();
    await writeFile(join(foreign, "gateway.json"), "{}");
    const newer = await state();
    const database = new DatabaseSync(join(newer, "state.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    for (const dir of [blocked, foreign, newer]) {
      const child = run("--state", dir);
      let text = "";
      child.stderr!.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      assert.equal((await once(child, "close"))[0], 2, dir);
      assert.ok(text.startsWith(`localGateway: The state folder ${dir} can't be used: `), text);
      assert.match(text, /^.+\n$/);
    }
  });

  it("L3: a start writes nothing to stderr", async () => {
    const child = run("--state", await state());
    let text = "";
    child.stderr!.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await firstLine(child);
    child.kill("SIGTERM");
    await once(child, "close");
    assert.equal(text, "");
  });

  it("L1: --help tells the flags", async () => {
    const child = run("--help");
    let said = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (said += text));
    assert.equal((await once(child, "close"))[0], 0);
    for (const flag of ["--port", "--state", "--seed", "--speed", "--account", "--task-type-off"]) {
      assert.ok(said.includes(`\n  ${flag}`), flag);
    }
  });

  it("L1: forked, it says where it is by message and ends when the channel closes", async () => {
    const child = forkOne("--state", await state());
    const where = await hello(child);
    assert.equal((await request(where, "GET", "/v1/models")).status, 200);
    child.disconnect();
    assert.deepEqual(await once(child, "exit"), [0, null]);
    await assert.rejects(request(where, "GET", "/v1/models"));
  });

  it("L1: a second window is told of the first one's gateway and takes over when it closes", async () => {
    const dir = await state();
    const first = forkOne("--port", String(await ownPort()), "--state", dir);
    const where = await hello(first);
    const second = forkOne("--state", dir);
    assert.deepEqual(await hello(second), where);
    const made = await request(where, "POST", "/v1/tasks", { task_type: "video", prompt: "sea" });
    const gone = once(first, "exit");
    first.kill("SIGKILL");
    await gone;
    const path = `/v1/tasks/${String(made.json["task_id"])}`;
    for (let read; read?.status !== 200;) {
      read = await request(where, "GET", path).catch(() => undefined);
      assert.deepEqual([second.exitCode, second.signalCode], [null, null], "the second window's process goes on");
      if (read === undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    second.disconnect();
    assert.deepEqual(await once(second, "exit"), [0, null]);
  });

  it("L1: a second window's process ends when the gateway that it has named runs at another address", async function () {
    // Windows has no signal that stops a process for a while.
    if (process.platform === "win32") this.skip();
    const dir = await state();
    const first = forkOne("--port", String(await ownPort()), "--state", dir);
    const where = await hello(first);
    const second = forkOne("--state", dir);
    assert.deepEqual(await hello(second), where);
    const ended = once(second, "exit");
    second.kill("SIGSTOP");
    const gone = once(first, "exit");
    first.kill("SIGKILL");
    await gone;
    const other = createServer().listen(Number(new URL(where.url).port), "127.0.0.1");
    await once(other, "listening");
    const gateway = await startLocalGateway({ stateDir: dir });
    try {
      assert.notEqual(gateway.url, where.url);
      second.kill("SIGCONT");
      assert.deepEqual(await ended, [2, null]);
    } finally {
      await gateway.close();
      other.close();
    }
  });

  it("L3: after kill -9 in the middle of creates every answered task is there, with one hold each", async () => {
    const dir = await state();
    const child = run("--port", String(await ownPort()), "--state", dir);
    const where = await firstLine(child);
    const create = (index: number) =>
      request(where, "POST", "/v1/tasks", {
        task_type: "async_image",
        prompt: `hill ${index}`,
        idempotency_key: `k${index}`,
      });
    const answered = new Map<number, string>();
    const all = Array.from({ length: 120 }, async (_, index) => {
      const { json } = await create(index);
      answered.set(index, String(json["task_id"]));
      if (answered.size === 30) child.kill("SIGKILL");
    });
    await Promise.allSettled(all);
    assert.ok(answered.size >= 30);
    const again = run("--state", dir);
    assert.deepEqual(await firstLine(again), where);
    for (const [index, taskId] of answered) {
      const { json, headers } = await create(index);
      assert.deepEqual([json["task_id"], headers.get("idempotent-replayed")], [taskId, "true"]);
    }
    for (let index = 0; index < 120; index += 1) await create(index);
    const { json } = await request(where, "GET", "/_local/ledger");
    const entries = json["entries"] as { type: string; holdId: string }[];
    const holds = entries.filter(({ type }) => type === "hold").map(({ holdId }) => holdId);
    assert.deepEqual([holds.length, new Set(holds).size], [120, 120]);
    const { deposited, available, held, spent } = json["balance"] as Record<string, number>;
    assert.equal(available! + held! + spent!, deposited);
  });

  const tasks = fewOf(200, 80);
  it(`L3: kill -9 during ${tasks} concurrent tasks, again and again: one hold per key, the sums agree, the tasks go on and end`, async () => {
    const dir = await state();
    const flags = ["--state", dir, "--speed", "40"];
    const create = (where: Whereabouts, index: number) =>
      request(where, "POST", "/v1/tasks", {
        task_type: (["async_image", "stylized_image"] as const)[index % 2]!,
        prompt: `hill ${index}`,
        idempotency_key: `k${index}`,
      });
    const taskOf = new Map<number, string>();
    let child = run(...flags);
    let where = await firstLine(child);
    for (const limit of [0.3, 0.7, 1].map((part) => Math.round(tasks * part))) {
      const left = Array.from({ length: tasks }, (_, index) => index).filter((index) => !taskOf.has(index));
      const asked = left.map(async (index) => {
        const { json } = await create(where, index);
        taskOf.set(index, String(json["task_id"]));
        // While tasks are being made, and others come to their end.
        if (taskOf.size >= limit) child.kill("SIGKILL");
      });
      await Promise.allSettled(asked);
      // Creates share a commit, so all of them may have been confirmed in an earlier round.
      child.kill("SIGKILL");
      assert.ok(taskOf.size >= limit);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      child = run(...flags);
      where = await firstLine(child);
    }
    const { json: first } = await request(where, "GET", "/_local/ledger");
    const sums = (json: Record<string, unknown>): Record<string, number> => json["balance"] as Record<string, number>;
    const isSound = ({ available, held, spent, deposited }: Record<string, number>): void =>
      assert.equal(available! + held! + spent!, deposited);
    isSound(sums(first));
    for (const [index, taskId] of taskOf) assert.equal((await create(where, index)).json["task_id"], taskId);
    for (let open = 1; open > 0;) {
      const { json } = await request(where, "GET", "/_local/ledger");
      isSound(sums(json));
      open = Number(json["open_holds"]);
    }
    const { json } = await request(where, "GET", "/_local/ledger");
    const entries = json["entries"] as { type: string; holdId: string; taskId?: string }[];
    const holds = entries.filter(({ type }) => type === "hold");
    assert.deepEqual([holds.length, new Set(holds.map(({ taskId }) => taskId)).size], [tasks, tasks]);
    const closed = entries.filter(({ type }) => type === "settle" || type === "release").map(({ holdId }) => holdId);
    assert.deepEqual([closed.length, new Set(closed).size], [tasks, tasks]);
    assert.deepEqual([sums(json)["held"], new Set(taskOf.values()).size], [0, tasks]);
    for (const taskId of taskOf.values()) {
      assert.equal((await request(where, "GET", `/v1/tasks/${taskId}`)).json["status"], 4);
    }
  });
});

describe("local gateway: the program with faults", () => {
  const shipped = programUnderTest();
  const { state, run, firstLine } = programUnderTest("test/faults/program.ts");

  it("L5: --list-faults tells every switch on a line of its own", async () => {
    const child = run("--list-faults");
    let said = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (said += text));
    assert.equal((await once(child, "close"))[0], 0);
    const lines = said.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => line.split(": ")[0]),
      faultTable.map(({ name }) => name),
    );
    for (const line of lines) assert.match(line, /^[a-z]+\.[a-z0-9-]+: \S.+$/);
  });

  it("L5: --fault arms one, with a value, more than once", async () => {
    const child = run("--state", await state(), "--fault", "task.status-form=name", "--fault", "task.extra-fields");
    const where = await firstLine(child);
    const made = await request(where, "POST", "/v1/tasks", { task_type: "video", prompt: "sea" });
    for (let reads = 0; reads < 2; reads += 1) {
      const { json } = await request(where, "GET", `/v1/tasks/${String(made.json["task_id"])}`);
      assert.deepEqual([json["status"], json["progress"]], ["CREATED", "30%"]);
    }
  });

  it("L5: nothing that is shipped arms a fault", async () => {
    const fault = { name: "http.empty-200", route: "GET /v1/models" };
    const readModels = async (where: Whereabouts): Promise<string> => {
      const { text } = await request(where, "GET", "/v1/models", undefined, {
        headers: { "x-gateway-fault": fault.name },
      });
      return text;
    };
    const plain = await firstLine(shipped.run("--state", await state()));
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status } = await request(plain, method, "/_local/faults", method === "POST" ? fault : undefined);
      assert.equal(status, 404, method);
    }
    assert.notEqual(await readModels(plain), "");
    const started = await firstLine(run("--state", await state()));
    assert.equal(await readModels(started), "");
    assert.equal((await request(started, "POST", "/_local/faults", fault)).status, 200);
    assert.equal((await request(started, "DELETE", "/_local/faults")).status, 200);
  });

  it("L5: a fault that there is not is one clear line and exit 2", async () => {
    for (const flags of [["--fault", "nothing"], ["--fault", "end.cut=-1"], ["--fault"]]) {
      const child = run(...flags);
      let said = "";
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (said += text));
      assert.deepEqual((await once(child, "close"))[0], 2, flags.join(" "));
      assert.match(said, /^localGateway: .+\n$/, flags.join(" "));
    }
  });

  it("L1, L5: --help tells its flags too", async () => {
    const child = run("--help");
    let said = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (said += text));
    assert.equal((await once(child, "close"))[0], 0);
    for (const flag of ["--port", "--fault", "--list-faults", "--movable-clock", "--help"])
      assert.ok(said.includes(`\n  ${flag}`), flag);
  });
});
