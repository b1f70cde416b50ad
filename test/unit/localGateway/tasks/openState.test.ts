/** L3: the state folder: what a former version left in it, damage, and folders that can't be used. */
import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Charges } from "../../../../src/localGateway/money/charges";
import { Ledger } from "../../../../src/localGateway/money/ledger";
import { openState } from "../../../../src/localGateway/tasks/openState";
import type { StateDatabase } from "../../../../src/localGateway/state/stateDatabase";
import { StateUnusable } from "../../../../src/localGateway/state/stateUnusable";
import { planTask } from "../../../../src/localGateway/tasks/taskPlan";
import { TaskEngine } from "../../../../src/localGateway/tasks/taskEngine";
import { createMovedClock } from "../../../support/movedClock";
import { plainEngineOptions, plainStateOptions } from "../../../support/plainPorts";

describe("local gateway: state folder", () => {
  let stateDir: string;
  const clock = createMovedClock();
  beforeEach(async () => (stateDir = await mkdtemp(join(tmpdir(), "state-"))));
  afterEach(() => rm(stateDir, { recursive: true }));

  const opened = (): Promise<StateDatabase> => openState({ ...plainStateOptions, stateDir, clock, deposit: 5000 });
  const task = (taskId: string, holdId: string, more: object = {}): object => ({
    taskId,
    holdId,
    requestId: "req",
    type: "async_image",
    model: "demo-image",
    prompt: "hill",
    seed: 3,
    fingerprint: "same",
    createdAt: clock.now(),
    plan: planTask({ type: "async_image", prompt: "hill", seed: 3, now: clock.now(), speed: 1 }),
    ...more,
  });
  const formerJournal = (): readonly object[] => {
    const at = clock.now();
    const end = { state: "succeeded", at };
    return [
      { type: "deposited", at, entry: { type: "deposit", amount: 1000 } },
      { type: "task-created", at, entry: { type: "hold", holdId: "h1", amount: 200 }, task: task("t1", "h1") },
      {
        type: "task-created",
        at,
        entry: { type: "hold", holdId: "h2", amount: 200 },
        task: task("t2", "h2", { idempotencyKey: "k" }),
      },
      { type: "task-ended", at, entry: { type: "settle", holdId: "h1", amount: 150 }, taskId: "t1", end },
      { type: "task-refunded", at, entry: { type: "refund", holdId: "h1", amount: 150 }, taskId: "t1", reason: "bad" },
      { type: "charge-opened", at, entry: { type: "hold", holdId: "h3", amount: 80 } },
      { type: "charge-closed", at, entry: { type: "settle", holdId: "h3", amount: 30 } },
      { type: "charge-opened", at, entry: { type: "hold", holdId: "h4", amount: 80 } },
    ];
  };
  const write = (lines: readonly unknown[], tail = ""): Promise<void> =>
    writeFile(join(stateDir, "journal.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join("") + tail);

  it("L3: the journal of a former version is imported once, with a line that a kill cut left out", async () => {
    await write(formerJournal(), '{"type":"deposited","at":1,"entry":{"type":"dep');
    for (let start = 0; start < 2; start += 1) {
      const state = await opened();
      assert.deepEqual(state.balance, { deposited: 1000, available: 690, held: 280, spent: 30 });
      const engine = new TaskEngine({ state, clock, ...plainEngineOptions });
      const { end, refund } = await engine.get("t1");
      assert.deepEqual([end?.state, refund?.reason, refund?.amount], ["succeeded", "bad", 150]);
      assert.equal((await engine.findByKey(1, "k"))?.taskId, "t2");
      await engine.close();
      await state.close();
    }
    await access(join(stateDir, "journal.jsonl.imported"));
    const state = await opened();
    await Charges.open(state, clock);
    assert.deepEqual(state.balance, { deposited: 1000, available: 690, held: 200, spent: 110 }, "by its estimate");
    await state.close();
  });

  it("L3: a whole line of another hand is refused rather than left out of the sums", async () => {
    await write([...formerJournal(), { type: "gift", at: 1, entry: { type: "gift", amount: 5 } }]);
    await assert.rejects(opened(), (error: unknown) => {
      assert.ok(error instanceof StateUnusable);
      assert.match(error.message, /line 9 of .* is not one of this gateway's/);
      return true;
    });
    await access(join(stateDir, "journal.jsonl"));
  });

  it("L3: the file is its owner's only, and the first deposit is made once", async () => {
    for (let start = 0; start < 2; start += 1) {
      const state = await opened();
      assert.equal(state.balance.deposited, 5000);
      await state.close();
    }
    const { mode } = await stat(join(stateDir, "state.db"));
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
  });

  it("L3: a folder that can't be used is named, with the reason", async () => {
    await mkdir(join(stateDir, "state.db"));
    await assert.rejects(opened(), (error: unknown) => {
      assert.ok(error instanceof StateUnusable);
      assert.ok(error.message.startsWith(`The state folder ${stateDir} can't be used: `), error.message);
      return true;
    });
  });

  it("L3: a damaged file is set aside, and the sums agree again over the rows that are left", async () => {
    const state = await opened();
    await state.change((connection) => {
      const ledger = new Ledger(connection, 1);
      for (let count = 0; count < 400; count += 1) {
        const id = ledger.hold(10);
        if (count % 2 === 0) ledger.settle(id, 7);
        else ledger.release(id);
      }
    });
    await state.close();
    const file = await open(join(stateDir, "state.db"), "r+");
    const { size } = await file.stat();
    const pages = 4096 * 6;
    await file.write(Buffer.alloc(pages, 0xff), 0, pages, Math.floor(size / 8192) * 4096);
    await file.close();
    const again = await opened();
    await again.change((connection) => {
      // Reads every page.
      connection.all("SELECT * FROM entry");
      connection.all("SELECT * FROM hold");
    });
    const { deposited, available, held, spent } = again.balance;
    assert.equal(available + held + spent, deposited);
    assert.ok((await readdir(stateDir)).some((name) => name.includes(".corrupt-")));
    await again.close();
  });
});
