/** What a screen reader announces when the local gateway's page changes. */
import assert from "node:assert/strict";
import type { LocalAccountView, LocalGatewaySnapshot } from "../../../../src/gateway/contract/localGatewayPageContract";
import { spokenChange } from "../../../../src/gateway/page/localGatewayTemplate";

type Entry = LocalAccountView["entries"][number];
const paidIn: Entry = { at: "10:00:00", type: "deposit", what: "充值", amount: "100" };
const held: Entry = { at: "10:00:01", type: "hold", what: "预扣", amount: "3" };

function account(entries: readonly Entry[], name = "main"): LocalAccountView {
  return { name, available: "97", sums: "", types: [], entries };
}

function shown(...accounts: readonly LocalAccountView[]): LocalGatewaySnapshot {
  return { gateway: { address: "", accounts, faults: [], conduct: { verdict: "", rules: [], findings: [] } } };
}

describe("local gateway's page for screen readers", () => {
  it("P6: money that was paid in is told, in any language, and nothing of what tasks add", () => {
    const before = shown(account([paidIn]));
    assert.equal(spokenChange(before, shown(account([{ ...paidIn, at: "10:00:02" }, paidIn]))), "97 available");
    assert.equal(spokenChange(before, shown(account([held, paidIn]))), undefined);
    assert.equal(spokenChange(before, before), undefined);
  });

  it("P6: a new account and a new problem are told", () => {
    const before = shown(account([paidIn]));
    assert.equal(spokenChange(before, shown(account([paidIn]), account([paidIn], "two"))), "two was created.");
    assert.equal(spokenChange(before, { ...before, problem: "gone" }), "gone");
    assert.equal(spokenChange({ ...before, problem: "gone" }, { ...before, problem: "gone" }), undefined);
  });

  it("P6: a page that opens tells nothing, although money was paid in before", () => {
    assert.equal(spokenChange({}, shown(account([paidIn]))), undefined);
  });
});
