/** The money of a task: what is said of it, and by which evidence. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { localOrigin } from "../../../src/domain/gateway/address";
import type { RemoteTask, Task, TaskEvent } from "../../../src/domain/task/task";
import { reduceTask } from "../../../src/domain/task/taskRecord";
import type { Price } from "../../../src/domain/prices/priceList";
import { TimeSlices } from "../../../src/base/async/timeSlices";
import { csvRow } from "../../../src/base/text/csv";
import { tasksToCsv } from "../../../src/tasks/view/tasksToCsv";
import {
  chargesWithoutResult,
  moneyForModel,
  moneyOf,
  groupByMoney,
  releasesNotSeen,
  unseenSpending,
} from "../../../src/tasks/money";
import { billEvidence, billSentence, unseenSentence } from "../../../src/tasks/view/billWords";
import { moneyView } from "../../../src/tasks/host/pages/moneyPageView";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { moneyLine } from "../../../src/tasks/view/taskWords";
import { createTimes } from "../../../src/domain/words/timeFormats";
import { anyCharacter } from "../../support/anyCharacter";
import { accepted, makeCreated, makeIntent, makeRemote, makeTask, yours } from "../../support/builders";
import { startBusyTime } from "../../support/busyTime";
import { runsOf } from "../../support/runs";

const now = new Date(2026, 0, 15, 12, 0, 0).getTime();
const minute = 60_000;
const times = createTimes("en-GB", now);
const context = { now, locale: "en-GB", notRead: 0 };
const error = { kind: "timed-out", message: "no answer" } as const;
const { id } = makeIntent();

const event = (change: Partial<TaskEvent>): TaskEvent => ({
  id: "e",
  type: "failed",
  state: "failed",
  rawStatus: "5",
  message: "",
  createdAt: now - minute,
  ...change,
});
const taskOf = (
  remote: Partial<RemoteTask>,
  change: Partial<Extract<Task["submission"], { state: "accepted" }>> = { holdId: "hold-1" },
): Task => makeTask({ submission: accepted(remote, { at: now - 2 * minute, checkedAt: now - minute, ...change }) });
const line = (task: Task): string => moneyLine(task, times);

const many = runsOf(100_000, 10_000);

describe("the money of a task", () => {
  it("T10: each step says when, with the date when it is not today", () => {
    assert.equal(
      line(taskOf({ state: "succeeded", completedAt: now - minute })),
      "Hold opened at 11:58:00, settled on success at 11:59:00",
    );
    assert.match(
      line(taskOf({ state: "processing" }, { holdId: "h", at: now - 24 * 60 * minute })),
      /^Hold opened at 14 Jan 12:00:00, open$/,
    );
  });

  it("T10: a hold is opened by an id or a created event, and by nothing else", () => {
    assert.equal(line(taskOf({ state: "processing" }, {})), "the gateway named no hold");
    const created = event({ type: "created", state: "created", createdAt: now - 2 * minute });
    assert.equal(
      line(taskOf({ state: "processing" }, { events: [created] })),
      "Hold opened at 11:58:00 (by an event of the task), open",
    );
    assert.equal(moneyOf(taskOf({ state: "succeeded" }, {})).hold, "not-named");
  });

  it("T10: an end without success is no proof of a release: an event or state 8 is", () => {
    for (const state of ["failed", "cancelled", "expired"] as const) {
      const task = taskOf({ state, completedAt: now - minute });
      assert.equal(moneyOf(task).hold, "release-not-seen", state);
      assert.match(line(task), /release not seen yet$/);
    }
    const released = event({ type: "hold_released" });
    assert.match(
      line(taskOf({ state: "failed" }, { holdId: "h", events: [released] })),
      /^Hold opened at 11:58:00, released at 11:59:00: the task failed$/,
    );
    assert.match(line(taskOf({ state: "refunded", completedAt: now - minute })), /, refunded at 11:59:00$/);
  });

  it("T10 (finding M16): a release is read from state 8 or an exact type of event, never from a word in it, nor before the end", () => {
    const holdAfter = (change: Partial<TaskEvent>, state: RemoteTask["state"] = "failed"): string =>
      moneyOf(taskOf({ state }, { holdId: "h", events: [event(change)] })).hold;
    for (const type of ["refunded", "REFUNDED", "hold.released", "hold-released", "Hold Released", "hold_refunded"])
      assert.equal(holdAfter({ type }), "released", type);
    assert.equal(holdAfter({ state: "refunded", rawStatus: "8" }), "released");
    const words = ["hold_release_failed", "refund_denied", "release_pending", "unreleased", "not_released", "refund"];
    for (const type of words) assert.equal(holdAfter({ type }), "release-not-seen", type);
    const message = "The hold was released.";
    assert.equal(holdAfter({ type: "created", state: "created", message }), "release-not-seen");
    assert.equal(holdAfter({ message }), "release-not-seen");
    assert.equal(holdAfter({ type: "hold_released" }, "processing"), "open");
  });

  it("T10: while a task runs, no event ends its money", () => {
    const released = event({ type: "hold_released", state: "refunded" });
    const { hold, ended } = moneyOf(taskOf({ state: "processing" }, { holdId: "h", events: [released] }));
    assert.deepEqual([hold, ended], ["open", undefined]);
  });

  it("T10 (finding 8): another hold for the same key is said on the row", () => {
    const created = makeCreated({ taskId: "task-2", holdId: "hold-2" });
    const accept = { type: "task-accepted", id, at: now, created } as const;
    const twice = reduceTask(reduceTask(taskOf({ state: "processing" }), accept), accept)!;
    assert.ok(twice.submission.state === "accepted");
    assert.deepEqual(twice.submission.others, [{ taskId: "task-2", holdId: "hold-2", at: now }]);
    assert.equal(twice.submission.taskId, "task-1", "the first stays the task");
    assert.match(taskRow(twice, now, "en").description, /^may be charged twice$/);
    assert.match(line(twice), /another hold for the same idempotency key/);
    const same = { ...accept, created: makeCreated({ holdId: "hold-1", replayed: true }) } as const;
    const once = taskOf({ state: "processing" });
    assert.equal(reduceTask(once, same), once, "the same task again is nothing new");
  });

  it("T10 (finding 8): a task that the gateway made when it was reconciled may have a twin, and the row says so", () => {
    const reconciled = (replayed: boolean, createdAt: number): Task => {
      const remote = makeRemote({ createdAt });
      const unknown = makeTask({
        intent: { createdAt: now - 60 * minute },
        submission: { state: "outcome-unknown", error, at: now - 60 * minute },
      });
      const record = { type: "task-accepted", id, at: now, created: makeCreated({ remote, replayed }) } as const;
      return reduceTask(unknown, record)!;
    };
    assert.match(line(reconciled(false, now)), /made this task when it was asked again/);
    assert.doesNotMatch(line(reconciled(false, now - 59 * minute)), /asked again/, "the first request made it");
    assert.doesNotMatch(line(reconciled(true, now)), /asked again/, "the gateway knew the key");
  });

  it("T10: the list has open holds, releases not seen, unknown outcomes and second holds, with counts of all", async () => {
    const unknown = makeTask({ submission: { state: "outcome-unknown", error, at: now } });
    const tasks = [
      taskOf({ state: "processing" }),
      taskOf({ state: "succeeded" }),
      taskOf({ state: "failed" }),
      taskOf({ state: "failed" }, { holdId: "h", events: [event({ type: "refunded" })] }),
      unknown,
    ];
    const money = await groupByMoney(tasks, new TimeSlices());
    const { tiles } = moneyView(money, "toCheck", context);
    assert.deepEqual(
      tiles.map(({ group, count }) => [group, count]),
      [
        ["reserved", 1],
        ["charged", 1],
        ["notCharged", 1],
        ["toCheck", 2],
        ["notNamed", 0],
        ["free", 0],
      ],
    );
    assert.equal(releasesNotSeen(money).length, 1);
    for (const { group } of tiles) {
      const { rows } = moneyView(money, group, context);
      assert.doesNotMatch(JSON.stringify(rows), /[$€]/);
    }
  });
});

describe("prices on the money page", () => {
  it("T18: each task and each group says what it costs by the person's list, as far as it has a price", async () => {
    const priced = (amount: number): Task => {
      const task = taskOf({ state: "processing" });
      return { ...task, intent: { ...task.intent, price: yours(amount) } };
    };
    const tasks = [priced(0.5), priced(0.04), taskOf({ state: "processing" }), taskOf({ state: "succeeded" })];
    const { rows, tiles } = moneyView(await groupByMoney(tasks, new TimeSlices()), "reserved", context);
    assert.deepEqual(
      rows.map(({ price }) => price),
      [undefined, "$0.04 by your price list", "$0.50 by your price list"],
    );
    assert.deepEqual(
      tiles.filter(({ price }) => price !== undefined).map(({ group, price }) => [group, price]),
      [["reserved", "at least $0.54 by your price list"]],
    );
  });

  it("T18: a group whose tasks all have a price says its sum alone; one of the local gateway, where nothing is paid, does not change that", async () => {
    const paid = taskOf({ state: "processing" });
    const priced = { ...paid, intent: { ...paid.intent, price: yours(0.5) } };
    const free = { ...paid, intent: { ...paid.intent, home: { ...paid.intent.home, origin: localOrigin } } };
    const { tiles } = moneyView(await groupByMoney([priced, free], new TimeSlices()), "reserved", context);
    assert.deepEqual(
      tiles.find(({ group }) => group === "reserved"),
      { group: "reserved", count: 1, price: "$0.50 by your price list" },
    );
  });

  it("T10, T18 (newuser): tasks of the local gateway are a group of their own, and the amounts that it states are nowhere money", async () => {
    const [paid, play] = [0.017, 3].map((amount) => {
      const task = taskOf({ state: "succeeded", cost: { amount, currency: "USD", source: "gateway" } });
      return { ...task, intent: { ...task.intent, price: yours(amount) } };
    });
    assert.ok(paid && play);
    const free = { ...play, intent: { ...play.intent, home: { ...play.intent.home, origin: localOrigin } } };
    const money = await groupByMoney([paid, free, free, free], new TimeSlices());
    const { tiles, rows } = moneyView(money, "free", context);
    assert.deepEqual(
      tiles.filter(({ count }) => count > 0),
      [
        { group: "charged", count: 1, price: "$0.017, the gateway says" },
        { group: "free", count: 3 },
      ],
    );
    for (const row of rows) {
      assert.match(row.money, /^Free: /);
      assert.equal(row.price, undefined);
    }
    assert.match(moneyForModel(free), /^the task is free/);
    assert.match(moneyForModel(paid), /the task is charged$/);
  });
});

describe("one hold of several tasks", () => {
  it("M19, T10: it is said of each that the gateway named the hold for others too", async () => {
    const shared = [1, 2, 3].map(() => taskOf({ state: "processing" }, { holdId: "h" }));
    const tasks = [...shared, taskOf({ state: "processing" }, { holdId: "another" })];
    const { rows } = moneyView(await groupByMoney(tasks, new TimeSlices()), "reserved", context);
    const named = rows.filter(({ details }) => details.includes("the gateway named the same hold for 2 other tasks"));
    assert.deepEqual([rows.length, named.length], [4, 3]);
  });
});

describe("tasks as CSV", () => {
  const signal = new AbortController().signal;
  /** As RFC 4180 says. */
  const parse = (text: string): string[][] => {
    const rows: string[][] = [[]];
    let cell = "";
    let isQuoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]!;
      if (isQuoted && character === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (character === '"') isQuoted = !isQuoted;
      else if (!isQuoted && (character === "," || text.startsWith("\r\n", at))) {
        rows.at(-1)!.push(cell);
        cell = "";
        if (character !== ",") {
          rows.push([]);
          at += 1;
        }
      } else cell += character;
    }
    return rows.slice(0, -1);
  };

  it("T10: any text comes back as it was, formulas as text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), (cells) => {
        const [row = []] = parse(csvRow(cells));
        assert.deepEqual(
          row.map((cell, index) => (cell === cells[index] ? cell : cell.replace(/^'/, ""))),
          cells,
        );
        for (const cell of row) assert.doesNotMatch(cell, /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u);
      }),
    );
    assert.equal(csvRow(["\0=1", "\u200b=1", "＝1"]), `'\0=1,'\u200b=1,'＝1\r\n`);
    assert.equal(
      csvRow(["=HYPERLINK(1)", "+1", "-1", "@a", "\t=1", "\ta", -1]),
      `'=HYPERLINK(1),'+1,'-1,'@a,'\t=1,'\ta,-1\r\n`,
    );
  });

  it("T10: each task is one row with its money and the evidence for it", async () => {
    const task = makeTask({
      intent: { prompt: 'a "boat",\nat sea' },
      submission: accepted(
        { state: "succeeded", completedAt: now },
        { at: now - minute, holdId: "hold-1", saved: { path: "/r/boat.png", mimeType: "image/png", size: 3, at: now } },
      ),
    });
    const [names, row] = parse((await tasksToCsv(new Map([[task.intent.id, task]]), signal)).slice(1));
    const cell = (name: string): string | undefined => row![names!.indexOf(name)];
    assert.equal(cell("Prompt"), 'a "boat",\nat sea');
    assert.equal(cell("Saved as"), "/r/boat.png");
    assert.deepEqual(
      [cell("Hold"), cell("Hold id"), cell("Opened by")],
      ["settled", "hold-1", "response to the submission"],
    );
    assert.deepEqual(
      [cell("Settled or released"), cell("Shown by")],
      [new Date(now).toISOString(), "read of the task"],
    );
  });

  it("T15, T10: a row names by what the task differs from its batch, and the task that it was made from", async () => {
    const source = makeTask({ intent: { id: "a" }, submission: accepted({}, { taskId: "task-a" }) });
    const made = makeTask({ intent: { id: "b", duplicatedFrom: "a", variant: "seed: 2" }, submission: accepted({}) });
    const lost = makeTask({ intent: { id: "c", duplicatedFrom: "gone" }, submission: accepted({}) });
    const tasks = new Map([source, made, lost].map((task) => [task.intent.id, task]));
    const [names, ...rows] = parse((await tasksToCsv(tasks, signal)).slice(1));
    const cells = (name: string): readonly (string | undefined)[] => rows.map((row) => row[names!.indexOf(name)]);
    assert.deepEqual(cells("Variant").slice(0, 3), ["", "seed: 2", ""]);
    assert.deepEqual(cells("Made from task").slice(0, 3), ["", "task-a", ""]);
  });

  it(`T10, F4: ${many} tasks are written in slices`, async () => {
    const task = taskOf({ state: "succeeded" });
    const tasks = new Map(Array.from({ length: many }, (_, index) => [String(index), task]));
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const busy = startBusyTime();
    const text = await tasksToCsv(tasks, signal);
    const spent = busy();
    isDone = true;
    assert.equal(text.split("\r\n").length, many + 2);
    assert.ok(turns >= Math.floor(spent / 40), `${turns} turns of others in ${spent} ms`);
  });
});

