/** L6: the local gateway's state in words, and the button of an error that only its own money and page have. */
import assert from "node:assert/strict";
import { describeError, localButton } from "../../../../../src/domain/words/describeError";
import type { LocalGatewayView } from "../../../../../src/gateway/contract/localGatewayPageContract";
import { localGatewayView } from "../../../../../src/gateway/host/localGatewayView";

describe("local gateway's page in words", () => {
  const balance = { available: 99_700, held: 300, spent: 1_000, deposited: 101_000 };
  const at = "2026-11-29T10:00:00.000Z";
  const viewOf = (entries: Parameters<typeof localGatewayView>[0]["entries"]): LocalGatewayView =>
    localGatewayView({ balance, open_holds: 1, entries }, { address: "http://127.0.0.1:1", locale: "en" });

  it("L6: the sums in a sentence, and each kind of entry in words, the newest first", () => {
    const types = ["deposit", "hold", "settle", "release", "refund", "other"];
    const view = viewOf(types.map((type) => ({ at, type })));
    assert.equal(view.available, "99,700");
    assert.equal(view.sums, "300 reserved for 1 task, 1,000 spent, 101,000 paid in");
    assert.equal(new Set(view.entries.map(({ what }) => what)).size, 6);
    assert.equal(view.entries.at(-1)?.type, "deposit");
  });

  it("L6 (newuser L14): an entry of the ledger says which task it is of, and what is paid in or charged has a sign", () => {
    const { entries } = viewOf([
      { at, type: "refund", amount: 300, taskId: "task-3" },
      { at, type: "release", amount: 300, taskId: "task-2" },
      { at, type: "settle", amount: 300, taskId: "task-1" },
      { at, type: "hold", amount: 300, taskId: "task-1" },
      { at, type: "deposit", amount: 100_000 },
    ]);
    assert.deepEqual(
      entries.map(({ amount }) => amount),
      ["+100,000", "300", "-300", "300", "+300"],
    );
    assert.match(entries[1]?.what ?? "", / · Task task-1$/);
    assert.equal(entries[0]?.what, "Paid in");
  });

  it("L3, T3: where the balance is too low or a type is off, the local gateway's button is its own", () => {
    const labelOf = (kind: "insufficient-balance" | "not-enabled"): readonly string[] => {
      const { action } = describeError({ kind, message: "x" }, "submit");
      return [action.label, localButton(action).label];
    };
    assert.deepEqual(labelOf("insufficient-balance"), ["Open Console", "Top Up"]);
    assert.deepEqual(labelOf("not-enabled"), ["Open Console", "Show Local Gateway"]);
  });
});
