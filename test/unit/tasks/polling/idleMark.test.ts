/** The mark by which a window that opens sees that no task is unfinished. */
import assert from "node:assert/strict";
import { appendFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Emitter } from "../../../../src/base/event";
import { Store } from "../../../../src/base/store";
import type { Task } from "../../../../src/domain/task/task";
import type { UnwrittenRecords } from "../../../../src/tasks/board/unwrittenRecords";
import { keepIdleMark } from "../../../../src/tasks/polling/keepIdleMark";
import { isIdle } from "../../../../src/tasks/polling/idleMark";
import { makeIntent, makeRemote, until } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("settled mark", () => {
  let folder: TemporaryFolder;
  let taskFile: string;
  let clock: MovedClock;
  let tasks: Map<string, Task>;
  let unwritten: Store<UnwrittenRecords | undefined>;
  let changed: Emitter<ReadonlySet<string>>;
  /** What another window does while this one reads the file. */
  let onLearn: () => Promise<void>;
  let ended: AbortController;
  let keeping: Promise<void>;

  /** Writes the task file as of so many milliseconds ago. */
  const write = async (text: string, ago: number): Promise<void> => {
    await appendFile(taskFile, text);
    const time = (clock.now() - ago) / 1000;
    await utimes(taskFile, time, time);
  };
  const taskWith = (submission: Task["submission"]): void => {
    const intent = makeIntent();
    tasks.set(intent.id, { intent, submission });
  };
  const keep = (): void => {
    const board = { listed: tasks, all: tasks, onDidChange: changed.event, loaded: () => onLearn(), unwritten };
    keeping = keepIdleMark({ board, clock, taskFile, hasWork: () => false }, ended.signal);
  };
  const looked = async (): Promise<void> => {
    let count = 0;
    const before = onLearn;
    onLearn = async () => {
      await before();
      count += 1;
    };
    await clock.advance(2000);
    await until(() => count > 0);
    // The loop waits again: for a change, or for the file to be quiet.
    await until(() => clock.waiting > 0);
  };

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    taskFile = join(folder.path, "tasks");
    clock = createMovedClock();
    tasks = new Map();
    unwritten = new Store<UnwrittenRecords | undefined>(undefined);
    changed = new Emitter();
    onLearn = () => Promise.resolve();
    ended = new AbortController();
    keeping = Promise.resolve();
  });
  afterEach(async () => {
    ended.abort();
    await keeping;
    await folder.remove();
  });

  it("F5: without a task file there is nothing to go on with", () => {
    assert.equal(isIdle(taskFile), true);
  });

  it("F5: a task file without a mark, or with one that can't be read, is looked at", async () => {
    await write("a task", 10_000);
    assert.equal(isIdle(taskFile), false);
    await writeFile(`${taskFile}.settled`, "");
    assert.equal(isIdle(taskFile), false);
  });

  it("F5: once every task has ended the file is marked, and any later write makes the mark void", async () => {
    await write("a task", 10_000);
    taskWith({ state: "accepted", taskId: "t", checkedAt: 0, remote: makeRemote({ state: "succeeded" }) } as never);
    keep();
    await looked();
    assert.equal(isIdle(taskFile), true);
    await write("another", 0);
    assert.equal(isIdle(taskFile), false);
  });

  it("F5, T4 (finding 12): a task that is to be read once more after its end keeps the file unmarked", async () => {
    await write("a task", 10_000);
    const remote = makeRemote({ state: "failed" });
    taskWith({ state: "accepted", taskId: "t", checkedAt: clock.now() - 30_000, remote } as never);
    keep();
    await looked();
    assert.equal(isIdle(taskFile), false);
  });

  for (const [what, submission] of [
    ["runs", { state: "accepted", taskId: "t", acceptedAt: 0, remote: makeRemote({ state: "processing" }) }],
    ["is being sent", { state: "sending" }],
    ["has an unknown outcome", { state: "outcome-unknown" }],
  ] as const) {
    it(`F5, T1: a task that ${what} keeps the file unmarked`, async () => {
      await write("a task", 10_000);
      taskWith(submission as never);
      keep();
      await looked();
      assert.equal(isIdle(taskFile), false);
    });
  }

  it("F5, T1: what the disk has not taken yet keeps the file unmarked", async () => {
    await write("a task", 10_000);
    unwritten.set({ accepted: 1, error: { kind: "storage", message: "full" } as never });
    keep();
    await looked();
    assert.equal(isIdle(taskFile), false);
  });

  it("F5, T1: what another window writes while this one reads makes the mark void", async () => {
    await write("a task", 10_000);
    onLearn = () => write("of another window", 0);
    keep();
    await looked();
    assert.equal(isIdle(taskFile), false);
  });

  it("F5: a file that was just written is marked when it has been quiet for two seconds", async () => {
    await write("a task", -1500);
    keep();
    await clock.advance(2000);
    await until(() => clock.waiting > 0);
    assert.equal(isIdle(taskFile), false);
    await looked();
    assert.equal(isIdle(taskFile), true);
  });
});
