/** What a Reconcile and a full disk may not do: make an unknown outcome sound certain, or lose an accepted task. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describeError } from "../../../../src/domain/words/describeError";
import { type AppError, AppFailure } from "../../../../src/domain/errors/appError";
import type { Gateway } from "../../../../src/domain/ports";
import type { Task } from "../../../../src/domain/task/task";
import { TaskBoard, retryUnwritten } from "../../../../src/tasks/board/board";
import type { OpenTaskStore, TaskStore } from "../../../../src/tasks/store/taskStore";
import { TaskCancels } from "../../../../src/tasks/polling/cancel";
import { describeOutcomes } from "../../../../src/tasks/view/outcomes";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { connectTo, home, keptLog, makeCreated, makeGateway, until } from "../../../support/builders";
import { createFaultyDatabase, type FaultyDatabase, resultCodes } from "../../../support/faultyDatabase";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard, openStoreAt } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainBoardOptions, plainOutboxOptions } from "../../../support/plainOptions";

const wanted = { type: "video", model: "model-x", prompt: "a lighthouse at dusk" } as const;
/** Sentences that are false while a hold may be open. */
const claims = /nothing is paid\.|not charged|no hold|no task|not accepted|nothing was sent/i;

describe("a submission that may be paid", () => {
  let folder: TemporaryFolder;
  let file: string;
  let disk: FaultyDatabase;
  let clock: MovedClock;
  let board: TaskBoard;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = join(folder.path, "tasks.db");
    disk = createFaultyDatabase({ fast: true });
    clock = createMovedClock();
    board = await openBoard(file, { disk, clock });
  });
  afterEach(async () => {
    disk.commits = undefined;
    await board.close();
    await folder.remove();
  });

  const outboxOver = (
    createTask: Gateway["createTask"],
    connections = connectTo(makeGateway({ createTask })),
  ): Outbox => new Outbox({ ...plainOutboxOptions, board, connections, clock, log: keptLog() });
  const task = (id: string): Task => {
    const found = board.listed.get(id);
    assert.ok(found);
    return found;
  };
  const words = (id: string): string => {
    const row = taskRow(task(id), clock.now(), "en");
    const trouble = describeOutcomes([task(id)], board.unwritten.current)?.description;
    return [row.description, row.state, row.money, row.spoken, trouble?.title, trouble?.meaning].join("\n");
  };
  const lost: AppError = { kind: "timed-out", message: "no answer" };

  it("M19, T1: a thread that ends right after the start of a request was stored leaves the outcome unknown, not being sent", async () => {
    const openStore = openStoreAt(file, disk);
    let dies = true;
    const dying: OpenTaskStore = async () => {
      const store = await openStore();
      const apply: TaskStore["apply"] = async (records) => {
        const applied = await store.apply(records);
        if (!dies || !records.some(({ record }) => record.type === "task-sending")) return applied;
        dies = false;
        await store.close();
        throw new AppFailure({ kind: "storage", code: "thread-ended", message: "The task store's thread ended." });
      };
      return { ...store, apply };
    };
    await board.close();
    board = await TaskBoard.open({ ...plainBoardOptions, openStore: dying, clock });
    const outbox = outboxOver(() => assert.fail("nothing may be sent"));
    const [id] = await outbox.submit([wanted]);
    await clock.advance(70_000);
    await until(() => task(id!).submission.state === "outcome-unknown");
    assert.match(taskRow(task(id!), 0, "en").contextValue, /\breconcilable\b/);
  });

  const refusals: readonly (AppError & { readonly name: string })[] = [
    { name: "429", kind: "rate-limited", message: "slow down", status: 429 },
    { name: "401", kind: "unauthorized", message: "no", status: 401 },
    { name: "403", kind: "forbidden", message: "no", status: 403 },
    { name: "404 HTML", kind: "not-found", message: "a web page", status: 404 },
    { name: "409 being worked on", kind: "conflict", message: "in flight", status: 409 },
    { name: "402", kind: "insufficient-balance", message: "too low", status: 402 },
    { name: "a gateway that is down", kind: "unreachable", message: "refused", notSent: true },
  ];
  for (const { name, ...error } of refusals) {
    it(`T1 (finding 1): a Reconcile that meets ${name} leaves the outcome unknown, in state, words and menu`, async () => {
      const failures: AppError[] = [lost, error];
      const outbox = outboxOver(() => Promise.reject(new AppFailure(failures.shift() ?? error)));
      const [id] = await outbox.submit([wanted]);
      await outbox.sendAgain(board.see(id!));
      const { submission } = task(id!);
      assert.ok(submission.state === "outcome-unknown");
      assert.deepEqual(submission.error, lost);
      assert.equal(submission.reconcile?.state, "failed");
      assert.doesNotMatch(words(id!), claims);
      assert.match(taskRow(task(id!), 0, "en").contextValue, /\breconcilable\b/);
      const reopened = await openBoard(file);
      assert.deepEqual(reopened.listed.get(id!), task(id!), "also after a restart");
      await reopened.close();
    });
  }

  it("T1 (finding 1): a Reconcile without the key of the account leaves the outcome unknown", async () => {
    const connections = connectTo(makeGateway({ createTask: () => Promise.reject(new AppFailure(lost)) }));
    const outbox = outboxOver(() => assert.fail(), connections);
    const [id] = await outbox.submit([wanted]);
    const other = new Outbox({
      ...plainOutboxOptions,
      board,
      connections: connectTo(makeGateway({}), { ...home, account: "a2" }),
      clock,
      log: keptLog(),
    });
    await other.sendAgain(board.see(id!));
    assert.equal(task(id!).submission.state, "outcome-unknown");
    assert.doesNotMatch(words(id!), claims);
  });

  it("T1 (finding 1): an attempt that a kill cut stays unknown through a Reconcile without a key and another restart", async () => {
    const outbox = outboxOver(() => new Promise(() => undefined));
    void outbox.submit([wanted]);
    await until(() => [...board.listed.values()][0]?.submission.state === "sending");
    const second = await openBoard(file);
    const [id] = second.listed.keys();
    const connections = connectTo(makeGateway({}), { ...home, account: "a2" });
    await new Outbox({ ...plainOutboxOptions, board: second, connections, clock, log: keptLog() }).sendAgain(
      second.see(id!),
    );
    assert.equal(second.listed.get(id!)?.submission.state, "outcome-unknown");
    await second.close();
    const third = await openBoard(file);
    assert.equal(third.listed.get(id!)?.submission.state, "outcome-unknown");
    await third.close();
  });

  it("T1 (finding 1): the question about an old key is asked whatever a Reconcile has met before", async () => {
    let sent = 0;
    const failures: AppError[] = [lost, { kind: "rate-limited", message: "slow down", status: 429 }];
    const outbox = outboxOver(() => {
      sent += 1;
      const error = failures.shift();
      return error ? Promise.reject(new AppFailure(error)) : Promise.resolve(makeCreated());
    });
    const [id] = await outbox.submit([wanted]);
    await outbox.sendAgain(board.see(id!));
    await clock.advance(25 * 3_600_000);
    assert.ok(await outbox.isKeyOld(id!));
    await outbox.sendAgain(board.see(id!));
    assert.equal(sent, 2, "nothing is sent without a yes");
    await outbox.sendAgain(board.see(id!), { despiteOldKey: true });
    assert.equal(sent, 3);
  });

  it("T1 (finding 2, 38): a disk that fills while the request is under way: accepted is shown, told as what it is, written when there is space", async () => {
    const outbox = outboxOver(() => {
      disk.commits = resultCodes.full;
      return Promise.resolve(makeCreated());
    });
    const [id] = await outbox.submit([wanted]);
    assert.equal(task(id!).submission.state, "accepted");
    const { title, meaning } = describeOutcomes([task(id!)], board.unwritten.current)!.description;
    assert.match(title, /disk of this machine is full/);
    assert.doesNotMatch(`${title} ${meaning}`, claims);
    // A kill at this point: the key is on disk, so the outcome is unknown and Reconcile finds the task.
    const killed = await openBoard(file);
    assert.equal(killed.listed.get(id!)?.submission.state, "outcome-unknown");
    await killed.close();
    disk.commits = undefined;
    await board.flush();
    assert.equal(board.unwritten.current, undefined);
    const reopened = await openBoard(file);
    assert.equal(reopened.listed.get(id!)?.submission.state, "accepted", "what was kept is written");
    await reopened.close();
  });

  it("T1 (finding 2): Try Again after a full disk goes on with the same keys", async () => {
    const keys: string[] = [];
    const outbox = outboxOver((body) => {
      keys.push((JSON.parse(body) as { idempotencyKey: string }).idempotencyKey);
      return Promise.resolve(makeCreated());
    });
    const intents = await outbox.prepare([wanted, wanted, wanted], home);
    disk.commits = resultCodes.full;
    await assert.rejects(outbox.send(intents), (failure) => {
      assert.ok(failure instanceof AppFailure);
      assert.deepEqual([failure.error.kind, failure.error.notSent], ["storage", true]);
      assert.match(describeError(failure.error, "submit").meaning, /Nothing was sent/);
      return true;
    });
    assert.equal(keys.length, 0);
    disk.commits = undefined;
    await outbox.send(intents);
    assert.deepEqual(new Set(keys), new Set(intents.map(({ idempotencyKey }) => idempotencyKey)));
    await outbox.send(intents);
    assert.equal(keys.length, 3, "what was accepted is not sent again");
    assert.equal(board.listed.size, 3);
  });

  it("T1 (finding 38): the rest of a batch is not sent when the disk fills, each row says so, and nothing still reads as being sent", async () => {
    let sent = 0;
    const outbox = outboxOver(async () => {
      const taskId = `task-${(sent += 1)}`;
      await new Promise((resolve) => setImmediate(resolve));
      disk.commits = resultCodes.full;
      return makeCreated({ taskId });
    });
    const ids = await outbox.submit(Array.from({ length: 12 }, () => wanted));
    const states = ids.map((id) => task(id).submission.state);
    assert.equal(states.filter((state) => state === "accepted").length, sent);
    assert.equal(states.filter((state) => state === "not-accepted").length, 12 - sent);
    assert.ok(sent >= 1 && sent <= 4);
    const trouble = describeOutcomes(ids.map(task), board.unwritten.current)!;
    assert.match(
      trouble.description.title,
      sent === 1 ? /One accepted task is not on disk/ : new RegExp(`${sent} accepted tasks are not on disk`),
    );
    assert.match(trouble.description.title, new RegExp(`${12 - sent} of 12 tasks: not sent`));
    assert.equal(trouble.sendAgain.length, 12 - sent);
    disk.commits = undefined;
    await board.flush();
    for (const id of trouble.sendAgain) {
      assert.match(words(id), /disk of this machine is full/);
      await outboxOver(() => Promise.resolve(makeCreated({ taskId: `task of ${id}` }))).sendAgain(board.see(id));
    }
    assert.ok(ids.every((id) => task(id).submission.state === "accepted"));
    assert.equal(new Set(ids.map((id) => task(id).intent.idempotencyKey)).size, 12);
  });

  it("T1 (finding 38): once there is space, what was kept is written by itself", async () => {
    const ended = new AbortController();
    const retrying = retryUnwritten(board, clock, ended.signal);
    const [id] = await outboxOver(() => {
      disk.commits = resultCodes.full;
      return Promise.resolve(makeCreated());
    }).submit([wanted]);
    await until(() => clock.waiting === 1);
    await clock.advance(5000);
    assert.equal(board.unwritten.current?.accepted, 1);
    disk.commits = undefined;
    await until(() => clock.waiting === 1);
    await clock.advance(5000);
    await until(() => board.unwritten.current === undefined);
    const reopened = await openBoard(file);
    assert.equal(reopened.listed.get(id!)?.submission.state, "accepted");
    await reopened.close();
    ended.abort();
    await retrying;
  });

  it("T1: what was written and not begun reads as not sent after a restart, and can be sent", async () => {
    const never = new Promise<never>(() => undefined);
    const outbox = outboxOver(() => never);
    const intents = await outbox.prepare(
      Array.from({ length: 6 }, () => wanted),
      home,
    );
    void outbox.send(intents);
    await until(
      () => [...board.listed.values()].filter(({ submission }) => submission.state === "sending").length === 4,
    );
    const reopened = await openBoard(file);
    const states = [...reopened.listed.values()].map(({ submission }) => submission.state).sort();
    assert.deepEqual(states, [...Array<string>(2).fill("not-accepted"), ...Array<string>(4).fill("outcome-unknown")]);
    const unsent = [...reopened.listed.values()].find(({ submission }) => submission.state === "not-accepted");
    assert.match(taskRow(unsent!, 0, "en").state, /closed before this was sent. Nothing was sent/);
    await reopened.close();
  });

  it("T9 (finding 2): a cancel that could not be written first is not sent and says so", async () => {
    const outbox = outboxOver(() => Promise.resolve(makeCreated()));
    const [id] = await outbox.submit([wanted]);
    disk.commits = resultCodes.full;
    const connections = connectTo(makeGateway({ cancelTask: () => assert.fail("sent") }));
    const outcome = await new TaskCancels({ board, connections, clock }).cancel(id!, "wrong prompt");
    assert.ok(outcome.state === "failed");
    const { title, meaning } = describeError(outcome.error, "cancel");
    assert.match(`${title} ${meaning}`, /disk of this machine is full\. The cancel was not sent/);
  });

  it("T10 (finding 17): no hold is told that the gateway did not name, and no state that was not read", async () => {
    const created = { taskId: "task-1", remote: { state: "unknown", rawStatus: "" }, replayed: true } as const;
    const [id] = await outboxOver(() => Promise.resolve(created)).submit([wanted]);
    assert.match(words(id!), /has not said its state yet/);
    assert.match(words(id!), /has not said what it reserved/);
    assert.doesNotMatch(words(id!), /Reserved|State unknown|status ,/);
  });

  it("T1 (finding 17): a message counts unknown outcomes, refusals and unsent tasks apart", async () => {
    const failures: AppError[] = [
      lost,
      { kind: "insufficient-balance", message: "too low", status: 402 },
      { kind: "unreachable", message: "refused", notSent: true },
    ];
    const outbox = outboxOver(() => Promise.reject(new AppFailure(failures.shift()!)));
    const ids = await outbox.submit([wanted, wanted, wanted]);
    const trouble = describeOutcomes(ids.map(task), undefined)!;
    assert.match(
      trouble.description.title,
      /^1 of 3 tasks: outcome unknown\. 1 of 3 tasks: refused\. 1 of 3 tasks: not sent\./,
    );
    assert.equal(trouble.description.action.id, "reconcile");
    assert.equal(trouble.sendAgain.length, 1, "Reconcile acts on the unknown one only");
  });

  it("T1, T10 (finding M8): a batch's message says the accepted first, and each meaning says what it is about", async () => {
    const failures: AppError[] = [
      { kind: "insufficient-balance", message: "too low", status: 402 },
      { kind: "unreachable", message: "refused", notSent: true },
    ];
    let made = 0;
    const outbox = outboxOver(() => {
      const failure = failures.shift();
      if (failure) return Promise.reject(new AppFailure(failure));
      return Promise.resolve(makeCreated({ taskId: `task-${(made += 1)}` }));
    });
    const ids = await outbox.submit([wanted, wanted, wanted, wanted]);
    const { title, meaning } = describeOutcomes(ids.map(task), undefined)!.description;
    assert.match(title, /^2 of 4 tasks: accepted\. 1 of 4 tasks: refused\. 1 of 4 tasks: not sent\./);
    assert.match(meaning, /^Refused: The gateway refused it.* Not sent: Nothing was sent, so nothing is paid\./);
  });
});
