/** Notifications of ended batches (T11): once for a batch, in one window of several on the same tasks, and not for what is seen or long ago. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Emitter } from "../../../../src/base/event";
import type { Attention } from "../../../../src/domain/ports";
import type { RemoteTask } from "../../../../src/domain/task/task";
import { Announcements, describeEnds, type NotificationLevel } from "../../../../src/tasks/view/endAnnouncements";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { accepted, keptLog, makeCreated, makeIntent, makeRemote, makeTask, until } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

interface TestWindow {
  readonly board: TaskBoard;
  readonly said: string[];
  readonly first: string[];
  level: NotificationLevel;
  isVisible: boolean;
  setFocus(focused: boolean): void;
}

describe("notifications of ended tasks", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let closing: (() => Promise<void>)[];
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing) await close();
    await folder.remove();
  });

  const openWindow = async ({ focused = false } = {}): Promise<TestWindow> => {
    const board = await openBoard(join(folder.path, "tasks.db"), { clock });
    const changed = new Emitter<boolean>();
    const attention = { focused, onDidChange: changed.event } satisfies Attention;
    const window: TestWindow = {
      board,
      said: [],
      first: [],
      level: "all",
      isVisible: false,
      setFocus(value) {
        attention.focused = value;
        changed.fire(value);
      },
    };
    const announcements = new Announcements({
      board,
      attention,
      clock,
      log: keptLog(),
      level: () => window.level,
      isViewVisible: () => window.isVisible,
      notify(message, id) {
        window.said.push(message);
        window.first.push(id);
      },
    });
    closing.push(async () => {
      announcements.dispose();
      await board.close();
    });
    return window;
  };

  /** A batch that runs; resolves with the ids. */
  const begin = async (board: TaskBoard, count: number): Promise<readonly string[]> => {
    const batch = randomUUID();
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const id of ids) {
      await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id, createdAt: clock.now(), batch }) });
      await board.writeThenApply({ type: "task-sending", id, at: clock.now() });
      await board.writeThenApply({ type: "task-accepted", id, at: clock.now(), created: makeCreated({ taskId: id }) });
    }
    return ids;
  };
  const end = (board: TaskBoard, id: string | undefined, remote: Partial<RemoteTask>): Promise<void> =>
    board.applyThenWrite({
      type: "task-read",
      id: id ?? "",
      at: clock.now(),
      remote: makeRemote({ completedAt: clock.now(), ...remote }),
    });
  /** The windows' own loops on the database run in real time. */
  const quiet = async (...windows: readonly TestWindow[]): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      await clock.advance(2000);
      for (const { board } of windows) await board.readOtherWindows();
    }
  };

  it("T11: a batch is one notification, when its last task has ended", async () => {
    const one = await openWindow({ focused: true });
    const [a, b, c] = await begin(one.board, 3);
    await end(one.board, a, { state: "succeeded" });
    await end(one.board, b, { state: "failed" });
    await quiet(one);
    assert.deepEqual(one.said, []);
    await end(one.board, c, { state: "succeeded" });
    await quiet(one);
    assert.deepEqual(one.said, ["3 tasks finished: 2 succeeded, 1 failed."]);
    assert.deepEqual(one.first, [b], "the failed one is shown first");
  });

  it("T11: what ends at about the same time is one notification", async () => {
    const one = await openWindow({ focused: true });
    const [a] = await begin(one.board, 1);
    const [b] = await begin(one.board, 1);
    await end(one.board, a, { state: "succeeded" });
    await clock.advance(500);
    await end(one.board, b, { state: "succeeded" });
    await quiet(one);
    assert.deepEqual(one.said, ["2 tasks finished: 2 succeeded."]);
  });

  it("T11: an end that the view has shown is not notified where the view is hidden right after it", async () => {
    const one = await openWindow({ focused: true });
    const [id] = await begin(one.board, 1);
    one.isVisible = true;
    await end(one.board, id, { state: "succeeded" });
    one.isVisible = false;
    await quiet(one);
    assert.deepEqual(one.said, []);
  });

  it("T11: of three windows only the one that had the focus last notifies", async () => {
    const first = await openWindow();
    const second = await openWindow();
    const third = await openWindow();
    const [id] = await begin(first.board, 1);
    for (const { board } of [second, third]) {
      await board.readOtherWindows();
      assert.ok(board.listed.has(id ?? ""));
    }
    await clock.advance(60_000);
    second.setFocus(true);
    second.setFocus(false);
    await end(first.board, id, { state: "succeeded" });
    for (const { board } of [second, third]) await board.readOtherWindows();
    await quiet(first, second, third);
    assert.deepEqual([first.said, second.said, third.said], [[], ["Succeeded: a lighthouse at dusk"], []]);
  });

  it("T11: the focused window keeps the others quiet, even where its own view shows the tasks", async () => {
    const focused = await openWindow({ focused: true });
    const other = await openWindow();
    focused.isVisible = true;
    const [id] = await begin(focused.board, 1);
    await other.board.readOtherWindows();
    await end(focused.board, id, { state: "failed" });
    await other.board.readOtherWindows();
    await quiet(focused, other);
    assert.deepEqual([focused.said, other.said], [[], []]);
  });

  it("T11: of two windows that claim at the same moment one notifies", async () => {
    const windows = [await openWindow({ focused: true }), await openWindow({ focused: true })] as const;
    const [first, second] = windows;
    // Both have read the batch before either writes its claim.
    let arrived = 0;
    const both = Promise.withResolvers<undefined>();
    for (const { board } of windows) {
      const record = board.writeThenApply.bind(board);
      board.writeThenApply = async (...args) => {
        if (args[0].type !== "task-announced") return record(...args);
        if ((arrived += 1) === windows.length) both.resolve(undefined);
        await both.promise;
        return record(...args);
      };
    }
    const [id] = await begin(first.board, 1);
    await second.board.readOtherWindows();
    await end(first.board, id, { state: "succeeded" });
    await second.board.readOtherWindows();
    await clock.advance(2000);
    await both.promise;
    await quiet(...windows);
    assert.deepEqual(
      windows.flatMap(({ said }) => said),
      ["Succeeded: a lighthouse at dusk"],
    );
  });

  it("T11: nothing is said of what ended long ago, of what the person has cancelled, and below the level that was set", async () => {
    const one = await openWindow({ focused: true });
    const [old] = await begin(one.board, 1);
    await end(one.board, old, { state: "succeeded", completedAt: clock.now() - 3_600_000 });
    const [cancelled] = await begin(one.board, 1);
    const cancel = { state: "requested", reason: "", at: clock.now() } as const;
    await one.board.writeThenApply({ type: "task-cancel", id: cancelled ?? "", cancel });
    await end(one.board, cancelled, { state: "cancelled" });
    one.level = "attention";
    const [good] = await begin(one.board, 1);
    await end(one.board, good, { state: "succeeded" });
    one.level = "none";
    const [muted] = await begin(one.board, 1);
    await end(one.board, muted, { state: "failed" });
    await quiet(one);
    assert.deepEqual(one.said, []);
    one.level = "attention";
    const [bad] = await begin(one.board, 1);
    await end(one.board, bad, { state: "failed" });
    await quiet(one);
    assert.deepEqual(one.said, ["Failed: a lighthouse at dusk"]);
  });

  it("T11: of two batches that end together one is told when the other can't be claimed", async () => {
    const one = await openWindow({ focused: true });
    const [first, second] = [...(await begin(one.board, 1)), ...(await begin(one.board, 1))];
    const write = one.board.writeThenApply.bind(one.board);
    one.board.writeThenApply = (record, options) =>
      record.type === "task-announced" && record.id === second
        ? Promise.reject(new Error("the file is busy"))
        : write(record, options);
    await end(one.board, first, { state: "failed" });
    await end(one.board, second, { state: "failed" });
    await quiet(one);
    assert.equal(one.said.length, 1);
    assert.deepEqual(one.first, [first]);
  });

  it("T11: after a reload nothing is said of tasks that had ended before", async () => {
    const before = await openWindow();
    const [id] = await begin(before.board, 1);
    await end(before.board, id, { state: "succeeded" });
    const after = await openWindow({ focused: true });
    await until(() => after.board.listed.size === 1);
    await quiet(after);
    assert.deepEqual(after.said, []);
  });

  it("T11: the words count each end", () => {
    const ends = (...states: readonly RemoteTask["state"][]): string =>
      describeEnds(states.map((state) => makeTask({ submission: accepted({ state }) })));
    assert.equal(
      ends("succeeded", "failed", "expired"),
      "3 tasks finished: 1 succeeded, 1 failed, 1 ended without a result.",
    );
    assert.equal(ends("expired"), "Ended without a result: a lighthouse at dusk");
  });
});
