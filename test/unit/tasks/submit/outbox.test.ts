/** Submitting: intent before request, same bytes under the same key, nothing sent twice without a click. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { abortReason } from "../../../../src/base/async/abort";
import { type AppError, AppFailure } from "../../../../src/domain/errors/appError";
import type { Gateway } from "../../../../src/domain/ports";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { connectTo, home, keptLog, makeCreated, makeGateway, until } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainOutboxOptions } from "../../../support/plainOptions";

const wanted = { type: "video", model: "model-x", prompt: "a lighthouse at dusk" } as const;

describe("Outbox", () => {
  let folder: TemporaryFolder;
  let file: string;
  let board: TaskBoard;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
    board = await openBoard(file);
  });
  afterEach(async () => {
    await board.close();
    await folder.remove();
  });

  const outboxOver = (createTask: Gateway["createTask"], on = board): Outbox =>
    new Outbox({
      ...plainOutboxOptions,
      board: on,
      connections: connectTo(makeGateway({ createTask })),
      clock: createMovedClock(),
      log: keptLog(),
    });
  const only = (on = board) => {
    const [task] = [...on.listed.values()];
    assert.ok(task);
    return task;
  };
  const fail = (error: AppError) => () => Promise.reject(new AppFailure(error));

  it("T1: the intent is on disk with body, key, origin and account before the request is sent", async () => {
    let onDisk: TaskBoard | undefined;
    let sent = "";
    const outbox = outboxOver(async (body) => {
      sent = body;
      onDisk = await openBoard(file);
      return makeCreated();
    });
    await outbox.submit([wanted]);
    assert.ok(onDisk);
    const { intent, submission } = only(onDisk);
    assert.equal(submission.state, "outcome-unknown", "its start is on disk too");
    assert.equal(await onDisk.readBody(intent.id), sent);
    assert.equal(intent.body, undefined, "a body may hold pictures, so the rows have none");
    assert.match(intent.idempotencyKey, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.equal((JSON.parse(sent) as { idempotencyKey: string }).idempotencyKey, intent.idempotencyKey);
    assert.deepEqual(intent.home, home);
    await onDisk.close();
    assert.equal(only().submission.state, "accepted");
  });

  it("T1: a lost answer is an unknown outcome; reconciling sends the very same bytes", async () => {
    const bodies: string[] = [];
    const outbox = outboxOver((body) => {
      bodies.push(body);
      if (bodies.length === 1) return Promise.reject(new AppFailure({ kind: "unreachable", message: "socket closed" }));
      return Promise.resolve(makeCreated({ replayed: true }));
    });
    const [id] = await outbox.submit([wanted]);
    assert.equal(only().submission.state, "outcome-unknown");
    assert.equal(bodies.length, 1, "it is not sent again by itself");
    await outbox.sendAgain(board.see(id!));
    assert.equal(bodies[0], bodies[1]);
    assert.equal(only().submission.state, "accepted");
  });

  it("T1: a request that was ended on its way, as when the connection is closed, has an unknown outcome", async () => {
    await outboxOver(() => Promise.reject(abortReason(undefined))).submit([wanted]);
    const { submission } = only();
    assert.ok(submission.state === "outcome-unknown", submission.state);
  });

  it("T1: a refusal is not accepted and keeps its error; so is a request of which no byte was sent", async () => {
    await outboxOver(fail({ kind: "insufficient-balance", message: "too low", status: 402 })).submit([wanted]);
    assert.equal(only().submission.state, "not-accepted");
    await board.writeThenApply({ type: "task-removed", id: only().intent.id, at: 0 });
    await outboxOver(fail({ kind: "unreachable", message: "refused", notSent: true })).submit([wanted]);
    assert.equal(only().submission.state, "not-accepted");
  });

  it("T1: after a crash between request and answer, the task comes back with an unknown outcome and its bytes", async () => {
    const { promise } = Promise.withResolvers<never>();
    let sent = "";
    void outboxOver((body) => {
      sent = body;
      return promise;
    }).submit([wanted]);
    await until(() => sent !== "");
    const restarted = await openBoard(file);
    assert.equal(only(restarted).submission.state, "outcome-unknown");
    assert.equal(await restarted.readBody(only(restarted).intent.id), sent);
    await restarted.close();
  });

  it("T1: two clicks on Reconcile send one request", async () => {
    let calls = 0;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const outbox = outboxOver(async () => {
      calls += 1;
      if (calls === 1) throw new AppFailure({ kind: "timed-out", message: "no answer" });
      await promise;
      return makeCreated();
    });
    const [id] = await outbox.submit([wanted]);
    const first = outbox.sendAgain(board.see(id!));
    const second = outbox.sendAgain(board.see(id!));
    resolve(undefined);
    await Promise.all([first, second]);
    assert.equal(calls, 2);
  });

  it("T2: a batch shares one id, has a key for each task, and keeps four requests under way at most", async () => {
    let open = 0;
    let most = 0;
    const { promise: fourAreOpen, resolve } = Promise.withResolvers<undefined>();
    const outbox = outboxOver(async () => {
      open += 1;
      most = Math.max(most, open);
      // A fifth one that may begin has its start in the board's queue by now.
      if (open === 4) void board.flush().then(() => setImmediate(resolve, undefined));
      await fourAreOpen;
      open -= 1;
      return makeCreated();
    });
    await outbox.submit(Array.from({ length: 9 }, (_, n) => ({ ...wanted, prompt: `prompt ${n}` })));
    const tasks = [...board.listed.values()];
    assert.equal(tasks.length, 9);
    assert.equal(new Set(tasks.map(({ intent }) => intent.batch)).size, 1);
    assert.equal(new Set(tasks.map(({ intent }) => intent.idempotencyKey)).size, 9);
    assert.equal(most, 4);
  });

  it("C2: without a key nothing is written and nothing is sent", async () => {
    const connections = connectTo(makeGateway({}));
    connections.current.set({ state: "signed-out", origin: home.origin, baseUrl: home.baseUrl });
    const outbox = new Outbox({ ...plainOutboxOptions, board, connections, clock: createMovedClock(), log: keptLog() });
    await assert.rejects(outbox.submit([wanted]), (failure: AppFailure) => failure.error.kind === "signed-out");
    assert.equal(board.listed.size, 0);
  });
});
