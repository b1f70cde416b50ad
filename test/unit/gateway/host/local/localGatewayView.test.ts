/** L6: the local gateway's state in words, and the button of an error that only its own money and page have. */
import assert from "node:assert/strict";
import { describeError, localButton } from "../../../../../src/domain/words/describeError";
import { conductRules } from "../../../../../src/localGateway/requestWatch";
import { localGatewayView } from "../../../../../src/gateway/host/localGatewayView";

describe("local gateway's page in words", () => {
  const types = (["stylized_image", "video", "async_image"] as const).map((type) => ({
    type,
    task_type: type === "stylized_image" ? "drawn" : type,
    enabled: type !== "video",
  }));
  const state = {
    accounts: [
      {
        name: "main",
        key: "sk-local-canary",
        balance: { available: 99_700, held: 300, spent: 1_000, deposited: 101_000 },
        open_holds: 1,
        task_types: types,
        entries: (["deposit", "hold", "settle", "release", "refund", "other"] as const).map((type) => ({
          at: 0,
          type,
        })),
      },
    ],
    faults: [{ name: "http.hang", route: "POST /v1/tasks", times: 2 }],
    conduct: {
      requests: 7,
      refused: 0,
      rules: Object.keys(conductRules).map((rule) => ({ rule, count: rule === "unknown-field" ? 2 : 0 })),
      findings: [{ at: 0, rule: "unknown-field", detail: "colour" }],
    },
  };
  const view = localGatewayView(state, { address: "http://127.0.0.1:1", locale: "en" });

  it("L6: sums, entries, types, faults and findings, without the key", () => {
    const [main] = view.accounts;
    assert.equal(main!.available, "99,700");
    assert.equal(main!.sums, "300 reserved for 1 task, 1,000 spent, 101,000 paid in");
    assert.deepEqual(
      main!.types.map(({ taskType, on }) => [taskType, on]),
      [
        ["drawn", true],
        ["video", false],
        ["async_image", true],
      ],
    );
    assert.equal(new Set(main!.entries.map(({ what }) => what)).size, 6);
    assert.equal(main!.entries[0]?.type, "deposit");
    assert.deepEqual(view.faults, ["http.hang · POST /v1/tasks · 2 more times"]);
    assert.equal(view.conduct.verdict, "2 findings. Requests: 7.");
    assert.ok(!JSON.stringify(view).includes("canary"));
  });

  it("L6 (newuser L14): an entry of the ledger says which task it is of, and what is paid in or charged has a sign", () => {
    const entries = [
      { at: 0, type: "deposit", amount: 100_000 },
      { at: 0, type: "hold", amount: 300, taskId: "task-1" },
      { at: 0, type: "settle", amount: 300, taskId: "task-1" },
      { at: 0, type: "release", amount: 300, taskId: "task-2" },
      { at: 0, type: "refund", amount: 300, taskId: "task-3" },
    ];
    const [account] = state.accounts;
    const filled = { ...state, accounts: [{ ...account!, entries }] };
    const { accounts } = localGatewayView(filled, { address: "http://127.0.0.1:1", locale: "en" });
    assert.deepEqual(
      accounts[0]?.entries.map(({ amount }) => amount),
      ["+100,000", "300", "-300", "300", "+300"],
    );
    assert.match(accounts[0].entries[1]?.what ?? "", / · Task task-1$/);
    assert.equal(accounts[0].entries[0]?.what, "Paid in");
  });

  it("L6: every rule of the report has words", () => {
    const rules = Object.keys(conductRules);
    for (const [index, { name }] of view.conduct.rules.entries()) assert.notEqual(name, rules[index]);
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
