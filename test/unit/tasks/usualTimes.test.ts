/** How long a task usually takes, from those that have succeeded. */
import assert from "node:assert/strict";
import { Emitter } from "../../../src/base/event";
import type { Task } from "../../../src/domain/task/task";
import { isLongerThanUsual, UsualTimes } from "../../../src/tasks/usualTimes";
import { accepted, makeTask } from "../../support/builders";

const second = 1_000;
const taken = (ms: number, model = "model-x"): Task =>
  makeTask({ intent: { model }, submission: accepted({ state: "succeeded", createdAt: 1, completedAt: 1 + ms }) });

describe("usual times", () => {
  let tasks: Map<string, Task>;
  let changed: Emitter<ReadonlySet<string>>;
  let times: UsualTimes;
  const add = (task: Task, id = `t${tasks.size}`): void => {
    tasks.set(id, task);
    changed.fire(new Set([id]));
  };
  beforeEach(() => {
    tasks = new Map();
    changed = new Emitter();
    times = new UsualTimes({ all: tasks, onDidChange: changed.event });
  });
  afterEach(() => times.dispose());

  it("T12: two tasks are no habit, the third makes one", () => {
    add(taken(10 * second));
    add(taken(20 * second));
    assert.equal(times.usualTime("video", "model-x"), undefined);
    add(taken(30 * second));
    assert.deepEqual(times.usualTime("video", "model-x"), { p50: 20 * second, p90: 30 * second, samples: 3 });
    assert.equal(times.usualTime("video", "model-y"), undefined);
    assert.equal(times.usualTime("async-image", "model-x"), undefined);
  });

  it("T12: a task counts once, and only a success whose times can be true", () => {
    for (let turn = 0; turn < 5; turn += 1) add(taken(second), "same");
    add(taken(-second));
    add(taken(48 * 3_600 * second));
    add(makeTask({ submission: accepted({ state: "failed", createdAt: 1, completedAt: 2 }) }));
    add(makeTask({ submission: accepted({ state: "succeeded" }) }));
    assert.equal(times.usualTime("video", "model-x"), undefined);
  });

  it("T12: past the slowest tenth a running task takes longer than usual", () => {
    const usual = { p50: 20 * second, p90: 60 * second, samples: 9 };
    const running = makeTask({ submission: accepted({ state: "processing" }, { at: 0 }) });
    assert.equal(isLongerThanUsual(running, usual, 60 * second), false);
    assert.equal(isLongerThanUsual(running, usual, 61 * second), true);
    assert.equal(isLongerThanUsual(running, undefined, 61 * second), false);
    assert.equal(isLongerThanUsual(taken(second), usual, 61 * second), false);
  });

  it("T12, F4: of 100,000 finished tasks the newest count, and one more costs one step", () => {
    for (let index = 0; index < 100_000; index += 1) tasks.set(`t${index}`, taken((index + 1) * 10));
    const usual = times.usualTime("video", "model-x");
    assert.deepEqual(usual, { p50: 999_000, p90: 999_800, samples: 200 });
    const iterate = tasks[Symbol.iterator];
    tasks.keys = () => assert.fail("walked again");
    assert.ok(iterate);
    add(taken(second), "new");
    assert.equal(times.usualTime("video", "model-x")?.samples, 200);
  });
});
