/** The groups of the Tasks view: their members and order after any changes, and what one change costs among 100,000 tasks. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Task, TaskState } from "../../../../src/domain/task/task";
import { startOfDay, startOfNextDay } from "../../../../src/base/localDay";
import { reduceTask } from "../../../../src/domain/task/taskRecord";
import { createFilter, noFilter, type TaskFilter } from "../../../../src/tasks/view/taskFilter";
import {
  type Grouping,
  groupings,
  type GroupRules,
  isFinished,
  TaskGroups,
  eachDay,
} from "../../../../src/tasks/view/taskGroups";
import { accepted, makeTask } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { seeded } from "../../../support/seeded";
import { runsOf } from "../../../support/runs";
import { startBusyTime } from "../../../support/busyTime";

const now = new Date(2026, 0, 15, 12).getTime();
const day = 24 * 3_600_000;

const rulesOf = (
  grouping: Grouping = "state",
  filter: Partial<TaskFilter> = {},
  hidesFinished = false,
): GroupRules => ({
  grouping,
  includes: createFilter({ ...noFilter, ...filter }, hidesFinished),
  now,
});

const taskOf = (id: string, state: TaskState, intent: Partial<Task["intent"]> = {}, completedAt = now): Task =>
  makeTask({
    intent: { id, createdAt: now, ...intent },
    submission: accepted({ state, ...(state === "processing" ? {} : { completedAt }) }, { checkedAt: now }),
  });

const mapOf = (...tasks: readonly Task[]): Map<string, Task> => new Map(tasks.map((task) => [task.intent.id, task]));
const contents = (groups: TaskGroups): Record<string, readonly string[]> =>
  Object.fromEntries(groups.keys.map((key) => [key, groups.idsIn(key)]));

describe("TaskGroups", () => {
  it("T6 (finding 18): newest first, but a batch in the order in which it was submitted", () => {
    const tasks = mapOf(
      taskOf("old", "processing", { createdAt: now - 5 }),
      taskOf("b1", "processing", { batch: "b", createdAt: now - 3 }),
      taskOf("b2", "processing", { batch: "b", createdAt: now - 2 }),
      taskOf("b3", "processing", { batch: "b", createdAt: now - 1 }),
      taskOf("new", "processing"),
    );
    const groups = new TaskGroups(() => tasks, rulesOf());
    assert.deepEqual(contents(groups), { running: ["new", "b1", "b2", "b3", "old"] });
  });

  it("T6 (finding 18): a failed task needs attention until it was seen", () => {
    const failed = taskOf("one", "failed");
    const tasks = mapOf(failed);
    const groups = new TaskGroups(() => tasks, rulesOf());
    assert.deepEqual(contents(groups), { attention: ["one"] });
    assert.equal(isFinished(failed), false);
    const seen = reduceTask(failed, { type: "task-seen", id: "one", at: now });
    tasks.set("one", seen ?? failed);
    assert.deepEqual(groups.apply(new Set(["one"]), new Set(["one"])), { isRestructured: false, groups: new Set() });
    assert.deepEqual(contents(groups), { attention: ["one"] }, "a selected row stays where it is");
    assert.equal(groups.apply(new Set(["one"])).isRestructured, true);
    assert.deepEqual(contents(groups), { today: ["one"] });
  });

  it("T6 (finding N2): a selected task that ends leaves the running ones: their heading counts what runs", () => {
    const tasks = mapOf(taskOf("one", "processing"));
    const groups = new TaskGroups(() => tasks, rulesOf());
    tasks.set("one", taskOf("one", "succeeded"));
    groups.apply(new Set(["one"]), new Set(["one"]));
    assert.deepEqual(contents(groups), { today: ["one"] });
  });

  it("T6: by state, type, day and batch, in an order that a person expects", () => {
    const tasks = mapOf(
      taskOf("a", "succeeded", { createdAt: now - 2 * day, batch: "x", type: "async-image" }, now - 2 * day),
      taskOf("b", "processing", { createdAt: now - day }),
      taskOf("c", "processing", { batch: "y" }),
      taskOf("d", "failed", { batch: "y" }),
      taskOf("e", "cancelled", { type: "stylized-image" }),
    );
    const by = (grouping: Grouping) => contents(new TaskGroups(() => tasks, rulesOf(grouping)));
    assert.deepEqual(Object.keys(by("state")), ["attention", "running", "today", "earlier"]);
    assert.deepEqual(by("type"), { video: ["c", "d", "b"], "stylized-image": ["e"], "async-image": ["a"] });
    assert.deepEqual(new Map(Object.entries(by("day"))).get(String(startOfDay(now))), ["e", "c", "d"]);
    const days = new TaskGroups(() => tasks, rulesOf("day"));
    assert.deepEqual(
      days.keys,
      [now, now - day, now - 2 * day].map((at) => String(startOfDay(at))),
    );
    const batches = new TaskGroups(() => tasks, rulesOf("batch"));
    assert.deepEqual(batches.keys, ["y", "x", "single"]);
    assert.deepEqual(batches.idsIn("single"), ["e", "b"]);
    assert.equal(startOfNextDay(now), startOfDay(now + day));
  });

  it("T6: a filter takes words, types and states; what is hidden is counted by what is left", () => {
    const tasks = mapOf(
      taskOf("a", "succeeded", { prompt: "A lighthouse at Dusk" }),
      taskOf("b", "failed", { prompt: "a lighthouse at noon", type: "async-image" }),
      taskOf("c", "processing", { prompt: "a harbour" }),
    );
    const shown = (filter: Partial<TaskFilter>, hidesFinished = false): readonly string[] => {
      const groups = new TaskGroups(() => tasks, rulesOf("state", filter, hidesFinished));
      return groups.keys.flatMap((key) => groups.idsIn(key)).sort();
    };
    assert.deepEqual(shown({ text: " dusk lighthouse " }), ["a"]);
    assert.deepEqual(shown({ text: "model-x" }), ["a", "b", "c"]);
    assert.deepEqual(shown({ types: ["video"] }), ["a", "c"]);
    assert.deepEqual(shown({ states: ["running", "failed"] }), ["b", "c"]);
    assert.deepEqual(shown({ states: ["attention"] }), ["b"]);
    assert.deepEqual(shown({}, true), ["b", "c"]);
  });

  it("T6, R6: after any changes, task by task, the groups are those of sorting everything anew", () => {
    const states = ["processing", "succeeded", "failed", "cancelled"] as const;
    const change = fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      state: fc.option(fc.constantFrom(...states)),
      batch: fc.option(fc.constantFrom("x", "y")),
      at: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...groupings), fc.array(fc.array(change, { maxLength: 5 })), (grouping, rounds) => {
        const tasks = new Map<string, Task>();
        const groups = new TaskGroups(() => tasks, rulesOf(grouping, {}, true));
        for (const changes of rounds) {
          const ids = new Set<string>();
          for (const { id, state, batch, at } of changes) {
            const name = String(id);
            ids.add(name);
            const { intent } = tasks.get(name) ?? {
              intent: { createdAt: now - at * day, ...(batch === null ? {} : { batch }) },
            };
            if (state === null) tasks.delete(name);
            else tasks.set(name, taskOf(name, state, intent));
          }
          const before = contents(groups);
          const { isRestructured, groups: touched } = groups.apply(ids);
          const after = contents(groups);
          for (const key of Object.keys({ ...before, ...after })) {
            if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) {
              assert.ok(isRestructured || touched.has(key), key);
            }
          }
        }
        const anew = new TaskGroups(() => tasks, rulesOf(grouping, {}, true));
        const sorted = (one: TaskGroups): unknown => one.keys.map((key) => [key, [...one.idsIn(key)].sort()]);
        // A task that came back keeps its place of before, so only membership is compared.
        assert.deepEqual(new Map(sorted(groups) as []), new Map(sorted(anew) as []));
      }),
      { numRuns: runsOf(200) },
    );
  });

  it("F4, T6: among 20,000 tasks, a change of one costs less than a hundredth of sorting all again", () => {
    const count = 20_000;
    const random = seeded(7);
    const states = ["succeeded", "failed", "cancelled", "processing"] as const;
    const tasks = new Map<string, Task>();
    let batch: string | undefined;
    for (let index = 0; index < count; index += 1) {
      if (index % 4 === 0) batch = random(2) === 0 ? randomUUID() : undefined;
      const createdAt = now - (count - index) * 60_000;
      const state = index > count - 1000 ? (states[random(4)] ?? "processing") : "succeeded";
      tasks.set(String(index), taskOf(String(index), state, { createdAt, ...(batch ? { batch } : {}) }, createdAt));
    }
    for (const grouping of groupings) {
      const groups = new TaskGroups(() => tasks, rulesOf(grouping));
      const changeAll = (): void => groups.reset(rulesOf(grouping));
      const changes = 100;
      const changeSome = (): void => {
        for (let turn = 0; turn < changes; turn += 1) {
          const id = String(random(count));
          const { intent } = tasks.get(id) ?? {};
          tasks.set(id, taskOf(id, states[turn % 4] ?? "processing", intent));
          groups.apply(new Set([id]));
        }
      };
      changeSome();
      // The best of several: the machine may be busy in any.
      const shares = Array.from({ length: 4 }, () => timeOf(changeSome) / changes / timeOf(changeAll));
      assert.ok(Math.min(...shares) < 0.01, `${grouping}: ${shares.join(", ")}`);
    }
  });
});

function timeOf(work: () => void): number {
  const spent = startBusyTime();
  work();
  return spent();
}

describe("eachDay", () => {
  it("T6: what ended today is sorted anew after midnight, also when the machine slept over it", async () => {
    const clock = createMovedClock(now);
    const ended = new AbortController();
    let calls = 0;
    const running = eachDay(clock, ended.signal, () => (calls += 1));
    await clock.advance(11 * 3_600_000);
    assert.equal(calls, 0);
    await clock.advance(3_600_000);
    assert.equal(calls, 1);
    await clock.advance(2 * day);
    assert.equal(calls, 3);
    ended.abort();
    await running;
  });
});
