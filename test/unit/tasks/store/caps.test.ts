/** The cap on tasks a day: it stops a submission before anything is written or sent. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { capAction, describeError, describeTaskCap } from "../../../../src/domain/words/describeError";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { defaultSettings } from "../../../../src/domain/environment";
import { startOfDay } from "../../../../src/base/localDay";
import { type DayCap, dayCap, keepWithin } from "../../../../src/tasks/store/caps";
import type { Price, PriceList } from "../../../../src/domain/prices/priceList";
import { Outbox } from "../../../../src/tasks/submit/outbox";
import { localOrigin } from "../../../../src/domain/gateway/address";
import type { Task, TaskIntent, TaskOrder } from "../../../../src/domain/task/task";
import {
  connectTo,
  home,
  keptLog,
  makeCreated,
  makeGateway,
  makeIntent,
  until,
  yours,
} from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { inTimeZone } from "../../../support/timeZone";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { plainOutboxOptions, settingsWith } from "../../../support/plainOptions";

const wanted = { type: "video", model: "model-x", prompt: "a hill" } as const;

const prices = [
  { model: "film", task: 0.5, second: 1 },
  { model: "by-second", second: 1 },
  { type: "video", task: 0.1 },
  { type: "async-image", task: 1 },
];

describe("the day of a cap", () => {
  inTimeZone("Pacific/Auckland");

  it("T10: it begins at midnight where the person is, not at that of UTC", () => {
    // Half past one at night on the 16th, there.
    const clock = createMovedClock(Date.UTC(2026, 0, 15, 12, 30));
    assert.equal(
      dayCap({ clock, settings: settingsWith(() => ({ "caps.tasksPerDay": 3 })) }, [{}])?.since,
      Date.UTC(2026, 0, 15, 11),
    );
  });
});

describe("a cap on the money of a day", () => {
  const options = {
    clock: createMovedClock(0),
    settings: settingsWith(() => ({ "caps.moneyPerDay": 5, prices: [{ task: 1 }] })),
  };
  const wantedFor = (...prices: readonly Price[]) =>
    dayCap(
      options,
      prices.map((price) => ({ price })),
    );
  const codeOf = (cap: DayCap | undefined, spent: number): unknown => {
    assert.ok(cap);
    try {
      keepWithin(cap, { tasks: () => 0, spentIn: () => [yours(spent)] });
      return undefined;
    } catch (failure) {
      assert.ok(failure instanceof AppFailure);
      return [failure.error.kind, failure.error.notSent, failure.error.code];
    }
  };

  it("counts prices in the currency of the list only (T10, T18)", () => {
    assert.equal(wantedFor(yours(1, "EUR")), undefined);
    const { money } = wantedFor(yours(9, "EUR"), yours(1)) ?? {};
    assert.deepEqual(money, { most: { amount: 5, currency: "USD" }, more: [yours(1)] });
  });

  it("lets what fits exactly be sent, and stops the next before anything is sent (T10)", () => {
    const one = wantedFor(yours(1));
    assert.equal(codeOf(one, 4), undefined);
    assert.deepEqual(codeOf(one, 4.5), ["capped", true, "5 USD\n4.5\n1\nyour-list"]);
  });

  it("is used up for a price of which only a lower bound is known, not for one that is free (T10, T18)", () => {
    assert.equal(codeOf(wantedFor(yours(0)), 5), undefined);
    assert.deepEqual(codeOf(wantedFor({ ...yours(0), isPartial: true }), 5), [
      "capped",
      true,
      "5 USD\n5\n0\nyour-list",
    ]);
  });

  it("is no cap where neither tasks nor money are limited (T10)", () => {
    const price = yours(1);
    assert.equal(dayCap({ ...options, settings: defaultSettings }, [{ price }]), undefined);
  });
});

describe("a cap on tasks a day", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let boards: TaskBoard[];
  let cap: number;
  let moneyCap: number;
  let listed: readonly object[];
  let sent: number;
  let marksAttempts: boolean;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock(startOfDay(Date.UTC(2026, 0, 15, 12)) + 3_600_000);
    boards = [];
    cap = 3;
    moneyCap = 0;
    listed = prices;
    sent = 0;
    marksAttempts = false;
  });
  afterEach(async () => {
    for (const board of boards) await board.close();
    await folder.remove();
  });

  const window = async (
    refuses = false,
    pause: Promise<undefined> = Promise.resolve(undefined),
    ofGateway?: PriceList,
  ): Promise<{ board: TaskBoard; outbox: Outbox }> => {
    const board = await openBoard(join(folder.path, "tasks.db"), { clock, marksAttempts });
    boards.push(board);
    const gateway = makeGateway({
      amounts: { name: "X", hasBalance: false, listOf: () => ofGateway },
      createTask: () => {
        if (refuses) throw new AppFailure({ kind: "rejected", message: "no", status: 400 });
        sent += 1;
        return Promise.resolve(makeCreated({ taskId: `task-${sent}` }));
      },
    });
    const options = {
      ...plainOutboxOptions,
      board,
      connections: connectTo(gateway),
      clock,
      log: keptLog(),
      settings: settingsWith(() => ({ "caps.tasksPerDay": cap, "caps.moneyPerDay": moneyCap, prices: listed })),
      untilUnpaused: () => pause,
    };
    return { board, outbox: new Outbox(options) };
  };
  const isCapped = (failure: unknown): boolean => {
    assert.ok(failure instanceof AppFailure && failure.error.kind === "capped");
    const { title, meaning, action } = describeError(failure.error, "submit");
    assert.equal(title, "Your cap of 3 tasks a day is reached.");
    assert.equal(meaning, "Nothing was sent, so nothing is paid.");
    assert.equal(action.id, "change-tasks-per-day");
    return true;
  };

  it("T10 (newuser M5): the task that is too many is neither written nor sent, and the message has the action to change the cap", async () => {
    const { board, outbox } = await window();
    await outbox.submit([wanted, wanted]);
    await assert.rejects(outbox.submit([wanted, wanted]), (failure) => {
      assert.ok(failure instanceof AppFailure);
      const { title } = describeError(failure.error, "submit");
      assert.equal(title, "2 more tasks would pass your cap of 3 tasks a day: today there are 2.");
      return true;
    });
    assert.deepEqual([sent, board.listed.size], [2, 2]);
    await outbox.submit([wanted]);
    cap = 0;
    await outbox.submit([wanted, wanted]);
    assert.equal(sent, 5, "0 is no cap");
  });

  it("T10, T18: which cap new tasks would exceed is known before anything is written, over all windows, and its setting is named", async () => {
    const one = await window();
    const other = await window();
    await one.outbox.submit([wanted, wanted]);
    const { outbox } = other;
    assert.equal(await outbox.exceededCap([{}]), undefined);
    const code = (await outbox.exceededCap([{}, {}])) ?? "";
    assert.equal(describeTaskCap(code), "2 more tasks would pass your cap of 3 tasks a day: today there are 2.");
    assert.equal(capAction(code), "change-tasks-per-day");
    cap = 0;
    assert.equal(await outbox.exceededCap([{}, {}]), undefined);
    moneyCap = 0.3;
    assert.equal(capAction((await outbox.exceededCap([{ price: yours(0.2) }])) ?? ""), "change-money-per-day");
    assert.deepEqual([sent, one.board.listed.size], [2, 2]);
    await other.board.close();
    assert.equal(await outbox.exceededCap([{ price: yours(0.1) }]), undefined);
  });

  it("T10, M1: play money of the local gateway uses up no cap of money", async () => {
    const { board, outbox } = await window();
    [cap, moneyCap] = [0, 0.3];
    const made = async (of: TaskIntent["home"]): Promise<void> => {
      const intent = makeIntent({ id: randomUUID(), createdAt: clock.now(), home: of, price: yours(5) });
      await board.writeThenApply({ type: "task-intended", intent });
    };
    await made({ ...home, origin: localOrigin });
    assert.equal(await outbox.exceededCap([{ price: yours(0.2) }]), undefined);
    await made(home);
    assert.equal(capAction((await outbox.exceededCap([{ price: yours(0.2) }])) ?? ""), "change-money-per-day");
  });

  it("T10: it counts over all windows, tasks that were removed too, and begins anew at midnight", async () => {
    const one = await window();
    const other = await window();
    const [id] = await one.outbox.submit([wanted, wanted]);
    await one.board.applyThenWrite({
      type: "task-read",
      id: id!,
      at: clock.now(),
      remote: { state: "failed", rawStatus: "5" },
    });
    await one.board.writeThenApply({ type: "task-removed", id: id!, at: clock.now() });
    await other.outbox.submit([wanted]);
    await assert.rejects(one.outbox.submit([wanted]), isCapped);
    await clock.advance(23 * 3_600_000);
    await one.outbox.submit([wanted]);
    assert.equal(sent, 4);
  });

  it("T18: a cap in the currency of the person's list holds where the gateway lists its prices in another one", async () => {
    cap = 0;
    moneyCap = 0.3;
    const listed = { source: "gateway-list", currency: "credits", entries: [{ task: 1 }] } as const;
    const { outbox } = await window(false, undefined, listed);
    await outbox.submit([wanted, wanted]);
    await assert.rejects(outbox.submit([wanted, wanted]), (failure) => {
      assert.ok(failure instanceof AppFailure);
      assert.equal(failure.error.kind, "capped");
      return true;
    });
    assert.equal(sent, 2);
    assert.equal(outbox.priceOf({ ...wanted, type: "stylized-image" }, home)?.currency, "credits");
  });

  it("T18 (newuser M5): what the tasks of a day cost by the person's list holds over all windows; what ended without a result costs nothing", async () => {
    cap = 0;
    moneyCap = 0.3;
    const one = await window();
    const other = await window();
    const [id] = await one.outbox.submit([wanted, wanted]);
    assert.deepEqual(one.board.listed.get(id!)?.intent.price, yours(0.1));
    const isOver =
      (words: RegExp) =>
      (failure: unknown): boolean => {
        assert.ok(failure instanceof AppFailure);
        const { title, meaning } = describeError(failure.error, "submit");
        assert.match(title, words);
        assert.match(meaning, /^Nothing was sent/);
        return true;
      };
    const passed =
      /^This would cost \$[\d.]+\. \$0\.20 of your cap of \$0\.30 a day are spent or reserved, by your price list\.$/;
    const reached = /^Your cap of \$0\.30 a day is reached, by your price list\.$/;
    await assert.rejects(other.outbox.submit([wanted, wanted]), isOver(passed));
    await assert.rejects(other.outbox.submit([{ ...wanted, type: "async-image" }]), isOver(passed));
    await other.outbox.submit([wanted]);
    await other.outbox.submit([{ ...wanted, type: "stylized-image" }]);
    assert.equal(sent, 4, "up to the cap, and what has no price");
    await assert.rejects(one.outbox.submit([wanted]), isOver(reached));
    const remote = { state: "failed", rawStatus: "5" } as const;
    await one.board.applyThenWrite({ type: "task-read", id: id!, at: clock.now(), remote });
    await one.outbox.submit([wanted]);
    await assert.rejects(one.outbox.submit([wanted]), isOver(reached));
    await clock.advance(24 * 3_600_000);
    await one.outbox.submit([wanted]);
    assert.equal(sent, 6);
  });

  it("T18: what the gateway has stated of a task counts for the day instead of its estimate, and the refusal says by whom", async () => {
    cap = 0;
    moneyCap = 0.3;
    const { outbox, board } = await window();
    const [dear, cheap] = await outbox.submit([wanted, wanted]);
    const read = async (id: string | undefined, state: "succeeded" | "failed", amount: number): Promise<void> => {
      const remote = { state, rawStatus: "4", cost: { amount, currency: "USD", source: "gateway" } } as const;
      await board.applyThenWrite({ type: "task-read", id: id!, at: clock.now(), remote });
    };
    await read(dear, "failed", 0.15);
    await read(cheap, "succeeded", 0.05);
    await outbox.submit([wanted]);
    await assert.rejects(outbox.submit([wanted]), (failure: unknown) => {
      assert.ok(failure instanceof AppFailure);
      const reached = "Your cap of $0.30 a day is reached, by the gateway's amounts and your price list.";
      assert.equal(describeError(failure.error, "submit").title, reached);
      return true;
    });
  });

  it("T18: a task that is only watched, as a colleague's, uses up no cap of a day", async () => {
    cap = 2;
    moneyCap = 0.2;
    const { outbox, board } = await window();
    const at = clock.now();
    const cost = { amount: 6, currency: "USD", source: "gateway" } as const;
    const remote = { state: "succeeded", rawStatus: "4", cost } as const;
    const submission = { state: "accepted", at, checkedAt: at, taskId: "theirs", remote } as const;
    const task: Task = { intent: makeIntent({ createdAt: at, isWatched: true }), submission };
    await board.writeThenApply({ type: "task-recovered", task });
    await outbox.submit([wanted, wanted]);
    assert.equal(sent, 2);
  });

  it("T18: what was spent in another currency than that of the list by now does not count", async () => {
    cap = 0;
    moneyCap = 0.2;
    const { outbox } = await window();
    listed = [{ currency: "EUR" }, ...prices];
    await outbox.submit([wanted, wanted]);
    listed = prices;
    await outbox.submit([wanted, wanted]);
    await assert.rejects(outbox.submit([wanted]), /more wanted, 0\.2 allowed/);
    assert.equal(sent, 4);
  });

  it("T18 (finding M1): a task whose duration is not known counts with the known part of its price, and never fits once the cap is reached", async () => {
    cap = 0;
    moneyCap = 1;
    const odd = ["{}", '{"duration":0}', '{"duration":1e21}', '{"duration":"PT600S"}', '{"seconds":600}'];
    const film = (metadata: string): TaskOrder => ({ ...wanted, model: "film", metadata });
    const free = (metadata: string): TaskOrder => ({ ...wanted, model: "by-second", metadata });
    const { outbox } = await window();
    const isOver = (failure: unknown): boolean => failure instanceof AppFailure && failure.error.kind === "capped";
    await outbox.submit([film("{}"), free("{}")]);
    await assert.rejects(outbox.submit([film('{"duration":5}')]), isOver);
    await outbox.submit([film("{}")]);
    for (const metadata of odd) {
      await assert.rejects(outbox.submit([film(metadata)]), isOver, metadata);
      await assert.rejects(outbox.submit([free(metadata)]), isOver, metadata);
    }
    assert.equal(sent, 3);
  });

  it("T10: of two submissions at once, the cap holds for both together", async () => {
    const { outbox } = await window();
    const outcomes = await Promise.allSettled([outbox.submit([wanted, wanted]), outbox.submit([wanted, wanted])]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.equal(sent, 2);
  });

  it("T10: of two windows that submit at once, the cap holds for both together, and what does not fit is not sent", async () => {
    const windows = [await window(), await window()];
    const outcomes = await Promise.allSettled(windows.map(({ outbox }) => outbox.submit([wanted, wanted])));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.equal(sent, 2);
    for (const { board } of windows) await board.readOtherWindows();
    const states = [...windows[0]!.board.listed.values()].map(({ submission }) => submission.state);
    assert.equal(states.filter((state) => state === "accepted").length, 2);
    assert.ok(states.every((state) => state === "accepted" || state === "not-accepted"));
    cap = 4;
    await windows[0]!.outbox.submit([wanted, wanted]);
    assert.equal(sent, 4, "what did not fit does not count");
  });

  it("T10: of two windows that send refused tasks again at once, the cap holds for both together", async () => {
    const refusing = await window(true);
    const ids = await refusing.outbox.submit([wanted, wanted]);
    cap = 1;
    const windows = [await window(), await window()];
    await Promise.all(windows.map(({ board, outbox }, index) => outbox.sendAgain(board.see(ids[index]!))));
    assert.equal(sent, 1);
  });

  it("T10: what was refused and is sent again is counted like a new one", async () => {
    const refusing = await window(true);
    const [refused] = await refusing.outbox.submit([wanted]);
    const { board, outbox } = await window();
    await outbox.submit([wanted, wanted, wanted]);
    await outbox.sendAgain(board.see(refused!));
    const submission = board.listed.get(refused!)?.submission;
    assert.ok(submission?.state === "not-accepted" && submission.error.kind === "capped");
    cap = 4;
    await outbox.sendAgain(board.see(refused!));
    assert.deepEqual([sent, board.listed.get(refused!)?.submission.state], [4, "accepted"]);
  });

  it("M12, T10: what was refused yesterday and is sent today counts for today", async () => {
    const refusing = await window(true);
    const ids = await refusing.outbox.submit([wanted, wanted]);
    await clock.advance(24 * 3_600_000);
    const { board, outbox } = await window();
    await outbox.submit([wanted, wanted]);
    await outbox.sendAgain(board.see(...ids));
    assert.equal(sent, 3);
    const states = ids.map((id) => board.listed.get(id)!.submission);
    assert.deepEqual(
      states.map((one) => (one.state === "not-accepted" ? one.error.kind : one.state)),
      ["accepted", "capped"],
    );
    await assert.rejects(outbox.submit([wanted]), isCapped);
  });

  it("M12, T10: what waits to be sent again has its place in the day, which no other window's task takes", async () => {
    const refusing = await window(true);
    const [refused] = await refusing.outbox.submit([wanted]);
    await clock.advance(24 * 3_600_000);
    const pause = Promise.withResolvers<undefined>();
    const waiting = await window(false, pause.promise);
    const other = await window();
    await other.outbox.submit([wanted, wanted]);
    const sending = waiting.outbox.sendAgain(waiting.board.see(refused!));
    await until(() => waiting.board.listed.get(refused!)?.submission.state === "prepared");
    await assert.rejects(other.outbox.submit([wanted]), isCapped);
    pause.resolve(undefined);
    await sending;
    assert.deepEqual([sent, waiting.board.listed.get(refused!)?.submission.state], [3, "accepted"]);
  });

  it("M12, T10: what was prepared before midnight and is sent after it counts for the new day", async () => {
    const pause = Promise.withResolvers<undefined>();
    const { board, outbox } = await window(false, pause.promise);
    const waiting = outbox.submit([wanted, wanted]);
    await until(() => board.listed.size === 2);
    await clock.advance(23 * 3_600_000);
    const other = await window();
    await other.outbox.submit([wanted, wanted]);
    pause.resolve(undefined);
    const ids = await waiting;
    assert.equal(sent, 3);
    await board.readOtherWindows();
    const states = ids.map((id) => board.listed.get(id)!.submission.state);
    assert.deepEqual(states.sort(), ["accepted", "not-accepted"]);
    await assert.rejects(other.outbox.submit([wanted]), isCapped);
  });

  const waitIn = async (count: number): Promise<{ readonly board: TaskBoard; readonly ids: readonly string[] }> => {
    const { board, outbox } = await window(false, new Promise(() => undefined));
    void outbox.submit(Array.from({ length: count }, () => ({ ...wanted, type: "async-image" as const })));
    await until(() => board.listed.size === count);
    return { board, ids: [...board.listed.keys()] };
  };

  it("T10: what waits in a window counts until that window has ended, for the tasks and for the money, and also once it is removed", async () => {
    marksAttempts = true;
    moneyCap = 3;
    const closed = await waitIn(3);
    const { board, outbox } = await window();
    await assert.rejects(outbox.submit([wanted]), isCapped);
    await closed.board.close();
    await board.readOtherWindows();
    assert.equal(await outbox.exceededCap([{ price: yours(3) }, {}, {}]), undefined);
    const later = await window();
    const [removed] = closed.ids;
    await later.board.writeThenApply({ type: "task-removed", id: removed!, at: clock.now() });
    assert.equal(await outbox.exceededCap([{ price: yours(3) }, {}, {}]), undefined);
    await later.board.writeThenApply({ type: "task-restored", id: removed!, at: clock.now() });
    await outbox.submit([wanted, wanted, wanted]);
    assert.equal(sent, 3);
    await assert.rejects(outbox.submit([wanted]), isCapped);
  });

  it("T10, T1: what a closed window left unsent takes its place in the day again once a person sends it", async () => {
    marksAttempts = true;
    const closed = await waitIn(2);
    await closed.board.close();
    const pause = Promise.withResolvers<undefined>();
    const waiting = await window(false, pause.promise);
    const other = await window();
    const [first, second] = closed.ids;
    const sending = waiting.outbox.sendAgain(waiting.board.see(first!));
    await until(() => waiting.board.listed.get(first!)?.submission.state === "prepared");
    await other.outbox.submit([wanted, wanted]);
    await assert.rejects(other.outbox.submit([wanted]), isCapped);
    await other.outbox.sendAgain(other.board.see(second!));
    const refused = other.board.listed.get(second!)?.submission;
    assert.ok(refused?.state === "not-accepted" && refused.error.kind === "capped");
    pause.resolve(undefined);
    await sending;
    assert.deepEqual([sent, waiting.board.listed.get(first!)?.submission.state], [3, "accepted"]);
  });

  it("T10, T1: what was refused does not count, and sending the same intents again goes on", async () => {
    const refusing = await window(true);
    await refusing.outbox.submit([wanted, wanted, wanted]);
    const { outbox } = await window();
    const intents = await outbox.prepare([wanted, wanted, wanted], home);
    await outbox.send(intents);
    await outbox.send(intents);
    assert.equal(sent, 3);
    await assert.rejects(outbox.submit([wanted]), isCapped);
  });
});
