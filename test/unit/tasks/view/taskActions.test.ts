/** What can be done with a task is one list: rows, pages, cards and lenses show their part of it. */
import assert from "node:assert/strict";
import { isCardAction, isLensAction, isPageAction, taskActions } from "../../../../src/domain/task/taskActions";
import type { Task, TaskState } from "../../../../src/domain/task/task";
import { actionsOf, isRemovable } from "../../../../src/tasks/view/taskActions";
import { moreActionsOf } from "../../../../src/tasks/host/tree/taskActionCommands";
import { accepted, makeTask, savedAt } from "../../../support/builders";

const error = { kind: "unreachable", message: "x" } as const;
const unknown: Task["submission"] = { state: "outcome-unknown", at: 0, error };
const submissions: readonly Task["submission"][] = [
  { state: "prepared" },
  { state: "sending" },
  unknown,
  { ...unknown, reconcile: { state: "under-way", at: 0 } },
  { ...unknown, reconcile: { state: "under-way", at: 0, waits: true } },
  { state: "not-accepted", at: 0, error: { kind: "insufficient-balance", message: "x" } },
  ...(["created", "queued", "processing", "failed", "cancelled", "expired", "refunded", "unknown"] as const).map(
    (state: TaskState) => accepted({ state }),
  ),
  accepted(
    { state: "succeeded" },
    { saved: savedAt("/r.png"), placement: { state: "failed", file: "f", at: 0, message: "" } },
  ),
  accepted({ state: "succeeded" }, { saved: savedAt("/r.png"), placement: { state: "placed", file: "f", at: 0 } }),
];
const local = { origin: "local", baseUrl: "http://127.0.0.1:1", account: "a" };
const tasks = [
  ...submissions.map((submission) => makeTask({ intent: { home: local, batch: "b" }, submission })),
  makeTask({ intent: { home: local, isRehearsal: true }, submission: accepted({ state: "succeeded" }) }),
];

describe("the actions of a task", () => {
  it("T1, T7: each is offered in some state, in one order everywhere", () => {
    const offered = new Set(tasks.flatMap((task) => actionsOf(task, { hasCurl: true })));
    assert.deepEqual(
      taskActions.filter((action) => !offered.has(action)),
      [],
    );
    for (const task of tasks) {
      const places = actionsOf(task).map((action) => taskActions.indexOf(action));
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      );
    }
  });

  it("T1, T7, P1: page and card offer the same of what both have, and a lens at most one more step", () => {
    for (const task of tasks) {
      const actions = actionsOf(task);
      const onBoth = actions.filter((action) => isPageAction(action) && isCardAction(action));
      assert.deepEqual(actions.filter(isCardAction), [
        ...onBoth,
        "open-task",
        ...(actions.includes("open-result") ? ["more"] : []),
      ]);
      // A placeholder can be looked at, and made real: the lens shows the first of them.
      const most = task.intent.isRehearsal ? 2 : 1;
      assert.ok(actions.filter(isLensAction).length <= most, task.submission.state);
      assert.equal(actions.includes("remove"), isRemovable(task));
    }
  });

  it("T15, T7: what goes on from a result is behind More Actions on card and lens, without what has a button there", () => {
    const done = makeTask({
      intent: { type: "async-image" },
      submission: accepted({ state: "succeeded" }, { saved: savedAt("/r.png") }),
    });
    const all = moreActionsOf(done);
    for (const action of ["make-variants", "make-video", "use-as-reference", "other-model", "convert"] as const)
      assert.ok(all.includes(action), action);
    assert.ok(!all.some(isCardAction));
    assert.ok(!actionsOf(makeTask({ submission: accepted({ state: "processing" }) })).includes("more"));
  });

  it("T4, T10 (finding N5): Check Now is offered where what is shown may be old, and nowhere else", () => {
    const isOffered = (...of: Parameters<typeof accepted>): boolean =>
      actionsOf(makeTask({ submission: accepted(...of) })).includes("check-now");
    const stale = { since: 0, error };
    assert.ok(isOffered({ state: "processing" }, { stale }), "it can't be read");
    assert.ok(isOffered({ state: "unknown", rawStatus: "" }), "it has not been read");
    assert.ok(isOffered({ state: "failed" }, { holdId: "h" }), "its release was not seen");
    assert.ok(!isOffered({ state: "processing" }));
    assert.ok(!isOffered({ state: "succeeded" }, { stale, holdId: "h" }));
    assert.ok(!isOffered({ state: "refunded" }, { holdId: "h" }));
    assert.ok(!actionsOf(makeTask({ submission: unknown })).includes("check-now"));
  });

  it("T1: nothing that could pay again is offered while a request of the task is in flight", () => {
    for (const submission of [submissions[0], submissions[1], submissions[3], submissions[4]]) {
      const actions = actionsOf(makeTask({ submission: submission! }));
      for (const action of ["reconcile", "send-again", "try-again", "remove"] as const)
        assert.ok(!actions.includes(action), `${submission?.state} ${action}`);
    }
  });
});
