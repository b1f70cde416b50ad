/** What a screen reader announces when the local gateway's page changes. */
import assert from "node:assert/strict";
import type { LocalGatewaySnapshot, LocalLedgerRow } from "../../../../src/gateway/contract/localGatewayPageContract";
import { spokenChange } from "../../../../src/gateway/page/localGatewayTemplate";

const paidIn: LocalLedgerRow = { at: "10:00:00", type: "deposit", what: "充值", amount: "100" };
const held: LocalLedgerRow = { at: "10:00:01", type: "hold", what: "预扣", amount: "3" };

const shown = (...entries: readonly LocalLedgerRow[]): LocalGatewaySnapshot => ({
  gateway: { address: "", available: "97", sums: "", entries },
});

describe("local gateway's page for screen readers", () => {
  it("P6: money that was paid in is told, in any language, and nothing of what tasks add", () => {
    const before = shown(paidIn);
    assert.equal(spokenChange(before, shown({ ...paidIn, at: "10:00:02" }, paidIn)), "97 available");
    assert.equal(spokenChange(before, shown(held, paidIn)), undefined);
    assert.equal(spokenChange(before, before), undefined);
  });

  it("P6: a new problem is told", () => {
    const before = shown(paidIn);
    assert.equal(spokenChange(before, { ...before, problem: "gone" }), "gone");
    assert.equal(spokenChange({ ...before, problem: "gone" }, { ...before, problem: "gone" }), undefined);
  });

  it("P6: a page that opens tells nothing, although money was paid in before", () => {
    assert.equal(spokenChange({}, shown(paidIn)), undefined);
  });
});
