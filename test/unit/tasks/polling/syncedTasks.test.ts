/** Running tasks that a person's other machines may watch (T14). */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import type { Task } from "../../../../src/domain/task/task";
import { SyncedTasks } from "../../../../src/tasks/polling/syncedTasks";
import { accepted, makeIntent, makeTask } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";

const home = { origin: "https://gateway.example", baseUrl: "https://gateway.example/v1", account: "a" };

/** Two machines on one memory, as Settings Sync keeps it for both. */
function createMachines() {
  let value: unknown;
  const machine = (name: string) => {
    const tasks = new Map<string, Task>();
    const changed = new Emitter<ReadonlySet<string>>();
    const clock = createMovedClock();
    const state = { on: true, synced: [] as boolean[], writes: 0 };
    const synced = new SyncedTasks({
      board: { listed: tasks, onDidChange: changed.event },
      clock,
      machine: name,
      memory: {
        read: () => value,
        write: (next) => {
          value = structuredClone(next);
          state.writes += 1;
        },
        setSynced: (isSynced) => state.synced.push(isSynced),
      },
      isOn: () => state.on,
    });
    const set = async (
      id: string,
      taskId: string,
      remote: Parameters<typeof accepted>[0],
      origin = home,
    ): Promise<void> => {
      const intent = makeIntent({ id, home: origin, prompt: `a pier in the rain, ${"very ".repeat(20)}long` });
      tasks.set(id, makeTask({ intent, submission: accepted(remote, { taskId }) }));
      changed.fire(new Set([id]));
      await clock.advance(5_000);
    };
    return { synced, set, state };
  };
  return {
    first: machine("one"),
    second: machine("two"),
    memory: () => value,
    spoil: (next: unknown) => (value = next),
  };
}

describe("tasks of other machines", () => {
  it("T14: a running task is named to the other machine by id, type, model and first words; its end takes it away", async () => {
    const { first, second, memory } = createMachines();
    await first.set("a", "task-a", { state: "processing" });
    const [found, ...more] = second.synced.fromElsewhere(home.origin);
    assert.equal(more.length, 0);
    assert.equal(found?.taskId, "task-a");
    assert.ok(found.words.startsWith("a pier in the rain") && found.words.length <= 45);
    assert.deepEqual(first.synced.fromElsewhere(home.origin), []);
    assert.doesNotMatch(JSON.stringify(memory()), /idempotency|account|hold|\bsk-/i);
    await second.set("b", "task-a", { state: "processing" });
    assert.deepEqual(second.synced.fromElsewhere(home.origin), [], "it has a row there");
    await first.set("a", "task-a", { state: "succeeded" });
    assert.doesNotMatch(JSON.stringify(memory()), /"one"/);
  });

  it("T14: off by the setting, nothing is written, shown or carried; tasks of this machine's own gateway never are", async () => {
    const { first, second, memory } = createMachines();
    const local = { ...home, origin: "http://127.0.0.1:9000" };
    await first.set("a", "task-a", { state: "processing" }, local);
    assert.equal(first.state.writes, 0);
    await first.set("b", "task-b", { state: "processing" });
    second.state.on = false;
    second.synced.update();
    assert.deepEqual(second.synced.fromElsewhere(home.origin), []);
    assert.deepEqual(second.state.synced, [true, false]);
    first.state.on = false;
    first.synced.update();
    assert.deepEqual(memory(), {});
  });

  it("T14: at most twenty tasks are carried, and a spoiled list counts as none", async () => {
    const { first, second, spoil } = createMachines();
    for (let index = 0; index < 25; index += 1) await first.set(`id-${index}`, `task-${index}`, { state: "queued" });
    assert.equal(second.synced.fromElsewhere(home.origin).length, 20);
    spoil({ one: [{ taskId: 1 }] });
    assert.deepEqual(second.synced.fromElsewhere(home.origin), []);
  });

  it("T14, R4: of what another machine wrote, each part that does not fit is left out by itself", async () => {
    const { first, second, memory, spoil } = createMachines();
    const good = {
      taskId: "task-x",
      origin: home.origin,
      type: "video",
      model: "m",
      words: "a pier",
      createdAt: 5,
    };
    const ids = ["../../admin", "..", "", "a?b", "a b", "x".repeat(201)];
    spoil({
      two: [
        null,
        7,
        good,
        ...ids.map((taskId) => ({ ...good, taskId })),
        { ...good, taskId: "late", createdAt: 1e300 },
      ],
      three: { length: 1e9 },
      ["n".repeat(101)]: [good],
    });
    const found = first.synced.fromElsewhere(home.origin);
    assert.deepEqual(
      found.map(({ taskId }) => taskId),
      ["late", "task-x"],
    );
    for (const { createdAt } of found) assert.ok(!Number.isNaN(new Date(createdAt).getTime()));
    await first.set("a", "task-a", { state: "processing" });
    assert.deepEqual(Object.keys(memory() as object).sort(), ["one", "two"]);
    assert.equal(second.synced.fromElsewhere(home.origin)[0]?.taskId, "task-a");
  });

  it("T14: an id that is too long for the list does not take the other tasks off it", async () => {
    const { first, second } = createMachines();
    await first.set("a", "task-a", { state: "processing" });
    await first.set("b", "x".repeat(300), { state: "processing" });
    assert.deepEqual(
      second.synced.fromElsewhere(home.origin).map(({ taskId }) => taskId),
      ["task-a"],
    );
  });

  it("T14: the list stays small with many machines, and a part that another machine's write took away comes back", async () => {
    const { first, second, memory, spoil } = createMachines();
    const old = { taskId: "t", origin: home.origin, type: "video", model: "m", words: "w", createdAt: 1 };
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, [old]]));
    spoil(many);
    await first.set("a", "task-a", { state: "processing" });
    assert.equal(Object.keys(memory() as object).length, 10);
    spoil({});
    await first.set("a", "task-a", { state: "queued" });
    assert.equal(second.synced.fromElsewhere(home.origin).length, 1);
  });

  it("T14: a task of the gateway that ships inside stops nothing", async () => {
    const { first, second } = createMachines();
    await first.set("a", "task-a", { state: "processing" }, { ...home, origin: "local" });
    await first.set("b", "task-b", { state: "processing" });
    assert.equal(second.synced.fromElsewhere(home.origin).length, 1);
  });
});
