/** What is not sent once more without a yes, or ever: a key of unknown age, and a task that was submitted elsewhere. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describeError } from "../../../../src/domain/words/describeError";
import { isWaitingToSend } from "../../../../src/domain/task/phase";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { Gateway } from "../../../../src/domain/ports";
import { TaskBoard } from "../../../../src/tasks/board/board";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { connectTo, keptLog, makeCreated, makeGateway, makeIntent, until } from "../../../support/builders";
import { createFaultyDatabase, resultCodes } from "../../../support/faultyDatabase";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard, openStoreAt } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainBoardOptions, plainOutboxOptions } from "../../../support/plainOptions";

const wanted = { type: "video", model: "model-x", prompt: "a lighthouse at dusk" } as const;
const lost = { kind: "timed-out", message: "no answer" } as const;

describe("sending again", () => {
  const clock = createMovedClock(Date.UTC(2026, 0, 15));
  let folder: TemporaryFolder;
  let file: string;
  let board: TaskBoard;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
    board = await openBoard(file, { clock });
  });
  afterEach(async () => {
    await board.close();
    await folder.remove();
  });
  const outboxOver = (createTask: Gateway["createTask"]): Outbox =>
    new Outbox({
      ...plainOutboxOptions,
      board,
      connections: connectTo(makeGateway({ createTask })),
      clock,
      log: keptLog(),
    });

  it("T1: after the clock was set back nobody knows how old a key is, so it counts as old", async () => {
    let sent = 0;
    const outbox = outboxOver(() => {
      sent += 1;
      return Promise.reject(new AppFailure(lost));
    });
    const [id] = await outbox.submit([wanted]);
    const before = createMovedClock(clock.now() - 7 * 86_400_000);
    const connections = connectTo(makeGateway({ createTask: () => Promise.resolve(makeCreated()) }));
    const later = new Outbox({ ...plainOutboxOptions, board, connections, clock: before, log: keptLog() });
    assert.ok(await later.isKeyOld(id!));
    await later.sendAgain(board.see(id!));
    assert.deepEqual([sent, board.listed.get(id!)?.submission.state], [1, "outcome-unknown"]);
  });

  for (const [isOpen, where] of [
    [true, "while a window is open"],
    [false, "while none is"],
  ] as const)
    it(`T1: a clock that was set back ${where} and has caught up since makes no old key a young one`, async () => {
      const wall = createMovedClock(Date.UTC(2026, 0, 15));
      const hour = 3_600_000;
      const open = (): Promise<TaskBoard> =>
        TaskBoard.open({ ...plainBoardOptions, clock: wall, openStore: openStoreAt(other, undefined, wall) });
      const other = join(folder.path, "other.db");
      let sent = 0;
      const outboxOf = (over: TaskBoard): Outbox => {
        const createTask = (): Promise<never> => {
          sent += 1;
          return Promise.reject(new AppFailure(lost));
        };
        const connections = connectTo(makeGateway({ createTask }));
        return new Outbox({ ...plainOutboxOptions, board: over, connections, clock: wall, log: keptLog() });
      };
      let window = await open();
      const [old = ""] = await outboxOf(window).submit([wanted]);
      if (!isOpen) await window.close();
      wall.setWall(-20 * hour);
      if (!isOpen) window = await open();
      const outbox = outboxOf(window);
      const [young = ""] = await outbox.submit([wanted]);
      // The service has forgotten the key after these hours, and the times of the task say that it is a few hours old.
      wall.sleep(26 * hour);
      assert.equal(await outbox.isKeyOld(old), true);
      await outbox.sendAgain(window.see(old));
      assert.equal(sent, 2);
      wall.setWall(-10 * hour);
      wall.setWall(6 * hour);
      await window.close();
      window = await open();
      assert.equal(await outboxOf(window).isKeyOld(young), true);
      const [younger = ""] = await outboxOf(window).submit([wanted]);
      assert.equal(await outboxOf(window).isKeyOld(younger), false);
      await outboxOf(window).sendAgain(window.see(younger));
      assert.equal(sent, 4);
      await window.close();
    });

  it("T1: while the task file can't be read, or a clock that was set back can't be noted in it, a key counts as old", async () => {
    const wall = createMovedClock(Date.UTC(2026, 0, 15));
    const disk = createFaultyDatabase({ fast: true });
    const openStore = openStoreAt(join(folder.path, "other.db"), disk, wall);
    const window = await TaskBoard.open({ ...plainBoardOptions, clock: wall, openStore });
    const connections = connectTo(makeGateway({ createTask: () => Promise.reject(new AppFailure(lost)) }));
    const outbox = new Outbox({ ...plainOutboxOptions, board: window, connections, clock: wall, log: keptLog() });
    const [id = ""] = await outbox.submit([wanted]);
    assert.equal(await outbox.isKeyOld(id), false);
    disk.statements = resultCodes.io;
    assert.equal(await outbox.isKeyOld(id), true);
    disk.statements = undefined;
    assert.equal(await outbox.isKeyOld(id), false);
    disk.commits = resultCodes.full;
    wall.setWall(-20 * 3_600_000);
    // The service has forgotten the key after these hours, and the times of the task say that it is a few hours old.
    wall.sleep(26 * 3_600_000);
    assert.equal(await outbox.isKeyOld(id), true);
    disk.commits = undefined;
    assert.equal(await outbox.isKeyOld(id), true);
    await window.close();
  });

  it("T1: a Reconcile whose key became old while it waited for the end of a pause, as over a night's sleep, is not sent", async () => {
    let sent = 0;
    const createTask = (): Promise<never> => {
      sent += 1;
      return Promise.reject(new AppFailure(lost));
    };
    const [id = ""] = await outboxOver(createTask).submit([wanted]);
    const pause = Promise.withResolvers<undefined>();
    const connections = connectTo(makeGateway({ createTask }));
    const untilUnpaused = (): Promise<undefined> => pause.promise;
    const paused = new Outbox({ ...plainOutboxOptions, untilUnpaused, board, connections, clock, log: keptLog() });
    const again = paused.sendAgain(board.see(id));
    await until(() => isWaitingToSend(board.listed.get(id)!));
    await clock.advance(30 * 3_600_000);
    pause.resolve(undefined);
    await again;
    assert.equal(sent, 1);
    const submission = board.listed.get(id)?.submission;
    assert.ok(submission?.state === "outcome-unknown" && submission.reconcile?.state === "failed");
    assert.match(
      describeError(submission.reconcile.error, "reconcile").title,
      /may no longer know its idempotency key/,
    );
  });

  it("T1, T14: a watched task of which only the intent was written is never sent", async () => {
    const intent = makeIntent({ isWatched: true, idempotencyKey: "", body: "", prompt: "" });
    await board.writeThenApply({ type: "task-intended", intent });
    await board.close();
    board = await openBoard(file, { clock });
    assert.equal(board.listed.get(intent.id)?.submission.state, "not-accepted");
    let sent = 0;
    const outbox = outboxOver(() => {
      sent += 1;
      return Promise.resolve(makeCreated());
    });
    await outbox.sendAgain(board.see(intent.id));
    assert.equal(sent, 0);
  });

  it("T1: nothing is sent under an old key without a yes to that: the gateway may have forgotten it", async () => {
    let sent = 0;
    const outbox = outboxOver(() => {
      sent += 1;
      return Promise.reject(new AppFailure(lost));
    });
    const [id] = await outbox.submit([wanted]);
    await clock.advance(24 * 3_600_000);
    const before = board.see(id!);
    await outbox.sendAgain(before);
    assert.equal(sent, 1);
    assert.deepEqual(board.see(id!), before, "nothing was written, neither that it waits nor that it was not sent");
    await outbox.sendAgain(before, { despiteOldKey: true });
    assert.equal(sent, 2);
  });
});
