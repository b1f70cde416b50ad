/** What is known about the task types of an account: learnt from outcomes, set by hand, asked about once. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import type { Task } from "../../../../src/domain/task/task";
import { type AvailabilityMemory, TaskTypeAvailability } from "../../../../src/tasks/submit/availability";
import { accepted, home, makeTask } from "../../../support/builders";

const { origin } = home;

describe("availability of task types", () => {
  let changed: Emitter<ReadonlySet<string>>;
  let tasks: Map<string, Task>;
  let memory: Map<string, unknown>;
  let now: number;
  const open = (): TaskTypeAvailability =>
    new TaskTypeAvailability({
      board: { all: tasks, onDidChange: changed.event },
      memory: {
        read: (of) => memory.get(of),
        write: (of, value: AvailabilityMemory) => void memory.set(of, JSON.parse(JSON.stringify(value))),
      },
      now: () => now,
    });
  const outcome = (submission: Task["submission"]): void => {
    const task = makeTask({ submission });
    tasks.set(task.intent.id, task);
    changed.fire(new Set([task.intent.id]));
  };
  const refused = (at: number): Task["submission"] => ({
    state: "not-accepted",
    at,
    error: { kind: "not-enabled", status: 403, code: "task_type_not_enabled", message: "not for you" },
  });
  beforeEach(() => {
    changed = new Emitter();
    tasks = new Map();
    memory = new Map();
    now = 100;
  });

  it("T3: an accept is proof, a refusal for the type is its contrary, and the later one counts, also after a restart", () => {
    const first = open();
    assert.deepEqual(first.of(origin, "video"), { state: "unknown" });
    outcome(accepted({}, { at: 5 }));
    assert.deepEqual(first.of(origin, "video"), { state: "enabled", at: 5 });
    assert.deepEqual(first.of(origin, "async-image"), { state: "unknown" });
    assert.deepEqual(first.of("https://other.example", "video"), { state: "unknown" });
    outcome(refused(9));
    assert.deepEqual(first.of(origin, "video"), { state: "not-enabled", at: 9, message: "not for you" });
    outcome(accepted({}, { at: 7 }));
    tasks.clear();
    first.dispose();
    assert.equal(open().of(origin, "video").state, "not-enabled");
  });

  it("T3: other refusals and lost answers prove nothing", () => {
    const types = open();
    outcome({ state: "not-accepted", at: 5, error: { kind: "insufficient-balance", message: "too low" } });
    outcome({ state: "outcome-unknown", at: 6, error: { kind: "timed-out", message: "no answer" } });
    assert.equal(types.of(origin, "video").state, "unknown");
  });

  it("T3: what a person sets counts until a later outcome", () => {
    const types = open();
    types.setByHand(origin, "video", false);
    assert.deepEqual(types.of(origin, "video"), { state: "not-enabled", at: 100, message: "", isSetByHand: true });
    outcome(accepted({}, { at: 50 }));
    assert.equal(types.of(origin, "video").state, "not-enabled");
    outcome(accepted({}, { at: 150 }));
    assert.deepEqual(types.of(origin, "video"), { state: "enabled", at: 150 });
  });

  it("T3: damaged memory counts as none", () => {
    memory.set(origin, { known: 7 });
    assert.equal(open().of(origin, "video").state, "unknown");
  });

  it("T3: what was set by hand can be taken back to not known; other types keep what is known", () => {
    const known = open();
    known.setByHand(origin, "video", true);
    known.setByHand(origin, "async-image", false);
    known.setByHand(origin, "video", undefined);
    assert.deepEqual(known.of(origin, "video"), { state: "unknown" });
    assert.equal(known.of(origin, "async-image").state, "not-enabled");
  });
});
