/** What the connect flow says of a finished check. */
import assert from "node:assert/strict";
import { type CheckReport, emptyReport } from "../../../src/domain/connectionCheck";
import type { GatewayError } from "../../../src/domain/errors";
import { explainCheck } from "../../../src/domain/explainCheck";

const surroundings = {
  isLocal: false,
  addressFrom: "as typed",
  limits: { connect: 1000, firstByte: 1000, silence: 1000 },
};
const untrusted: GatewayError = { kind: "unreachable", code: "SELF_SIGNED_CERT_IN_CHAIN", message: "self-signed" };
const refused: GatewayError = { kind: "unreachable", code: "ECONNREFUSED", message: "refused" };
const skipped = { state: "skipped" } as const;

/** VS Code's own fetch got an answer that refuses the key. */
function refusedKey(failed: Pick<CheckReport, "connect" | "tls">): CheckReport {
  return {
    ...emptyReport,
    address: { state: "passed", facts: { url: "https://gateway.example/v1" } },
    proxy: { state: "passed", facts: { use: "direct", reason: "none" } },
    ...failed,
    answer: {
      state: "passed",
      facts: { status: 401, asked: "https://gateway.example/v1/models", isPage: false, firstByteMs: 5 },
    },
    key: { state: "failed", error: { kind: "unauthorized", status: 401, message: "no" } },
    models: skipped,
  };
}

describe("explainCheck", () => {
  it("C3: a key that a gateway refused over VS Code's own fetch is the failure, and not the connection that Sluice could not make", () => {
    for (const failed of [
      { connect: { state: "failed", error: refused }, tls: skipped },
      { connect: skipped, tls: { state: "failed", error: untrusted } },
    ] as const) {
      const { state, actions, advice } = explainCheck(refusedKey(failed), surroundings);
      assert.deepEqual([state, actions[0]], ["fails", "change-key"]);
      assert.doesNotMatch(advice, /was not sent/);
    }
  });
});
