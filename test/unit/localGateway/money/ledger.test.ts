/** L3: sums that always agree: the database itself refuses a change that would make them wrong. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqlConnection } from "../../../../src/base/database/sqlConnection";
import { hasKind } from "../../../../src/base/database/failure";
import { HttpError } from "../../../../src/localGateway/http/httpError";
import { readEntries, Ledger, LedgerError } from "../../../../src/localGateway/ledger";
import { StateDatabase } from "../../../../src/localGateway/state/stateDatabase";

describe("local gateway: ledger", () => {
  let folder: string;
  let state: StateDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledger-"));
    state = await StateDatabase.open(folder, {});
  });
  afterEach(async () => {
    await state.close();
    await rm(folder, { recursive: true });
  });

  const change = <T>(work: (ledger: Ledger, connection: SqlConnection) => T): Promise<T> =>
    state.change((connection) => work(new Ledger(connection, 1), connection));

  it("L3: a hold moves money aside, a settlement takes the real usage and gives the rest back", async () => {
    await change((ledger) => ledger.deposit(1000));
    await change((ledger) => ledger.hold(300, "a"));
    assert.deepEqual(state.balance, { deposited: 1000, available: 700, held: 300, spent: 0 });
    await change((ledger) => ledger.settle("a", 210));
    assert.deepEqual(state.balance, { deposited: 1000, available: 790, held: 0, spent: 210 });
    await change((ledger) => {
      ledger.hold(790, "b");
      ledger.release("b");
    });
    assert.deepEqual(state.balance, { deposited: 1000, available: 790, held: 0, spent: 210 });
    assert.deepEqual(await state.change((connection) => readEntries(connection)), [
      { at: 1, type: "deposit", amount: 1000 },
      { at: 1, type: "hold", holdId: "a", amount: 300 },
      { at: 1, type: "settle", holdId: "a", amount: 210 },
      { at: 1, type: "hold", holdId: "b", amount: 790 },
      { at: 1, type: "release", holdId: "b" },
    ]);
  });

  it("L3: refuses what would make the sums wrong, and changes nothing", async () => {
    await change((ledger) => {
      ledger.deposit(100);
      ledger.hold(60, "a");
    });
    const before = [state.balance, await state.change((connection) => readEntries(connection))];
    const constraint = (error: unknown): boolean => hasKind(error, "constraint");
    const notOpen = (error: unknown): boolean => error instanceof LedgerError;
    const wrong: [(ledger: Ledger, connection: SqlConnection) => unknown, (error: unknown) => boolean][] = [
      [(ledger) => ledger.hold(41, "b"), constraint],
      [(ledger) => ledger.hold(1, "a"), constraint],
      [(ledger) => ledger.hold(-1, "c"), constraint],
      [(ledger) => ledger.deposit(0.5), constraint],
      [(ledger) => ledger.settle("none", 1), notOpen],
      [(ledger) => ledger.release("none"), notOpen],
      [(ledger) => ledger.refund("a"), notOpen],
      [(_, connection) => connection.exec("UPDATE account SET available = available + 1"), constraint],
      [
        (_, connection) => connection.exec("UPDATE account SET held = held - 100, available = available + 100"),
        constraint,
      ],
      [(ledger) => ledger.requireAvailable(41, "It"), (error) => error instanceof HttpError && error.status === 402],
    ];
    for (const [work, refused] of wrong) await assert.rejects(change(work), refused, String(work));
    assert.deepEqual([state.balance, await state.change((connection) => readEntries(connection))], before);
    await change((ledger) => ledger.release("a"));
    await assert.rejects(
      change((ledger) => ledger.settle("a", 1)),
      notOpen,
    );
  });

  it("L3: a usage above the hold takes what is available, and no more", async () => {
    await change((ledger) => {
      ledger.deposit(100);
      ledger.hold(60, "a");
    });
    assert.equal(await change((ledger) => ledger.settle("a", 1000)), 100);
    assert.deepEqual(state.balance, { deposited: 100, available: 0, held: 0, spent: 100 });
  });

  it("L3: a refund gives back what a hold cost, once, and nothing where nothing was charged", async () => {
    await change((ledger) => {
      ledger.deposit(1000);
      ledger.hold(300, "a");
      ledger.settle("a", 210);
      ledger.hold(300, "b");
      ledger.release("b");
    });
    assert.equal(await change((ledger) => ledger.refund("a")), 210);
    assert.deepEqual(state.balance, { deposited: 1000, available: 1000, held: 0, spent: 0 });
    await assert.rejects(
      change((ledger) => ledger.refund("a")),
      LedgerError,
    );
    assert.equal(await change((ledger) => ledger.refund("b")), 0);
    assert.deepEqual(state.balance, { deposited: 1000, available: 1000, held: 0, spent: 0 });
  });

  it("L3: of changes in one transaction the one that fails is undone alone", async () => {
    const changes = [
      change((ledger) => ledger.deposit(10)),
      change((ledger) => ledger.hold(11, "a")),
      change((ledger) => ledger.hold(4, "b")),
    ];
    assert.deepEqual(
      (await Promise.allSettled(changes)).map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual([state.balance, state.openHolds], [{ deposited: 10, available: 6, held: 4, spent: 0 }, 1]);
  });
});
