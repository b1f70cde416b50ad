/** Error answers in every shape that was seen, and how long they ask to wait. */
import assert from "node:assert/strict";
import { readErrorResponse } from "../../../../src/gateway/http/serviceError";
import { readRetryAfter } from "../../../../src/gateway/http/network/transportError";
import { assertLinear } from "../../../support/growth";
import { createScrub } from "../../../../src/gateway/scrub";

const now = Date.parse("2026-11-21T12:00:00Z");
const headers = (values: Record<string, string> = {}): { get(name: string): string | undefined } => ({
  get: (name) => values[name],
});
const read = (
  status: number,
  body: unknown,
  values: Record<string, string> = {},
): ReturnType<typeof readErrorResponse> =>
  createScrub("sk-canary-123").error(
    readErrorResponse({
      status,
      headers: headers(values),
      text: typeof body === "string" ? body : JSON.stringify(body),
      now,
    }),
  );

describe("errorResponse", () => {
  it("H15, S4: a page of nothing but openings of titles is read at once, and a title with attributes is found", async () => {
    assert.match(read(502, '<html><title lang="en">Bad Gateway</title>').message, /: Bad Gateway$/);
    await assertLinear(1_400, (length) => {
      const text = `<html>${"<title".repeat(length)}`;
      return () => readErrorResponse({ status: 502, headers: headers(), text, now });
    });
  });

  const kinds: readonly (readonly [string, number, unknown, string])[] = [
    ["401", 401, { error: { message: "m", code: "invalid_api_key" } }, "unauthorized"],
    [
      "Google's 400 for a bad key",
      400,
      { error: { code: 400, message: "m", status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] } },
      "unauthorized",
    ],
    ["402", 402, "", "insufficient-balance"],
    ["403 for a quota", 403, { error: { message: "m", code: "insufficient_user_quota" } }, "insufficient-balance"],
    ["429 for a quota", 429, { error: { message: "m", code: "insufficient_quota" } }, "insufficient-balance"],
    ["403 for a task type", 403, { error: { message: "m", code: "task_type_not_enabled" } }, "not-enabled"],
    ["422 for a task type, in words", 422, { detail: "Task type video is not enabled" }, "not-enabled"],
    ["501 for a task type", 501, { error: { message: "Capability video is disabled" } }, "not-enabled"],
    [
      "llama.cpp's 500 for tools",
      500,
      { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } },
      "rejected",
    ],
    [
      "llama.cpp's 500 for a system role",
      500,
      { error: { code: 500, message: "System role not supported", type: "server_error" } },
      "rejected",
    ],
    ["500 for another parameter", 500, { error: { message: "Unsupported param: size" } }, "unavailable"],
    ["403", 403, { error: { message: "m" } }, "forbidden"],
    ["404", 404, { error: { message: "m", code: "task_not_found" } }, "not-found"],
    ["Q-K5: 400 task_not_exist", 400, { code: "task_not_exist", message: "m", data: null }, "not-found"],
    ["409", 409, { error: { message: "m", code: "idempotency_key_conflict" } }, "conflict"],
    [
      "Q-K12: 400 for a task that has ended",
      400,
      { error: { message: "m", code: "task_already_terminal" } },
      "conflict",
    ],
    ["413", 413, "", "too-large"],
    ["a context that is too long", 400, { error: { message: "m", code: "context_length_exceeded" } }, "too-large"],
    ["429", 429, "", "rate-limited"],
    ["400", 400, { error: { message: "m", type: "invalid_request_error" } }, "rejected"],
    ["422", 422, { detail: [{ loc: ["body", "prompt"], msg: "field required" }] }, "rejected"],
    ["408", 408, "", "timed-out"],
    ["500", 500, { error: { message: "insufficient balance", code: "insufficient_balance" } }, "unavailable"],
    ["529", 529, { type: "error", error: { type: "overloaded_error", message: "m" } }, "unavailable"],
  ];
  for (const [name, status, body, kind] of kinds) {
    it(`S4: ${name} is ${kind}`, () => assert.equal(read(status, body).kind, kind));
  }

  const messages: readonly (readonly [unknown, string])[] = [
    [{ error: { message: "text" } }, "text"],
    [{ error: "some text" }, "some text"],
    [{ error: "code", message: "some text" }, "some text"],
    [{ code: "fail_to_fetch_task", message: "text", data: null }, "text"],
    [{ code: 4, description: "text", type: "new_api_error" }, "text"],
    [{ detail: "text" }, "text"],
    [{ detail: [{ msg: "text" }] }, "text"],
    [{ msg: "text" }, "text"],
    [{ err: "text" }, "text"],
    [{ error_msg: "text" }, "text"],
    [{ header: { message: "text" } }, "text"],
    [{ response: { error: { message: "text" } } }, "text"],
    [{ errors: [{ message: "text" }] }, "text"],
    [{ success: false, error: { code: 1, message: "text" } }, "text"],
    [[{ error: { message: "text" } }], "text"],
    [{ error: { message: "text", metadata: { raw: "inner" } } }, "text (inner)"],
    ["<b>Bad</b>   gateway", "Bad gateway"],
    [
      "<!doctype html><title>502 Bad Gateway</title>",
      "The gateway answered with a web page (status 400): 502 Bad Gateway",
    ],
    ["", "The gateway answered with status 400 and nothing else."],
  ];
  for (const [body, message] of messages) {
    it(`S4: reads the message of ${JSON.stringify(body)}`, () => assert.equal(read(400, body).message, message));
  }

  it("S4: keeps status, code, request id, content type and the first bytes of what can't be read", () => {
    const page = `<html>${"x".repeat(1000)}`;
    assert.deepEqual(read(502, page, { "x-request-id": "r1", "content-type": "text/html" }), {
      kind: "unavailable",
      message: "The gateway answered with a web page (status 502).",
      status: 502,
      requestId: "r1",
      contentType: "text/html",
      firstBytes: page.slice(0, 500),
    });
    const error = read(400, { error: { message: "m", code: "c", type: "t" }, request_id: "r2" });
    assert.equal(error.code, "c");
    assert.equal(error.requestId, "r2");
    assert.equal(error.firstBytes, undefined);
    assert.equal(read(401, { error: { message: "m", code: 401 } }).code, "401");
    assert.equal(read(400, { error: { message: "m", code: "", type: "t" } }).code, "t");
  });

  it("C2, R5: takes the key out of what comes back", () => {
    const error = read(401, { error: { message: "Wrong key sk-canary-123." } });
    assert.equal(error.message, "Wrong key [key].");
  });
});

