/** Orders over MCP with the tasks of the standard, while the window or the client is killed (V6, T1): in a full run, since each round starts a process. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import type { JsonRecord } from "../../../src/base/jsonValue";
import { agentToolNames } from "../../../src/agents/tasks/agentToolNames";
import type { McpProgramOptions, McpRow } from "../../support/kills/mcpProgram";
import { askOnce, withTasks } from "../../support/mcpTasksClient";
import { createFastClock } from "../../support/fastClock";
import { firstSeed, isFullRun, runsOf } from "../../support/runs";
import { seeded } from "../../support/seeded";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";
import { type GatewayUnderTest, startForTest } from "../localGateway/support";

const rounds = runsOf(20);
const ordersOfRound = 5;
const token = "the-token-of-this-test";
const program = path.resolve("dist/test/support/kills/mcpProgram.mjs");

interface Window {
  readonly url: string;
  rows(): Promise<readonly McpRow[]>;
  /** The person has the gateway asked what became of what it has not answered. */
  reconcile(): void;
  kill(): Promise<void>;
}

/** What a client knows of its order: the id, where it has lived to read it. */
interface Order {
  readonly prompt: string;
  id?: string;
}

describe("orders over MCP and kills", () => {
  let gateway: GatewayUnderTest;
  let folder: TemporaryFolder;
  const open = new Set<ChildProcess>();
  const epoch = Date.now();

  before(async function () {
    if (!isFullRun) this.skip();
    folder = await createTemporaryFolder();
    await mkdir(path.join(folder.path, "work"));
    gateway = await startForTest({ speed: 4, clock: createFastClock(epoch, 20) });
  });
  after(async () => {
    for (const child of open) child.kill("SIGKILL");
    await gateway?.end();
    await folder?.remove();
  });

  async function openWindow(seed: number): Promise<Window> {
    const { url, key } = gateway.gateway;
    const options: McpProgramOptions = { folder: folder.path, gateway: { url, key }, token, seed, epoch };
    const child = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    open.add(child);
    const exited = once(child, "exit");
    const [said] = (await Promise.race([
      once(child, "message"),
      exited.then(() => assert.fail("the window ended")),
    ])) as [{ readonly url: string }];
    return {
      url: said.url,
      async rows() {
        child.send("rows");
        const [{ rows }] = (await once(child, "message")) as [{ readonly rows: readonly McpRow[] }];
        return rows;
      },
      reconcile: () => void child.send("reconcile"),
      async kill() {
        child.kill("SIGKILL");
        await exited;
        open.delete(child);
      },
    };
  }

  /** Resolves also where the window, or the client itself, is killed in the middle of it. */
  async function place(order: Order, { url }: Window, client: AbortSignal): Promise<void> {
    const input = { type: "async-image", model: "demo-image", prompt: order.prompt };
    const params = { name: agentToolNames.submit, arguments: input };
    const reply = await askOnce({ url, token }, "tools/call", params, withTasks, client).catch(() => undefined);
    if (typeof reply?.result?.["taskId"] === "string") order.id = reply.result["taskId"];
  }

  /** What a client that starts again is told of its order in the end. */
  async function outcomeOf(id: string, window: Window): Promise<JsonRecord> {
    for (;;) {
      const { result, error } = await askOnce({ url: window.url, token }, "tasks/get", { taskId: id }, withTasks);
      assert.ok(result, JSON.stringify(error));
      if (result["status"] !== "working" && result["status"] !== "input_required") return result;
      window.reconcile();
      await systemClock.delay(50);
    }
  }

  it(`V6, T1: ${rounds * ordersOfRound} orders, the window or the client killed at any moment: each that a client knows of is told as it is, none is lost, none is paid twice`, async function () {
    this.timeout(180_000 + rounds * 20_000);
    const random = seeded(firstSeed);
    const orders: Order[] = [];
    // The first round ends whole, and its length is the measure for the kills. They begin to come when some orders of the round are over, because a
    // later round may be slower.
    let whole = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      const window = await openWindow(firstSeed * 1000 + round);
      const opened = performance.now();
      let left = random(ordersOfRound);
      const isBegun = Promise.withResolvers<undefined>();
      const placed = Array.from({ length: ordersOfRound }, async (_, at) => {
        const order = { prompt: `a pier, seen for the ${round}th time from ${at}` };
        orders.push(order);
        const client = new AbortController();
        const isKilled = random(3) === 0;
        if (isKilled && round > 0) void systemClock.delay(random(whole)).then(() => client.abort());
        await place(order, window, client.signal);
        if ((left -= 1) <= 0) isBegun.resolve(undefined);
      });
      if (left === 0) isBegun.resolve(undefined);
      if (round === 0) {
        await Promise.all(placed);
        whole = Math.ceil(performance.now() - opened);
      } else {
        await isBegun.promise;
        await systemClock.delay(random(Math.ceil(whole / 2)));
      }
      await window.kill();
      await Promise.all(placed);
    }
    const window = await openWindow(0);
    const told = new Map<string, JsonRecord>();
    for (const { prompt, id } of orders) if (id !== undefined) told.set(prompt, await outcomeOf(id, window));
    const rows = await window.rows();
    await window.kill();
    const { json } = await gateway.ask("GET", "/_local/ledger");
    const entries = json["entries"] as readonly { readonly type: string; readonly taskId: string }[];
    const held = entries.flatMap(({ type, taskId }) => (type === "hold" ? [taskId] : []));
    const known = new Map(rows.flatMap(({ prompt, taskId }) => (taskId === undefined ? [] : [[taskId, prompt]])));
    assert.deepEqual(
      held.filter((taskId) => !known.has(taskId)),
      [],
      "paid and lost",
    );
    assert.equal(new Set(rows.map(({ prompt }) => prompt)).size, rows.length, "ordered twice");
    assert.equal(held.length, known.size, "paid twice");
    const paid = new Set(held.map((taskId) => known.get(taskId)));
    const wrong = [...told].filter(([prompt, { status, result }]) => {
      const isPaid = paid.has(prompt);
      if (status === "cancelled") return isPaid;
      // After a yes the window may be killed before it sends anything.
      const isNotSent = JSON.stringify(result).includes("VS Code was closed before this was sent");
      return (
        status !== "completed" || isPaid === isNotSent || ((result as JsonRecord)["isError"] === true) !== isNotSent
      );
    });
    assert.deepEqual(wrong, []);
    const completed = [...told.values()].filter(({ status }) => status === "completed").length;
    console.log(
      `      ${orders.length} orders: ${told.size} known to their clients, ${completed} of them made, ${held.length} paid in all`,
    );
    assert.ok(completed > orders.length / 10, "so few were made that the kills showed nothing");
  });
});
