/** Which tasks a window loads and polls after a reload, with no view open. */
import assert from "node:assert/strict";
import type { RemoteTask, Submission, Task } from "../../../../src/domain/task/task";
import { needsWindow } from "../../../../src/tasks/polling/keepIdleMark";
import { makeIntent, makeRemote } from "../../../support/builders";

const hour = 3_600_000;
const now = 100 * hour;
const error = { kind: "timed-out", message: "no answer" } as const;

type Accepted = Extract<Submission, { state: "accepted" }>;
const accepted = (state: RemoteTask["state"], ago: number, more: Partial<Accepted> = {}): Submission => ({
  state: "accepted",
  at: 0,
  taskId: "t",
  checkedAt: now - ago,
  remote: makeRemote({ state }),
  ...more,
});
const needs = (submission: Submission, intent: Partial<Task["intent"]> = {}): boolean =>
  needsWindow({ intent: makeIntent(intent), submission }, now);

describe("needsWindow", () => {
  const going: readonly (readonly [string, Submission, Partial<Task["intent"]>?])[] = [
    ["is prepared", { state: "prepared" }],
    ["is being sent", { state: "sending" }],
    ["has an unknown outcome", { state: "outcome-unknown", error, at: 0 }],
    ["was created", accepted("created", hour)],
    ["is processed", accepted("processing", 50 * hour)],
    ["has a state that nobody knows", accepted("unknown", 50 * hour)],
    ["has succeeded a moment ago, and may be refunded", accepted("succeeded", 1000)],
    ["failed a moment ago, and may be refunded", accepted("failed", 1000)],
    [
      "has a cancel that nobody answered",
      accepted("processing", hour, { cancel: { state: "requested", reason: "r", at: 1 } }),
    ],
  ];
  for (const [what, submission, intent] of going) {
    it(`T1 (finding 6): a task that ${what} goes on`, () => assert.equal(needs(submission, intent), true));
  }

  const done: readonly (readonly [string, Submission])[] = [
    ["was not accepted", { state: "not-accepted", error, at: 0 }],
    ["succeeded and was looked at once more", accepted("succeeded", 1000, { lookedAt: now })],
    ["failed two days ago", accepted("failed", 48 * hour)],
    ["was refunded", accepted("refunded", 1000)],
  ];
  for (const [what, submission] of done) {
    it(`F5 (finding 6): a task that ${what} loads nothing`, () => assert.equal(needs(submission), false));
  }
});
