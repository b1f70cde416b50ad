/** What the connect flow says of a finished check. */
import assert from "node:assert/strict";
import { type CheckReport, emptyReport } from "../../../../src/domain/gateway/connectionCheck";
import type { AppError } from "../../../../src/domain/errors/appError";
import { describeCheck, explainCheck } from "../../../../src/domain/words/describeCheck";

const checkContext = {
  isLocal: false,
  addressFrom: "as typed",
  limits: { connect: 1000, firstByte: 1000, silence: 1000 },
};
const untrusted: AppError = { kind: "unreachable", code: "SELF_SIGNED_CERT_IN_CHAIN", message: "self-signed" };
const refused: AppError = { kind: "unreachable", code: "ECONNREFUSED", message: "refused" };
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
      const { state, actions, advice } = explainCheck(refusedKey(failed), checkContext);
      assert.deepEqual([state, actions[0]], ["fails", "change-key"]);
      assert.doesNotMatch(advice, /was not sent/);
    }
  });

  it("C3 (finding C8): the line of the report and the question of the person who connects have the same words for a failed step", () => {
    const base = refusedKey({ connect: skipped, tls: skipped });
    const failing = (name: "connect" | "tls" | "key", error: AppError): CheckReport => ({
      ...base,
      ...(name === "key" ? {} : { answer: skipped, key: skipped }),
      [name]: { state: "failed", error },
    });
    for (const [name, error] of [
      ["connect", refused],
      ["connect", { kind: "timed-out", message: "no connection" }],
      ["tls", untrusted],
      ["tls", { ...untrusted, code: "CERT_HAS_EXPIRED" }],
      ["key", { kind: "unauthorized", status: 401, message: "no" }],
      ["key", { kind: "not-found", status: 404, message: "no" }],
      ["key", { kind: "signed-out", message: "no key" }],
    ] as const) {
      const report = failing(name, error);
      const { title, advice } = explainCheck(report, checkContext);
      const line = describeCheck(report, checkContext).find(({ state }) => state === "failed");
      assert.deepEqual([line?.text, line?.advice], [title, advice], `${name} ${error.kind}`);
    }
  });
});
