/** L3: sums that always agree, also over restarts and cut lines. */
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Book } from "../../../../src/localGateway/money/book";
import { Journal } from "../../../../src/localGateway/state/journal";
import { Ledger, LedgerError } from "../../../../src/localGateway/money/ledger";
import { TaskEngine, type TaskOrder } from "../../../../src/localGateway/tasks/taskEngine";
import { createMovedClock } from "../../../support/movedClock";

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
      { type: "refund", holdId: "a", amount: 60 },
      { type: "deposit", amount: 0.5 },
    ] as const;
    for (const entry of wrong) assert.throws(() => ledger.apply(entry), LedgerError, JSON.stringify(entry));
    assert.equal(ledger.balance, before);
    ledger.apply({ type: "release", holdId: "a" });
    assert.throws(() => ledger.apply({ type: "settle", holdId: "a", amount: 1 }), LedgerError);
    assert.throws(() => ledger.apply({ type: "hold", holdId: "a", amount: 1 }), LedgerError, "a closed hold's id");
  });

  it("L3: a refund gives back what a hold cost, once, and nothing where nothing was charged", () => {
    const ledger = new Ledger();
    ledger.apply({ type: "deposit", amount: 1000 });
    ledger.apply({ type: "hold", holdId: "a", amount: 300 });
    ledger.apply({ type: "settle", holdId: "a", amount: 210 });
    ledger.apply({ type: "hold", holdId: "b", amount: 300 });
    ledger.apply({ type: "release", holdId: "b" });
    const refund = { type: "refund", holdId: "a", amount: 210 } as const;
    assert.throws(() => ledger.apply({ ...refund, amount: 211 }), LedgerError);
    ledger.apply(refund);
    assert.deepEqual(ledger.balance, { deposited: 1000, available: 1000, held: 0, spent: 0 });
    assert.throws(() => ledger.apply(refund), LedgerError);
    ledger.apply({ type: "refund", holdId: "b", amount: 0 });
    assert.deepEqual(ledger.balance, { deposited: 1000, available: 1000, held: 0, spent: 0 });
  });
});

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

  it("L3: a line cut at any byte is as if it had not been written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ledger-"));
    const path = join(folder, "journal.jsonl");
    const clock = createMovedClock();
    const first = await Journal.open(path);
    const engine = TaskEngine.open({
      book: await Book.open({ journal: first, clock, deposit: 5000 }),
      clock,
      speed: 1,
    });
    await engine.create(order("video", "sea", 1));
    await engine.close();
    await first.close();
    const whole = await readFile(path);
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let size = whole.length - 2; size > lastLine; size -= 37) {
      await truncate(path, 0);
      await appendFile(path, whole.subarray(0, size));
      const journal = await Journal.open(path);
      const book = await Book.open({ journal, clock, deposit: 5000 });
      const again = TaskEngine.open({ book, clock, speed: 1 });
      assert.deepEqual(book.ledger.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
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
