/** Tasks in the database: what is written is read again whole, steps of several windows, pages, changes. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { describeError } from "../../../../src/domain/words/describeError";
import type { Task } from "../../../../src/domain/task/task";
import type { TaskRecord } from "../../../../src/domain/task/taskRecord";
import { taskSchema } from "../../../../src/domain/task/taskSchema";
import { ageRows, taskMigrations } from "../../../../src/tasks/store/taskRows";
import type { TaskStore } from "../../../../src/tasks/store/taskStore";
import { accepted, makeCreated, makeIntent, makeRemote, savedAt, savedFacts } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openStoreAt } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const intended = (number: number): TaskRecord => ({ type: "task-intended", intent: makeIntent({ id: idOf(number) }) });
const acceptedRecord = (number: number, state: "created" | "succeeded" = "created"): TaskRecord => ({
  type: "task-accepted",
  id: idOf(number),
  at: 1,
  created: makeCreated({ remote: makeRemote({ state }) }),
});
const error = { kind: "rejected", message: "no", status: 400 } as const;

describe("the task store", () => {
  let folder: TemporaryFolder;
  let path: string;
  let opened: TaskStore[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "tasks.db");
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    await folder.remove();
  });

  const open = async (): Promise<TaskStore> => {
    const store = await openStoreAt(path)();
    opened.push(store);
    return store;
  };
  const apply = (store: TaskStore, ...records: TaskRecord[]) => store.apply(records.map((record) => ({ record })));
  const numbers = (tasks: readonly { readonly task: Task }[]): number[] =>
    tasks.map(({ task }) => Number(task.intent.id.slice(-12)));

  it("T5: the steps of the lease write nothing to the file of the tasks, so that no other window reads it again", async () => {
    const polling = await open();
    const other = await open();
    await apply(polling, intended(1));
    const before = await readFile(path);
    const step = { note: "{}", isWatched: false, asksRefresh: false };
    assert.equal((await polling.stepPollLease(step)).isOurs, true);
    assert.equal((await other.stepPollLease({ ...step, isWatched: true, asksRefresh: true })).isOurs, false);
    assert.deepEqual(await polling.stepPollLease(step), { isOurs: true, note: "{}", watched: 1, refreshes: 1 });
    assert.ok(before.equals(await readFile(path)));
  });

  it("T5: a file of the lease that can't be read is replaced, and the tasks are not touched", async () => {
    await writeFile(join(folder.path, "polling.db"), "no database");
    const store = await open();
    await apply(store, intended(1));
    const step = { note: "{}", isWatched: false, asksRefresh: false };
    assert.equal((await store.stepPollLease(step)).isOurs, true);
    assert.equal((await store.snapshot(10)).tasks.length, 1);
  });

  it("T4: a pause that was stored before the clock was set back by a day is none, and does not keep out a new one", async () => {
    const clock = createMovedClock();
    const store = await openStoreAt(path, undefined, clock)();
    opened.push(store);
    const pauseOf = (account: string, length: number) => ({ account, until: clock.now() + length, length });
    await store.keepPause(pauseOf("a", 60_000));
    await store.keepPause(pauseOf("b", 60_000));
    assert.equal((await store.pauses()).length, 2);
    clock.setWall(-24 * 3_600_000);
    assert.deepEqual(await store.pauses(), []);
    const next = pauseOf("a", 5000);
    await store.keepPause(next);
    assert.deepEqual(await store.pauses(), [next]);
    clock.setWall(24 * 3_600_000);
    assert.deepEqual(await store.pauses(), [next]);
  });

  it("T2: a body of megabytes is kept apart from the row: neither the task nor its next writes carry it", async () => {
    const store = await open();
    const body = JSON.stringify({ input_assets_json: { image: "x".repeat(4_000_000) } });
    const intent = makeIntent({ id: idOf(1), body });
    const [written] = await apply(store, { type: "task-intended", intent });
    assert.equal(written?.stored?.task.intent.body, undefined);
    await apply(store, acceptedRecord(1));
    const { tasks } = await (await open()).snapshot(10);
    assert.ok(JSON.stringify(tasks).length < 2000);
    assert.equal(await store.readBody(idOf(1)), body);
    assert.equal(await store.readBody(idOf(2)), undefined);
  });

  it("T1: every field of a task is read again as it was written", async () => {
    const whole = accepted(
      {
        state: "succeeded",
        rawStatus: "4",
        model: "m",
        assets: { kind: "assets", imageUrl: "i", videoUrl: "v", thumbnailUrl: "t", seed: 7 },
        createdAt: 1,
        completedAt: 2,
        errorCode: "c",
        errorMessage: "e",
      },
      {
        holdId: "h",
        requestId: "r",
        stale: { since: 3, error },
        cancel: { state: "refused", reason: "r", at: 4, error },
        events: [{ id: "1", type: "x", state: "created", rawStatus: "1", message: "m", createdAt: 5 }],
        saved: { ...savedAt("/x"), at: 2 },
      },
    );
    const task: Task = { intent: makeIntent({ batch: "b" }), submission: whole };
    assert.deepEqual(taskSchema.parse(JSON.parse(JSON.stringify(task))), task);
    const store = await open();
    const records: TaskRecord[] = [
      { type: "task-intended", intent: task.intent },
      { type: "task-accepted", id: task.intent.id, at: 1, created: makeCreated() },
      { type: "task-saved", id: task.intent.id, at: 2, path: "/x", saved: savedFacts },
    ];
    const [, , last] = await apply(store, ...records);
    const [read] = (await (await open()).snapshot(10)).tasks;
    assert.deepEqual(read, last?.stored);
    assert.equal(read?.task.submission.state === "accepted" && read.task.submission.saved?.path, "/x");
  });

  it("T1, T5: a step is taken from the revision that it was decided on, or not at all", async () => {
    const [one, other] = [await open(), await open()];
    const [first] = await apply(one, intended(1));
    assert.equal(first?.stored?.revision, 1);
    const step = { record: { type: "task-sending", id: idOf(1), at: 1 }, revision: 1 } as const;
    assert.deepEqual(
      (await other.apply([step])).map(({ isConflict, stored }) => [isConflict, stored?.revision]),
      [[false, 2]],
    );
    const [late] = await one.apply([step]);
    assert.equal(late?.isConflict, true);
    assert.equal(late.stored?.task.submission.state, "sending", "what the other window wrote comes with the conflict");
  });

  it("T1: all records of a call are written, or none", async () => {
    const store = await open();
    await assert.rejects(
      apply(store, intended(1), { type: "task-intended", intent: makeIntent({ id: "no such id" }) }),
      (failure) => failure instanceof AppFailure && failure.error.kind === "storage",
    );
    assert.equal((await store.snapshot(10)).tasks.length, 0);
  });

  it("T5: what is new since a change is asked for by its number, removed tasks too, and a read of nothing new is none", async () => {
    const store = await open();
    await apply(store, intended(1), intended(2), acceptedRecord(1));
    const { change } = await store.snapshot(10);
    const read = { type: "task-read", id: idOf(1), at: 9, remote: makeRemote() } as const;
    await apply(store, read);
    assert.equal((await store.changesSince(change)).tasks.length, 0);
    await apply(store, { type: "task-removed", id: idOf(2), at: 1 }, intended(3));
    const news = await store.changesSince(change);
    assert.deepEqual(numbers(news.tasks), [2, 3]);
    assert.deepEqual(
      news.tasks.map(({ isRemoved }) => isRemoved),
      [true, false],
    );
    assert.equal(news.isComplete, true);
    assert.equal((await store.changesSince(news.change)).tasks.length, 0);
  });

  it("F4: the snapshot has what runs, is open or was not accepted, and the newest; pages have the rest", async () => {
    const store = await open();
    for (let number = 1; number <= 30; number += 1)
      await apply(store, intended(number), acceptedRecord(number, number === 3 ? "created" : "succeeded"));
    await apply(store, intended(31), { type: "task-not-accepted", id: idOf(31), at: 1, error });
    for (let number = 32; number <= 36; number += 1)
      await apply(store, intended(number), acceptedRecord(number, "succeeded"));
    await apply(store, { type: "task-removed", id: idOf(34), at: 1 });
    const { tasks } = await store.snapshot(3);
    assert.deepEqual(numbers(tasks), [3, 31, 33, 35, 36]);
    const page = await store.page(31, 4);
    assert.deepEqual([numbers(page.tasks), page.next], [[32, 33, 34, 35], 35], "also what was taken off the list");
    const last = await store.page(34, 10);
    assert.deepEqual([numbers(last.tasks), last.next], [[35, 36], undefined]);
    assert.equal((await store.snapshot(3)).total, 36);
  });

  it("F6: the tasks of a page share the object of their home", async () => {
    const store = await open();
    for (let number = 1; number <= 3; number += 1) await apply(store, intended(number));
    const { tasks } = await store.page(0, 3);
    assert.equal(new Set(tasks.map(({ task }) => task.intent.home)).size, 1);
  });

  it("T10, T8 (finding M11): what was taken off the list is read and saved on, and stays off it", async () => {
    const store = await open();
    await apply(store, intended(1), acceptedRecord(1, "succeeded"), { type: "task-removed", id: idOf(1), at: 1 });
    const saved = { mimeType: "image/png", size: 1 };
    const [stored] = (await apply(store, { type: "task-saved", id: idOf(1), at: 2, path: "/a.png", saved })).slice(-1);
    assert.equal(stored?.stored?.isRemoved, true);
    const submission = stored.stored.task.submission;
    assert.equal(submission.state === "accepted" && submission.saved?.path, "/a.png");
    const [same] = await apply(store, intended(1));
    assert.equal(same?.stored?.isRemoved, true, "its intent does not put it back");
  });

  it("T1 (finding M18): fields of a later version stay in the row, where this version writes what it knows", async () => {
    const store = await open();
    await apply(store, intended(1), acceptedRecord(1));
    const database = await Database.open({ path, migrations: taskMigrations, clock: systemClock });
    const stateOf = async (): Promise<Record<string, unknown>> => {
      const text = await database.read((c) => c.value("SELECT state FROM task"));
      return JSON.parse(String(text)) as Record<string, unknown>;
    };
    const { intent, submission } = (await stateOf()) as { intent: object; submission: { remote: object } };
    const later = {
      later: 1,
      intent: { ...intent, tone: 2 },
      submission: { ...submission, eta: 3, remote: { ...submission.remote, progress: 4 } },
    };
    await database.write((c) => c.run("UPDATE task SET state = :state", { state: JSON.stringify(later) }));
    const read = makeRemote({ state: "processing", rawStatus: "3" });
    await apply(store, { type: "task-events", id: idOf(1), at: 2, events: [] });
    const kept = (await stateOf()) as typeof later;
    assert.deepEqual(
      [kept.later, kept.intent.tone, kept.submission.eta, kept.submission.remote.progress],
      [1, 2, 3, 4],
    );
    await apply(store, { type: "task-read", id: idOf(1), at: 3, remote: read });
    const after = (await stateOf()) as typeof later;
    assert.deepEqual([after.later, after.intent.tone, after.submission.eta], [1, 2, 3]);
    assert.deepEqual(after.submission.remote, read, "what was read anew has no part of what was read before");
    await database.close();
  });

  it("T1 (finding M5): in a copy of the file what is not accepted may have been sent since", async () => {
    const store = await open();
    await apply(store, intended(1), intended(2), { type: "task-not-accepted", id: idOf(2), at: 1, error });
    await apply(store, intended(3), acceptedRecord(3));
    await apply(store, intended(4), { type: "task-not-accepted", id: idOf(4), at: 1, error });
    await apply(store, { type: "task-removed", id: idOf(4), at: 1 });
    const day = Date.UTC(2026, 10, 23);
    const copy = await Database.open({ path, migrations: taskMigrations, clock: systemClock });
    await copy.write((connection) => ageRows(connection, day));
    await copy.close();
    const { tasks } = await (await open()).page(0, 9);
    const states = tasks.map(({ task: { submission } }) => submission.state);
    assert.deepEqual(states, ["outcome-unknown", "outcome-unknown", "accepted", "not-accepted"]);
    const { submission } = tasks[1]!.task;
    assert.ok(submission.state === "outcome-unknown");
    const { title, meaning, action } = describeError(submission.error, "submit");
    assert.equal(title, "This row is from the backup of 2026-11-23: what was done since is not known.");
    assert.match(meaning, /^The task may exist\. Nothing is paid twice/);
    assert.deepEqual([submission.at, action.id], [day, "reconcile"]);
  });

  it("T1: a row that this version can't read is counted, stays and is not overwritten", async () => {
    await apply(await open(), intended(1), intended(2));
    const database = await Database.open({ path, migrations: taskMigrations, clock: systemClock });
    await database.write((c) => c.run("UPDATE task SET state = '{}' WHERE id = :id", { id: idOf(1) }));
    const store = await open();
    const { tasks, unreadable } = await store.snapshot(10);
    assert.deepEqual([numbers(tasks), unreadable], [[2], [1]]);
    await apply(store, intended(1), acceptedRecord(1));
    assert.equal(
      await database.read((c) => c.get("SELECT state FROM task WHERE id = :id", { id: idOf(1) })?.["state"]),
      "{}",
    );
    await database.close();
  });
});
