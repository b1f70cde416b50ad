/** The table of a submission's transitions, held against what its events prove. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AppError } from "../../../../src/domain/errors/appError";
import { failureEvent, type SubmissionEvent, submissionTransitions } from "../../../../src/domain/task/submission";
import { reduceTask, type TaskRecord } from "../../../../src/domain/task/taskRecord";
import { makeCreated, makeIntent } from "../../../support/builders";
import { runsOf } from "../../../support/runs";

const events: readonly SubmissionEvent[] = ["waits", "started", "accepted", "refused", "not-sent", "lost"];

describe("submissionTransitions", () => {
  it("T1 (finding 1): from an unknown outcome only an accept leads on, and from an accept nothing", () => {
    for (const event of events) {
      const next = event === "accepted" ? "accepted" : "outcome-unknown";
      assert.equal(submissionTransitions["outcome-unknown"][event], next);
      assert.equal(submissionTransitions.accepted[event], "accepted");
    }
  });

  it("T1 (finding 1): in any order of events, a submission reads as not accepted only while no attempt can have made a task", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (sequence) => {
        let state: keyof typeof submissionTransitions = "prepared";
        /** Attempts that began and whose outcome no response showed. */
        let lost = 0;
        let open = 0;
        let accepted = false;
        for (const event of sequence) {
          if (event === "waits" || event === "started") {
            lost += open;
            open = event === "started" ? 1 : 0;
          } else {
            if (event === "lost") lost += 1;
            accepted ||= event === "accepted";
            open = 0;
          }
          state = submissionTransitions[state][event];
          assert.equal(state === "accepted", accepted);
          if (!accepted) assert.equal(state === "outcome-unknown", lost > 0);
        }
      }),
      { numRuns: runsOf(10_000) },
    );
  });

  it("T1 (finding 1): the reducer follows the table for records of any error", () => {
    const { id } = makeIntent();
    const errors: readonly AppError[] = [
      { kind: "rate-limited", message: "slow down", status: 429 },
      { kind: "unauthorized", message: "no", status: 401 },
      { kind: "forbidden", message: "no", status: 403 },
      { kind: "not-found", message: "<html>", status: 404 },
      { kind: "conflict", message: "being worked on", status: 409 },
      { kind: "signed-out", message: "no key", notSent: true },
      { kind: "unreachable", message: "refused", notSent: true },
      { kind: "storage", message: "full", code: "ENOSPC", notSent: true },
    ];
    const before: readonly TaskRecord[] = [
      { type: "task-intended", intent: makeIntent() },
      { type: "task-sending", id, at: 1 },
      { type: "task-outcome-unknown", id, at: 2, error: { kind: "timed-out", message: "no answer" } },
      { type: "task-sending", id, at: 3 },
    ];
    for (const error of errors) {
      const task = [...before, { type: "task-not-accepted", id, at: 4, error } as const].reduce(reduceTask, undefined);
      assert.deepEqual(task?.submission, {
        state: "outcome-unknown",
        error: { kind: "timed-out", message: "no answer" },
        at: 2,
        reconcile: { state: "failed", at: 4, error },
      });
      const found = reduceTask(task, { type: "task-accepted", id, at: 5, created: makeCreated({ replayed: true }) });
      assert.equal(found?.submission.state, "accepted");
    }
  });
});

describe("failureEvent", () => {
  for (const [event, error] of [
    ["refused", { kind: "insufficient-balance", message: "too low", status: 402 }],
    ["refused", { kind: "rate-limited", message: "slow down", status: 429, code: "resource_exhausted" }],
    ["refused", { kind: "rejected", message: "unknown field", status: 400, code: "invalid_request" }],
    ["lost", { kind: "conflict", message: "being worked on", status: 409 }],
    ["lost", { kind: "rejected", message: "client closed request", status: 499 }],
    ["lost", { kind: "rejected", message: "upstream timed out", status: 400, code: "upstream_timeout" }],
    ["lost", { kind: "rejected", message: "upstream request timeout", status: 400, code: "invalid_request_error" }],
    ["lost", { kind: "rejected", message: "context deadline exceeded", status: 422 }],
    ["lost", { kind: "rejected", message: "a dependency failed", status: 424 }],
    ["lost", { kind: "rejected", message: "no", status: 422, code: "idempotency_key_reused" }],
    ["lost", { kind: "rejected", message: "The Idempotency-Key was already used.", status: 400 }],
    ["lost", { kind: "rejected", message: "Duplicate request.", status: 422, code: "duplicate_request" }],
    ["refused", { kind: "rejected", message: "idempotency_key must be a string", status: 400 }],
    ["lost", { kind: "unavailable", message: "bad gateway", status: 502 }],
    ["not-sent", { kind: "unreachable", message: "refused", notSent: true }],
  ] as const satisfies readonly (readonly [SubmissionEvent, AppError])[]) {
    it(`T1: ${error.kind} "${error.message}" is ${event}`, () => assert.equal(failureEvent(error), event));
  }
});
