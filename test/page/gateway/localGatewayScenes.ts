/** States of the local gateway's page. */
import type { LocalGatewaySnapshot, LocalLedgerRow } from "../../../src/gateway/contract/localGatewayPageContract";

const entries: readonly LocalLedgerRow[] = [
  { at: "14:05:10", type: "settle", what: "charged for a task", amount: "−3.00" },
  { at: "14:05:02", type: "hold", what: "reserved for a task", amount: "3.00" },
  { at: "14:00:00", type: "deposit", what: "paid in", amount: "1,000.00" },
];

const sums = "1,000.00 paid in, 3.00 charged, 0.00 reserved";
const address = "http://127.0.0.1:41237/v1";

export const localGatewayScenes = {
  reading: {},
  gone: { problem: "The local gateway does not answer. It is started again with the next request." },
  calm: { gateway: { address, available: "997.00", sums, entries } },
  empty: { gateway: { address, available: "0.00", sums, entries: [] }, problem: "The balance is too low." },
} as const satisfies Readonly<Record<string, LocalGatewaySnapshot>>;