describe("charges for tasks without a result", () => {
  const slices = new TimeSlices();
  const settled = event({ type: "hold_settled", state: "failed" });
  const released = event({ type: "hold_released", state: "failed" });
  const failed = (number: number, events: readonly TaskEvent[], change: Partial<RemoteTask> = {}): Task =>
    taskOf(
      { state: "failed", rawStatus: "5", completedAt: now - (100 - number) * minute, ...change },
      { holdId: `hold-${number}`, taskId: `task-${number}`, events },
    );

  it("T18: three in a row are found, with their ids and times", async () => {
    const tasks = [1, 2, 3].map((number) => failed(number, [settled]));
    const [finding, ...others] = await chargesWithoutResult(tasks, now, slices);
    assert.ok(finding);
    assert.deepEqual(others, []);
    assert.equal(
      billSentence(finding),
      "For 3 of 3 tasks that ended without a result “yours.example” lists a charge.".replace(
        "yours.example",
        new URL(finding.origin).host,
      ),
    );
    const evidence = billEvidence(finding, "en-GB", now);
    for (const part of ["task-1", "task-2", "task-3", "hold_settled", "failed", "10:21:00"])
      assert.ok(evidence.includes(part), `${part}: ${evidence}`);
  });

  it("T18: a cost that is stated for them counts, and a release speaks against it", async () => {
    const cost = { amount: 0.2, currency: "USD", source: "gateway" } as const;
    const stated = [1, 2, 3].map((number) => failed(number, [], { cost }));
    assert.equal((await chargesWithoutResult(stated, now, slices))[0]?.out, 3);
    const free = { cost: { ...cost, amount: 0 } };
    const nothing = [
      [failed(1, [settled]), failed(2, [settled])],
      [failed(1, [settled]), failed(2, [settled, released]), failed(3, [settled]), failed(4, [settled])],
      [1, 2, 3].map((number) => failed(number, [released], { cost })),
      [1, 2, 3].map((number) => failed(number, [], free)),
      [1, 2, 3].map((number) => failed(number, [])),
      [1, 2, 3].map((number) => failed(number, [settled], { state: "succeeded", rawStatus: "4" })),
      [1, 2, 3].map((number) => failed(number, [event({ type: "hold_settle_failed" })])),
    ];
    for (const tasks of nothing) assert.deepEqual(await chargesWithoutResult(tasks, now, slices), []);
    assert.deepEqual(await chargesWithoutResult(stated, now + 40 * 24 * 60 * minute, slices), []);
  });

  it("T18: what a gateway has written ends no cell of the evidence", () => {
    const evil = "a | b ` c\n| d";
    const finding = { check: "model", origin: "https://x.example", model: evil, judged: 3, out: 3 } as const;
    const rows = [{ at: 1e300, id: evil, stated: evil, bound: "m" }];
    const lines = billEvidence({ ...finding, rows }, "en-GB", now).split("\n");
    assert.equal(lines.at(-2)?.split("|").length, 6);
  });
});

