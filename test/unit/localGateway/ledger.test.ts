/** L3: sums that always agree, also over restarts and cut lines. */
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { HttpError } from "../../../src/localGateway/errors";
import { Journal } from "../../../src/localGateway/journal";
import { type Balance, Ledger, LedgerError } from "../../../src/localGateway/ledger";
import { TaskEngine, type TaskOrder } from "../../../src/localGateway/tasks/taskEngine";
import { taskTypeWords } from "../../../src/localGateway/tasks/taskPlan";
import { createMovedClock } from "../../support/movedClock";

function assertSound({ deposited, available, held, spent }: Balance): void {
  assert.equal(available + held + spent, deposited);
  for (const sum of [deposited, available, held, spent]) assert.ok(Number.isSafeInteger(sum) && sum >= 0);
}

describe("local gateway: ledger", () => {
  it("L3: a hold moves money aside, a settlement takes the real usage and gives the rest back", () => {
    const ledger = new Ledger();
    ledger.apply({ type: "deposit", amount: 1000 });
    ledger.apply({ type: "hold", holdId: "a", amount: 300 });
    assert.deepEqual(ledger.balance, { deposited: 1000, available: 700, held: 300, spent: 0 });
    ledger.apply({ type: "settle", holdId: "a", amount: 210 });
    assert.deepEqual(ledger.balance, { deposited: 1000, available: 790, held: 0, spent: 210 });
    ledger.apply({ type: "hold", holdId: "b", amount: 790 });
    ledger.apply({ type: "release", holdId: "b" });
    assert.deepEqual(ledger.balance, { deposited: 1000, available: 790, held: 0, spent: 210 });
  });

  it("L3: refuses what would make the sums wrong, and changes nothing", () => {
    const ledger = new Ledger();
    ledger.apply({ type: "deposit", amount: 100 });
    ledger.apply({ type: "hold", holdId: "a", amount: 60 });
    const before = ledger.balance;
    const wrong = [
      { type: "hold", holdId: "b", amount: 41 },
      { type: "hold", holdId: "a", amount: 1 },
      { type: "settle", holdId: "a", amount: 101 },
      { type: "settle", holdId: "none", amount: 1 },
      { type: "release", holdId: "none" },
      { type: "deposit", amount: 0.5 },
    ] as const;
    for (const entry of wrong) assert.throws(() => ledger.apply(entry), LedgerError, JSON.stringify(entry));
    assert.equal(ledger.balance, before);
    ledger.apply({ type: "release", holdId: "a" });
    assert.throws(() => ledger.apply({ type: "settle", holdId: "a", amount: 1 }), LedgerError);
  });
});

type Step =
  | {
      readonly do: "create";
      readonly type: (typeof taskTypeWords)[number];
      readonly key: number;
      readonly word: string;
    }
  | { readonly do: "cancel"; readonly which: number }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "crash"; readonly tear: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      type: fc.constantFrom(...taskTypeWords),
      key: fc.integer({ min: 0, max: 12 }),
      word: fc.constantFrom("sea", "[fail]", "[slow]", "[stuck]"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), which: fc.nat({ max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.nat({ max: 400_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), tear: fc.boolean() }) },
);

const order = (type: TaskOrder["type"], prompt: string, key: number): TaskOrder => ({
  type,
  model: "demo-image",
  prompt,
  seed: 3,
  requestId: "req",
  idempotencyKey: `key-${key}`,
  fingerprint: `${type} ${prompt}`,
});

describe("local gateway: journal", function () {
  this.timeout(60_000);

  it("L3: after any operations with crashes between them the sums agree and replay to the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const folder = await mkdtemp(join(tmpdir(), "ledger-"));
        const path = join(folder, "journal.jsonl");
        const clock = createMovedClock();
        const start = async (): Promise<[TaskEngine, Journal]> => {
          const journal = await Journal.open(path);
          return [await TaskEngine.open({ journal, clock, speed: 1, deposit: 5000 }), journal];
        };
        let [engine, journal] = await start();
        const taskByKey = new Map<number, string>();
        try {
          for (const next of steps) {
            if (next.do === "create") {
              try {
                const { task, replayed } = await engine.create(order(next.type, next.word, next.key));
                assert.equal(replayed, taskByKey.get(next.key) === task.taskId, "one task and one hold per key");
                taskByKey.set(next.key, task.taskId);
              } catch (error) {
                assert.ok(error instanceof HttpError && [402, 409].includes(error.status), String(error));
              }
            }
            if (next.do === "cancel") {
              const taskId = [...taskByKey.values()][next.which];
              if (taskId !== undefined) {
                await engine.cancel(taskId, "test").catch((error: unknown) => {
                  assert.ok(error instanceof HttpError && error.status === 409);
                });
              }
            }
            if (next.do === "advance") {
              await clock.advance(next.ms);
              await engine.flushed();
            }
            if (next.do === "crash") {
              const before = engine.ledger.balance;
              await engine.close();
              await journal.close();
              // A kill in the middle of a write leaves half a line, of which nobody was told.
              if (next.tear) await appendFile(path, '{"type":"task-created","at":1,"entry":{"ty');
              [engine, journal] = await start();
              assert.deepEqual(engine.ledger.balance, before);
            }
            assertSound(engine.ledger.balance);
          }
          const holds = journal.records.filter(({ entry }) => entry.type === "hold").length;
          assert.equal(holds, new Set(taskByKey.values()).size);
          await clock.advance(3_600_000);
          await engine.flushed();
          assert.equal(engine.ledger.balance.held, 0, "nothing stays held when every task has ended");
          assertSound(engine.ledger.balance);
        } finally {
          await engine.close();
          await journal.close();
          await rm(folder, { recursive: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("L3: a line cut at any byte is as if it had not been written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ledger-"));
    const path = join(folder, "journal.jsonl");
    const clock = createMovedClock();
    const first = await Journal.open(path);
    const engine = await TaskEngine.open({ journal: first, clock, speed: 1, deposit: 5000 });
    await engine.create(order("video", "sea", 1));
    await engine.close();
    await first.close();
    const whole = await readFile(path);
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let size = whole.length - 2; size > lastLine; size -= 37) {
      await truncate(path, 0);
      await appendFile(path, whole.subarray(0, size));
      const journal = await Journal.open(path);
      const again = await TaskEngine.open({ journal, clock, speed: 1, deposit: 5000 });
      assert.deepEqual(again.ledger.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
      await again.close();
      await journal.close();
    }
    await rm(folder, { recursive: true });
  });

  it("L3: a whole line of another hand is refused rather than left out of the sums", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ledger-"));
    const path = join(folder, "journal.jsonl");
    await appendFile(path, '{"type":"gift","at":1,"entry":{"type":"deposit","amount":5}}\n');
    await assert.rejects(Journal.open(path), /record 1 of .* is not one of this gateway's/);
    await rm(folder, { recursive: true });
  });
});
