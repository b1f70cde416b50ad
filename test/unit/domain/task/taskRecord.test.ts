/** How a task changes, record by record. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { acceptedOf } from "../../../../src/domain/task/phase";
import type { RemoteTask, Task } from "../../../../src/domain/task/task";
import { reduceTask, type TaskRecord } from "../../../../src/domain/task/taskRecord";
import { accepted, makeCreated, makeIntent, makeRemote, makeTask, savedFacts } from "../../../support/builders";

const { id } = makeIntent();
const error = { kind: "timed-out", message: "no answer" } as const;
const reduce = (task: Task | undefined, ...records: TaskRecord[]): Task | undefined =>
  records.reduce<Task | undefined>(reduceTask, task);

describe("reduceTask", () => {
  it("T1: a task that was accepted stays accepted, whatever else is written of its submission", () => {
    const before = makeTask({ submission: accepted({}) });
    for (const record of [
      { type: "task-sending", id, at: 1 },
      { type: "task-outcome-unknown", id, at: 1, error },
      { type: "task-not-accepted", id, at: 1, error },
    ] as const) {
      assert.equal(reduce(before, record), before);
    }
  });

  it("T1: an unknown outcome becomes accepted when the same intent is answered", () => {
    const after = reduce(
      undefined,
      { type: "task-intended", intent: makeIntent() },
      { type: "task-outcome-unknown", id, at: 1, error },
      { type: "task-sending", id, at: 2 },
      { type: "task-accepted", id, at: 3, created: makeCreated({ replayed: true }) },
    );
    assert.equal(after?.submission.state, "accepted");
  });

  it("T4: a failed read changes no state, it makes the row stale from the first failure on; a good read makes it fresh", () => {
    const task = makeTask({ submission: accepted({ state: "processing", rawStatus: "3" }) });
    const stale = reduce(
      task,
      { type: "task-read-failed", id, at: 5, error },
      { type: "task-read-failed", id, at: 9, error },
    );
    assert.deepEqual(stale?.submission, { ...task.submission, stale: { since: 5, error } });
    const fresh = reduce(stale, {
      type: "task-read",
      id,
      at: 10,
      remote: makeRemote({ state: "processing", rawStatus: "3" }),
    });
    assert.equal(fresh?.submission.state === "accepted" && fresh.submission.stale, undefined);
  });

  for (const [state, cancel] of [
    ["cancelled", "confirmed"],
    ["refunded", "confirmed"],
    ["succeeded", "too-late"],
    ["failed", "too-late"],
    ["expired", "too-late"],
    ["processing", "requested"],
  ] as const) {
    it(`T9: a requested cancel of a task that is then read as ${state} is ${cancel}`, () => {
      const asked = reduce(makeTask({ submission: accepted({}) }), {
        type: "task-cancel",
        id,
        cancel: { state: "requested", reason: "wrong prompt", at: 1 },
      });
      const read = reduce(asked, { type: "task-read", id, at: 2, remote: makeRemote({ state }) });
      assert.equal(read?.submission.state === "accepted" && read.submission.cancel?.state, cancel);
    });
  }

  it("T9, T10: a cancel that was confirmed is none when a later read shows a success, which is charged", () => {
    const cancel = { state: "confirmed", reason: "wrong prompt", at: 1 } as const;
    const task = makeTask({ submission: accepted({ state: "cancelled", rawStatus: "6" }, { cancel }) });
    const cancelAfter = (remote: Partial<RemoteTask>): string | undefined =>
      acceptedOf(reduce(task, { type: "task-read", id, at: 5, remote: makeRemote(remote) }))?.cancel?.state;
    assert.equal(cancelAfter({ state: "succeeded", rawStatus: "4" }), "no-effect");
    assert.equal(cancelAfter({ state: "refunded", rawStatus: "8" }), "confirmed");
    assert.equal(
      cancelAfter({ state: "processing", rawStatus: "3" }),
      "confirmed",
      "a read that is older than the cancel",
    );
  });

  it("T8, Q-K8: a later read without the result's addresses takes those of the first one not away", () => {
    const assets = { kind: "assets", imageUrl: "https://gateway.example/a.png" } as const;
    const task = makeTask({ submission: accepted({ state: "succeeded", rawStatus: "4", assets }) });
    const assetsAfter = (remote: Partial<RemoteTask>): unknown =>
      acceptedOf(reduce(task, { type: "task-read", id, at: 5, remote: makeRemote({ rawStatus: "4", ...remote }) }))
        ?.remote.assets;
    assert.deepEqual(assetsAfter({ state: "succeeded" }), assets);
    assert.deepEqual(assetsAfter({ state: "succeeded", assets: { kind: "unreadable", raw: "{}" } }), assets);
    const fresh = { ...assets, imageUrl: "https://gateway.example/b.png" };
    assert.deepEqual(assetsAfter({ state: "succeeded", assets: fresh }), fresh);
    assert.equal(assetsAfter({ state: "failed" }), undefined);
  });

  it("R6: records in any order never throw and never lose an accepted task id", () => {
    const record = fc.constantFrom<TaskRecord>(
      { type: "task-intended", intent: makeIntent() },
      { type: "task-sending", id, at: 1 },
      { type: "task-accepted", id, at: 2, created: makeCreated() },
      { type: "task-not-accepted", id, at: 3, error },
      { type: "task-outcome-unknown", id, at: 4, error },
      { type: "task-read", id, at: 5, remote: makeRemote({ state: "succeeded" }) },
      { type: "task-read-failed", id, at: 6, error },
      { type: "task-events", id, at: 7, events: [] },
      { type: "task-saved", id, at: 8, path: "/tmp/x.png", saved: savedFacts },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), (records) => {
        let known = false;
        let task: Task | undefined;
        for (const next of records) {
          task = reduceTask(task, next);
          known ||= task?.submission.state === "accepted";
          if (known) assert.equal(task?.submission.state === "accepted" && task.submission.taskId, "task-1");
        }
      }),
    );
  });
});