describe("what a gateway counts as spent", () => {
  const { home } = makeIntent();
  const slices = new TimeSlices(new AbortController().signal);
  const since = now - 60 * minute;
  const stated = (amount: number, more: Partial<Price> = {}): Price =>
    ({ amount, currency: "USD", source: "gateway", ...more }) as const;
  const spentOf = (amount: number) => ({ home, since, amount, currency: "USD" });
  const taskFor = (cost: Price | undefined): Task =>
    taskOf({ state: "succeeded", completedAt: now - minute, ...(cost && { cost }) });

  it("T18: the sum of the rows is what the gateway reports as total, or the rest is shown", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 1_000_000 })),
        fc.array(fc.integer({ min: 0, max: 1_000_000 })),
        fc.integer({ min: 0, max: 10_000_000 }),
        async (answers, tasks, elsewhere) => {
          const cents = [...answers, ...tasks].reduce((sum, one) => sum + one, 0);
          const total = (cents + elsewhere) / 100;
          const usages = answers.map((amount) => ({ cost: stated(amount / 100) }));
          const made = tasks.map((amount) => taskFor(stated(amount / 100)));
          const found = await unseenSpending(spentOf(total), made, usages, slices);
          const isRounding = elsewhere <= 0.01 * (cents + elsewhere);
          assert.equal(found === undefined, isRounding, `${elsewhere} of ${cents + elsewhere}`);
          if (found === undefined) return;
          const shown = found.seen.reduce((sum, { amount }) => sum + amount, found.rest);
          assert.ok(Math.abs(shown - total) < 1e-6, `${shown} of ${total}`);
          assert.match(unseenSentence(found, "llm.example", "en", now), /^Since .* the gateway llm\.example counts \$/);
        },
      ),
      { numRuns: runsOf(1000, 100) },
    ));

  it("T18: nothing of another currency, gateway or time counts, and what has no amount is said", async () => {
    const other = makeTask({
      intent: makeIntent({ home: { ...home, origin: "https://other.example" } }),
      submission: accepted({ state: "succeeded", completedAt: now, cost: stated(50) }, { at: now, checkedAt: now }),
    });
    const before = taskOf({ state: "succeeded", completedAt: since - 120 * minute, cost: stated(50) });
    const usages = [{ cost: stated(2) }, { cost: stated(1, { source: "gateway-list" }) }];
    const found = await unseenSpending(spentOf(10), [other, before, taskFor(stated(4))], usages, slices);
    assert.deepEqual(found, {
      since,
      total: { amount: 10, currency: "USD" },
      seen: [stated(6), stated(1, { source: "gateway-list" })],
      rest: 3,
    });
    assert.equal(
      unseenSentence(found, "llm.example", "en-GB", now),
      "Since 11:00 the gateway llm.example counts $10.00 spent. The chats and tasks here come to $6.00 + $1.00. The other $3.00 was in chats that are deleted, or was not spent here.",
    );
    const failed = taskOf({ state: "failed", completedAt: now - minute });
    const released = taskOf({ state: "refunded", completedAt: now - minute });
    const euros = { cost: stated(50, { currency: "EUR" }) };
    for (const [tasks, answers] of [
      [[], [{}]],
      [[], [euros]],
      [[taskFor(undefined)], []],
      [[failed], []],
    ] as const) {
      const partial = await unseenSpending(spentOf(10), tasks, [...answers, { cost: stated(2) }], slices);
      assert.match(
        unseenSentence(partial!, "llm.example", "en", now),
        /come to at least \$2\.00\. The other \$8\.00 was not stated, was in chats that are deleted, or was not spent here\.$/,
      );
    }
    const whole = await unseenSpending(spentOf(10), [released], [{ cost: stated(2) }], slices);
    assert.deepEqual(whole?.seen, [stated(2)]);
    const none = await unseenSpending(spentOf(10), [taskFor(undefined)], [{}, euros], slices);
    assert.match(
      unseenSentence(none!, "llm.example", "en", now),
      /spent\. No chat or task here has an amount in this currency\.$/,
    );
  });

  it("T18: an amount by the person's list counts as seen", async () => {
    const yourList = stated(8, { source: "your-list" });
    const found = await unseenSpending(spentOf(10), [], [{ cost: yourList }], slices);
    assert.deepEqual([found?.seen, found?.rest], [[yourList], 2]);
    assert.equal(await unseenSpending(spentOf(8), [], [{ cost: yourList }], slices), undefined);
  });

  it("T18: nothing is said while a task of that gateway may be in the total, and its amount is not known yet", async () => {
    const said = async (task: Task): Promise<boolean> =>
      (await unseenSpending(spentOf(10), [task], [], slices)) !== undefined;
    const at = (createdAt: number) => makeIntent({ createdAt });
    const unknown = { state: "outcome-unknown", error, at: now } as const;
    for (const state of ["created", "queued", "processing", "unknown"] as const)
      assert.equal(await said(taskOf({ state })), false, state);
    assert.equal(await said(makeTask({ intent: at(now), submission: unknown })), false);
    assert.equal(await said(makeTask({ intent: at(now), submission: { state: "sending" } })), false);
    assert.equal(
      await said(makeTask({ intent: at(now), submission: { state: "not-accepted", error, at: now } })),
      true,
    );
    assert.equal(await said(makeTask({ intent: at(since - 120 * minute), submission: unknown })), true, "before");
    const other = makeIntent({ createdAt: now, home: { ...home, origin: "https://other.example" } });
    assert.equal(await said(makeTask({ intent: other, submission: unknown })), true, "another gateway");
  });
});
