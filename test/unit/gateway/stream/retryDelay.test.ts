/** Which errors of a chat request are retried, by kind, code and flag, never by their text. */
import assert from "node:assert/strict";
import type { AppError } from "../../../../src/domain/errors/appError";
import { decodeStream } from "../../../../src/gateway/stream/decodeStream";
import { readRetryDelay } from "../../../../src/gateway/stream/streamChat";
import { collect, pieces } from "../eventList";

const firstAttempt = {
  retries: 0,
  before: undefined,
  hasTimedOut: false,
  shouldRetry: undefined,
  isEmptyResponse: false,
  random: () => 0,
} as const;

const delay = (error: AppError, isEmptyResponse = false): number | undefined =>
  readRetryDelay(error, { ...firstAttempt, isEmptyResponse });

describe("retryDelay", () => {
  it("S3 (finding 37): an empty response is retried for its flag, whatever the message", () => {
    assert.equal(delay({ kind: "malformed", message: "The answer is empty." }), undefined);
    assert.equal(delay({ kind: "malformed", message: "Nothing came." }, true), 500);
  });

  it("S3 (finding 37): a lost connection is retried for its code, whatever the message", () => {
    assert.equal(delay({ kind: "unreachable", message: "terminated" }), undefined);
    assert.equal(delay({ kind: "unreachable", message: "gone", code: "UND_ERR_SOCKET" }), 500);
  });

  it("T18: where another model is asked afterwards, an overloaded gateway is tried twice more within seconds", () => {
    const error: AppError = { kind: "unavailable", message: "", status: 529 };
    const delays = (hasFallback?: true): readonly unknown[] =>
      [0, 1, 2, 5].map((retries) => readRetryDelay(error, { ...firstAttempt, retries, hasFallback }));
    assert.deepEqual(delays(), [2000, 4000, 8000, 30_000]);
    assert.deepEqual(delays(true), [500, 1000, undefined, undefined]);
    const later = (hasFallback?: true): unknown =>
      readRetryDelay({ ...error, retryAfterMs: 20_000 }, { ...firstAttempt, hasFallback });
    assert.deepEqual([later(), later(true)], [20_000, undefined]);
  });

  it("A11: what holds nothing is tried once more, and not a second time", () => {
    for (const code of ["empty_answer", "MALFORMED_FUNCTION_CALL"]) {
      const error = { kind: "malformed", message: "none", code } as const;
      assert.equal(delay(error), 500);
      assert.equal(readRetryDelay(error, { ...firstAttempt, retries: 1, before: error }), undefined);
      assert.notEqual(
        readRetryDelay(error, { ...firstAttempt, retries: 1, before: { kind: "unavailable", message: "" } }),
        undefined,
      );
    }
  });

  it("S6: what took too long is tried once more within a second, whichever status or code says so and whatever the header asks for", () => {
    const timeouts: readonly AppError[] = [
      { kind: "timed-out", message: "" },
      { kind: "unavailable", message: "", status: 504 },
      { kind: "unavailable", message: "", status: 524 },
      ...["504", "524", "DEADLINE_EXCEEDED", "timeout_error", "upstream_timeout"].map(
        (code) => ({ kind: "unavailable", message: "", code }) as const,
      ),
    ];
    for (const error of timeouts) {
      assert.equal(delay(error), 500, JSON.stringify(error));
      const second = {
        ...firstAttempt,
        retries: 1,
        before: { kind: "unavailable", message: "" },
        hasTimedOut: true,
      } as const;
      assert.equal(readRetryDelay(error, second), undefined, JSON.stringify(error));
      assert.equal(readRetryDelay(error, { ...second, shouldRetry: true }), undefined, JSON.stringify(error));
    }
    const busy: AppError = { kind: "unavailable", message: "", status: 503 };
    for (const error of timeouts)
      assert.equal(readRetryDelay(error, { ...firstAttempt, retries: 2, before: busy }), 2000, JSON.stringify(error));
    assert.equal(readRetryDelay(busy, { ...firstAttempt, retries: 1, hasTimedOut: true }), 4000);
  });

  it("S3 (finding 37): a response is empty without any text or value, and only then", async () => {
    const isEmpty = async (text: string): Promise<boolean> => {
      let empty = false;
      const onEmpty = (): void => void (empty = true);
      await collect(decodeStream("messages", pieces(new TextEncoder().encode(text)), { onEmpty }));
      return empty;
    };
    for (const text of ["", " \n"]) assert.equal(await isEmpty(text), true, JSON.stringify(text));
    for (const text of [
      "nonsense",
      "<html>",
      "data: [DONE]\n\n",
      "[]",
      '{"error":{"message":"The answer is empty."}}',
    ]) {
      assert.equal(await isEmpty(text), false, text);
    }
  });
});
