/** The events of a task as gateways list them: with ids and without, in pages and all at once. */
import assert from "node:assert/strict";
import type { Connections, Gateway, ListedEvent } from "../../../../src/domain/ports";
import type { TaskRecord } from "../../../../src/domain/task/taskRecord";
import { loadEvents } from "../../../../src/tasks/polling/events";
import { accepted, keptLog, makeTask, until } from "../../../support/builders";

type Listing = (page: { readonly limit: number; readonly offset: number }) => readonly ListedEvent[];

const event = (type: string, change: Partial<ListedEvent> = {}): ListedEvent => ({
  type,
  state: "processing",
  rawStatus: "3",
  message: "",
  ...change,
});

async function read(listing: Listing): Promise<{ readonly types: string[]; readonly ids: Set<string> }> {
  const task = makeTask({ submission: accepted({ state: "processing" }) });
  const records: TaskRecord[] = [];
  const gateway = { listTaskEvents: (_: string, page) => Promise.resolve(listing(page)) } as Partial<Gateway>;
  const board = {
    all: new Map([[task.intent.id, task]]),
    applyThenWrite: (record: TaskRecord) => Promise.resolve(void records.push(record)),
  };
  const options = {
    board,
    connections: { find: () => Promise.resolve(gateway) } as unknown as Connections,
    log: keptLog(),
  };
  const clock = { now: () => 1, delay: () => Promise.resolve() };
  await loadEvents({ ...options, clock } as unknown as Parameters<typeof loadEvents>[0], task.intent.id);
  const [written] = records;
  assert.ok(written?.type === "task-events");
  return { types: written.events.map(({ type }) => type), ids: new Set(written.events.map(({ id }) => id)) };
}

const inPages =
  (events: readonly ListedEvent[]): Listing =>
  ({ limit, offset }) =>
    events.slice(offset, offset + limit);

describe("the events of a task", () => {
  const unnamed = [event("created"), ...Array.from({ length: 128 }, () => event("progress")), event("succeeded")];

  it("T7 (finding M19): events without ids are all read, also where many are equal", async () => {
    const { types, ids } = await read(inPages(unnamed));
    assert.equal(types.length, 130);
    assert.deepEqual([types[0], types.at(-1)], ["created", "succeeded"]);
    assert.equal(ids.size, 130, "rows need ids that differ");
  });

  it("T7 (finding M19): a gateway without pages gives the whole list again, perhaps longer: nothing is there twice", async () => {
    let asked = 0;
    const growing: Listing = () => unnamed.slice(0, 60 + asked++);
    const { types } = await read(growing);
    assert.equal(asked, 2);
    assert.equal(types.length, 61);
  });

  it("T7 (finding M19): an event without a time stays behind the one that was listed before it", async () => {
    const { types } = await read(
      inPages([
        event("third", { createdAt: 30 }),
        event("fourth"),
        event("first", { createdAt: 10 }),
        event("second"),
        event("fifth", { createdAt: 50 }),
      ]),
    );
    assert.deepEqual(types, ["first", "second", "third", "fourth", "fifth"]);
  });

  it("T7: a list that was asked for before another one was read does not replace it", async () => {
    const all = unnamed.slice(-2);
    let task = makeTask({ submission: accepted({ state: "processing" }) });
    const { id } = task.intent;
    const written: number[] = [];
    const board = {
      all: { get: () => task },
      applyThenWrite: (record: TaskRecord) => {
        assert.ok(record.type === "task-events");
        written.push(record.events.length);
        task = { ...task, submission: accepted({ state: "processing" }, { events: record.events }) };
        return Promise.resolve();
      },
    };
    const answers: ((events: readonly ListedEvent[]) => void)[] = [];
    const gateway: Partial<Gateway> = {
      listTaskEvents: (_, { offset }) =>
        offset > 0 ? Promise.resolve([]) : new Promise((resolve) => void answers.push(resolve)),
    };
    const options = {
      board,
      connections: { find: () => Promise.resolve(gateway) },
      log: keptLog(),
      clock: { now: () => 1 },
    };
    const load = (): Promise<void> => loadEvents(options as unknown as Parameters<typeof loadEvents>[0], id);
    const early = load();
    const late = load();
    await until(() => answers.length === 2);
    answers[1]?.(all);
    await late;
    answers[0]?.(all.slice(0, 1));
    await until(() => answers.length === 3);
    answers[2]?.(all);
    await early;
    assert.deepEqual(written, [2, 2]);
  });

  it("T7, Q-K13: an event with an id is there once, in whichever pages it comes", async () => {
    const named = Array.from({ length: 70 }, (_, index) => event("progress", { id: `e${index}`, createdAt: index }));
    // One more was written between the two reads, so the second page begins with what the first one ended with.
    const { ids } = await read(({ limit, offset }) =>
      named.slice(Math.max(0, offset - 1), Math.max(0, offset - 1) + limit),
    );
    assert.equal(ids.size, 70);
  });
});
