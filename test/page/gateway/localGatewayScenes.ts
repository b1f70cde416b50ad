/** States of the local gateway's page. */
import type { LocalAccountView, LocalGatewaySnapshot } from "../../../src/gateway/contract/localGatewayPageContract";

const entries: LocalAccountView["entries"] = [
  { at: "14:05:10", type: "settle", what: "charged for a task", amount: "−3.00" },
  { at: "14:05:02", type: "hold", what: "reserved for a task", amount: "3.00" },
  { at: "14:00:00", type: "deposit", what: "paid in", amount: "1,000.00" },
];

function account(name: string, available: string, off: readonly string[] = []): LocalAccountView {
  const types = ["video", "stylized-image", "async-image"].map((taskType) => ({
    taskType,
    name: taskType,
    on: !off.includes(taskType),
  }));
  return { name, available, sums: "1,000.00 paid in, 3.00 charged, 0.00 reserved", types, entries };
}

const address = "http://127.0.0.1:41237/v1";
const calm: LocalGatewaySnapshot = {
  gateway: {
    address,
    accounts: [account("main", "997.00")],
    faults: [],
    clientReport: { verdict: "nothing was found", rules: [{ name: "Reads of a task", count: 0 }], findings: [] },
  },
};

export const localGatewayScenes = {
  reading: {},
  gone: { problem: "The local gateway does not answer. It is started again with the next request." },
  calm,
  "accounts and faults": {
    gateway: {
      address,
      accounts: [account("main", "0.00", ["video"]), account("a-second-account-with-a-long-name", "12.50")],
      faults: ["http.status route=/v1/chat/completions times=3 value=503", "task.stuck"],
      clientReport: {
        verdict: "2 findings",
        rules: [
          { name: "Reads of a task", count: 2 },
          { name: "Idempotency keys", count: 0 },
        ],
        findings: [{ at: "14:05:10", name: "Reads of a task", detail: "2 reads of one task within 0.4 s" }],
      },
    },
    problem: "The balance is too low.",
  },
} as const satisfies Readonly<Record<string, LocalGatewaySnapshot>>;