describe("retryAfter", () => {
  const wait = (values: Record<string, string>, body?: unknown): number | undefined =>
    readRetryAfter(headers(values), body, now);

  it("T4: reads seconds, fractions and milliseconds, the finer one first", () => {
    assert.equal(wait({ "retry-after": "7" }), 7000);
    assert.equal(wait({ "retry-after": "1.5" }), 1500);
    assert.equal(wait({ "retry-after-ms": "250.2", "retry-after": "7" }), 251);
    assert.equal(wait({ "retry-after-ms": "0", "retry-after": "7" }), 7000);
    assert.equal(wait({}), undefined);
    assert.equal(wait({ "retry-after": "soon" }), undefined);
    for (const name of ["retry-after", "retry-after-ms"]) {
      const longest = wait({ [name]: "1e308" });
      assert.ok(longest !== undefined && Number.isSafeInteger(longest), "it is stored as JSON");
    }
  });

  it("T4: measures a date against the response's own Date", () => {
    const later = "Sat, 21 Nov 2026 13:00:30 GMT";
    assert.equal(wait({ "retry-after": later, date: "Sat, 21 Nov 2026 13:00:00 GMT" }), 30_000);
    assert.equal(wait({ "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" }), 30_000);
    assert.equal(wait({ "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }), 0);
  });

  it("T4: reads RetryInfo", () => {
    const info = { error: { details: [{ "@type": "x" }, { "@type": "google.rpc.RetryInfo", retryDelay: "1.5s" }] } };
    assert.equal(wait({}, info), 1500);
    assert.equal(wait({}, [info]), 1500);
  });
});
