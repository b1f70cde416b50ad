/** The counts of the status bar and the badge, and what the view says above its rows. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import type { Task } from "../../../../src/domain/task/task";
import { createTaskCounts, type TaskCounts, viewMessage, type ViewState } from "../../../../src/tasks/view/taskCounts";
import { accepted, makeTask } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";

const lost = { kind: "unreachable", message: "The connection broke." } as const;
const noCounts: TaskCounts = { running: 0, attention: 0, holdsOpen: 0, withoutKey: 0 };

describe("the counts of tasks", () => {
  it("T11: what runs, needs attention and holds money is counted as tasks change, all changes of a moment at once", async () => {
    const clock = createMovedClock();
    const changed = new Emitter<ReadonlySet<string>>();
    const tasks = new Map<string, Task>([["old", makeTask({ submission: accepted({ state: "succeeded" }) })]]);
    const counts = createTaskCounts({ listed: tasks, onDidChange: changed.event }, clock);
    const seen: TaskCounts[] = [];
    counts.onDidChange(({ now }) => seen.push(now));
    const set = (id: string, submission: Task["submission"]): void => {
      tasks.set(id, makeTask({ submission }));
      changed.fire(new Set([id]));
    };
    set("a", { state: "sending" });
    set("a", accepted({ state: "processing" }, { holdId: "hold-1" }));
    set("b", accepted({ state: "queued" }, { stale: { since: 0, error: { ...lost, kind: "signed-out" } } }));
    set("c", { state: "outcome-unknown", at: 0, error: lost });
    set("d", accepted({ state: "failed" }));
    assert.deepEqual(counts.current, noCounts);
    await clock.advance(250);
    assert.deepEqual(seen, [{ running: 2, attention: 2, holdsOpen: 1, withoutKey: 1 }]);
    set("d", accepted({ state: "failed" }, { seenAt: 1 }));
    set("a", accepted({ state: "succeeded" }, { holdId: "hold-1" }));
    tasks.delete("c");
    changed.fire(new Set(["c"]));
    await clock.advance(250);
    assert.deepEqual(counts.current, { running: 1, attention: 0, holdsOpen: 0, withoutKey: 1 });
    changed.fire(new Set(["old"]));
    await clock.advance(250);
    assert.equal(seen.length, 2, "a change that counts for nothing is none");
    counts.dispose();
  });
});

describe("the message of the Tasks view", () => {
  const now = Date.UTC(2026, 0, 15, 12);
  const message = (state: Partial<ViewState>): string | undefined =>
    viewMessage({ unwritten: undefined, status: {}, file: { unreadable: 0 }, counts: noCounts, ...state }, now, "en");

  it("T6: only what concerns all rows is said, and the most important of it", () => {
    assert.equal(message({}), undefined);
    assert.match(
      message({ status: { offlineSince: now } }) ?? "",
      /^Offline since .+\. Rows show the last known state\.$/,
    );
    assert.match(message({ status: { oldestRead: now } }) ?? "", /each is read rarely\. One was last read at .+\.$/);
    const paused = { pausedUntil: now, offlineSince: now, oldestRead: now };
    assert.match(message({ status: paused }) ?? "", /^Paused by the gateway until .+ \(rate limit\)\.$/);
    const withoutKey = { ...noCounts, withoutKey: 2 };
    assert.match(message({ status: paused, counts: withoutKey }) ?? "", /^2 running tasks can't be read: the key/);
    const unwritten = { accepted: 1, error: { kind: "storage", code: "ENOSPC", message: "full" } } as const;
    assert.match(message({ unwritten, counts: withoutKey }) ?? "", /disk|stor|written/i);
  });
});
