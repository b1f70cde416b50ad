/** Usage in numbers: outcomes by day, times to result, holds that were open together; 100,000 tasks without holding anybody up. */
import assert from "node:assert/strict";
import { TimeSlices } from "../../../src/base/async/timeSlices";
import { localOrigin } from "../../../src/domain/gateway/address";
import { noPriceList, type PriceEntry } from "../../../src/domain/prices/priceList";
import { type Task, type TaskState, taskStates } from "../../../src/domain/task/task";
import type { UsageOutcome } from "../../../src/domain/task/usageOutcome";
import type { TaskUsage } from "../../../src/tasks/contract/usagePageContract";
import { aggregateUsage, fittingRange, outcomeOf } from "../../../src/tasks/usage";
import { modelRow, usageSummary, usageTiles } from "../../../src/tasks/page/usageWords";
import { timeToResult } from "../../../src/tasks/usualTimes";
import { accepted, makeTask, yours } from "../../support/builders";
import { inTimeZone } from "../../support/timeZone";

const now = new Date(2026, 2, 31, 15, 0).getTime();
const minute = 60_000;
const daysAgo = (days: number, hour = 12): number => new Date(2026, 2, 31 - days, hour).getTime();

function done(at: number, seconds: number, change: Partial<Task["intent"]> = {}): Task {
  const remote = { state: "succeeded", rawStatus: "4", createdAt: at, completedAt: at + seconds * 1000 } as const;
  const submission = accepted(remote, { at, checkedAt: at + seconds * 1000, holdId: "hold" });
  return makeTask({ intent: { createdAt: at, ...change }, submission });
}

function count(tasks: readonly Task[], days = 7): Promise<TaskUsage> {
  return aggregateUsage(tasks, { days, now, slices: new TimeSlices(new AbortController().signal) });
}

describe("usage", () => {
  it("T13: counts each task once, on the day on which it was submitted here, by its outcome", async () => {
    const error = { kind: "rejected", message: "no" } as const;
    const { days } = await count([
      done(daysAgo(1), 40),
      makeTask({ intent: { createdAt: daysAgo(1) }, submission: accepted({ state: "failed" }) }),
      makeTask({ intent: { createdAt: daysAgo(1) }, submission: accepted({ state: "refunded" }) }),
      makeTask({ intent: { createdAt: daysAgo(0) }, submission: accepted({ state: "processing" }) }),
      makeTask({ intent: { createdAt: daysAgo(0) }, submission: { state: "outcome-unknown", error, at: 0 } }),
      makeTask({ intent: { createdAt: daysAgo(6, 0) }, submission: { state: "not-accepted", error, at: 0 } }),
      done(daysAgo(7, 23), 40),
      done(now + minute, 40),
    ]);
    assert.equal(days.length, 7);
    assert.deepEqual(days.at(-2)?.counts, { succeeded: 1, failed: 1, ended: 1, open: 0, refused: 0 });
    assert.deepEqual(days.at(-1)?.counts, { succeeded: 0, failed: 0, ended: 0, open: 2, refused: 0 });
    assert.deepEqual(days[0]?.counts, { succeeded: 0, failed: 0, ended: 0, open: 0, refused: 1 });
    const all = days.flatMap(({ counts }) => Object.values(counts)).reduce((sum, one) => sum + one, 0);
    assert.equal(all, 6);
  });

  describe("where the clocks change", () => {
    inTimeZone("Europe/Berlin");

    it("T13: days begin at midnight", async () => {
      const { days } = await count([], 90);
      for (const { start } of days) {
        const day = new Date(start);
        assert.deepEqual([day.getHours(), day.getMinutes()], [0, 0]);
      }
      assert.equal(new Set(days.map(({ start }) => start)).size, 90);
      const hours = days.slice(1).map(({ start }, index) => (start - (days[index]?.start ?? 0)) / 3_600_000);
      assert.deepEqual([...new Set(hours)].sort(), [23, 24], "the clocks change in these days");
    });
  });

  it("T13: median and 9 of 10 by type and model, from what succeeded only", async () => {
    const seconds = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    const usage = await count([
      ...seconds.map((each) => done(daysAgo(1), each, { model: "a" })),
      done(daysAgo(1), 5, { model: "b", type: "async-image", price: yours(0.5) }),
      makeTask({
        intent: { createdAt: daysAgo(1), model: "a" },
        submission: accepted({ state: "failed", completedAt: daysAgo(0) }),
      }),
    ]);
    const none = { succeeded: 0, failed: 0, ended: 0, open: 0, refused: 0 };
    assert.deepEqual(usage.models, [
      {
        type: "video",
        model: "a",
        counts: { ...none, succeeded: 10, failed: 1 },
        median: 50_000,
        p90: 90_000,
        prices: [],
      },
      {
        ...{ type: "async-image", model: "b", counts: { ...none, succeeded: 1 }, median: 5000, p90: 5000 },
        prices: [yours(0.5)],
      },
    ]);
    assert.equal(usage.median, 50_000);
    assert.match(usageSummary(usage, "en-US"), /^Tasks since .+: 12, from the list on this machine\.$/);
    const tiles = usageTiles(usage, noPriceList, "en-US");
    const models = usage.models.map((model) => modelRow(model, "en-US"));
    assert.deepEqual(
      tiles.map(({ name, value, about }) => [name, value, about]),
      [
        ["Tasks", "12", "0 running"],
        ["Succeeded", "91%", "11 of 12"],
        ["Time to result", "50 s", "median"],
        ["Cost", "at least $0.50", "by your price list"],
      ],
    );
    assert.deepEqual(
      models.map(({ success, priceEach }) => [success?.text, priceEach]),
      [
        ["90% (10 of 11)", undefined],
        ["100% (1 of 1)", "$0.50"],
      ],
    );
  });

  it("T13, T18 (newuser): a free task makes no sum a lower bound, and one costs what the paid ones cost", async () => {
    const paid = done(daysAgo(1), 5, { model: "b", price: yours(0.5) });
    const free = { ...paid, intent: { ...paid.intent, home: { ...paid.intent.home, origin: localOrigin } } };
    const usage = await count([paid, free, paid, free]);
    assert.deepEqual(usage.days.at(-2)?.prices, [yours(1)]);
    assert.equal(usageTiles(usage, noPriceList, "en-US").at(-1)?.value, "$1.00");
    const [model] = usage.models;
    assert.ok(model);
    const { price, priceEach } = modelRow(model, "en-US");
    assert.deepEqual([price, priceEach], ["$1.00 by your price list", "$0.50"]);
  });

  it("T18, T13 (newuser low): where no cost is known the tile has the reason that is true", async () => {
    const costOf = async (tasks: readonly Task[], entries: readonly PriceEntry[]): Promise<string | undefined> =>
      usageTiles(await count(tasks), { ...noPriceList, entries }, "en-US").at(-1)?.about;
    const made = [done(daysAgo(1), 5, { model: "b" })];
    const running = [makeTask({ intent: { createdAt: daysAgo(1) }, submission: accepted({ state: "processing" }) })];
    assert.equal(await costOf(made, []), "the gateway states none, and sluice.prices has none");
    assert.equal(await costOf(made, [{ model: "a", task: 1 }]), "sluice.prices had no price for these tasks");
    assert.equal(await costOf(running, [{ task: 1 }]), "none has succeeded");
    const local = (task: Task): Task => ({
      ...task,
      intent: { ...task.intent, home: { ...task.intent.home, origin: "local" } } as Task["intent"],
    });
    assert.equal(await costOf(made.map(local), []), "made by the local gateway");
    const tiles = usageTiles(await count(made.map(local)), noPriceList, "en-US");
    assert.equal(tiles.at(-1)?.value, "free");
    assert.equal(
      await costOf([...made, ...made.map(local)], []),
      "the gateway states none, and sluice.prices has none",
    );
  });

  it("T13: the range is the shortest one that has all tasks", () => {
    assert.equal(fittingRange([], now), 7);
    assert.equal(fittingRange([done(daysAgo(2), 1)], now), 7);
    assert.equal(fittingRange([done(daysAgo(2), 1), done(daysAgo(20), 1)], now), 30);
    assert.equal(fittingRange([done(daysAgo(200), 1)], now), 90);
  });

  it("T12, T13: a time to result is by the gateway's clock, never negative, and unknown where it does not give both ends", () => {
    const at = daysAgo(1);
    const by = (remote: object): number | undefined =>
      timeToResult(makeTask({ submission: accepted({ state: "succeeded", ...remote }, { at, checkedAt: at + 2000 }) }));
    assert.equal(by({ createdAt: at - 5000, completedAt: at + 1000 }), 6000);
    assert.equal(by({ completedAt: at - 99_000 }), undefined);
    assert.equal(by({ createdAt: at }), undefined);
    assert.equal(by({ createdAt: at, completedAt: at - 1000 }), undefined);
  });

  it("T10, T13: holds are those that the gateway named; the most at one moment counts", async () => {
    const at = daysAgo(2);
    const without = makeTask({ intent: { createdAt: at }, submission: accepted({ state: "processing" }, { at }) });
    const open = makeTask({
      intent: { createdAt: at },
      submission: accepted({ state: "processing" }, { at, holdId: "hold" }),
    });
    const { days } = await count([
      done(at, 120),
      done(at + minute, 120),
      done(at + 10 * minute, 5),
      without,
      open,
      // Open since before the first day.
      makeTask({ submission: accepted({ state: "queued" }, { at: daysAgo(30), holdId: "hold" }) }),
    ]);
    assert.deepEqual(
      days.map(({ mostHolds }) => mostHolds),
      [1, 1, 1, 1, 4, 2, 2],
    );
  });

  it("T13: every state of an accepted task has its outcome", () => {
    const outcomes: Readonly<Record<TaskState, UsageOutcome>> = {
      created: "open",
      queued: "open",
      processing: "open",
      unknown: "open",
      succeeded: "succeeded",
      failed: "failed",
      cancelled: "ended",
      expired: "ended",
      refunded: "ended",
    };
    for (const state of taskStates)
      assert.equal(outcomeOf(makeTask({ submission: accepted({ state }) })), outcomes[state], state);
  });

  it("T13: 100,000 tasks are counted in slices, and a newer count ends this one", async () => {
    const tasks = Array.from({ length: 100_000 }, (_, index) => done(now - index * 70_000, index % 100));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const usage = await count(tasks, 90);
    clearInterval(timer);
    const all = usage.days.flatMap(({ counts }) => Object.values(counts)).reduce((sum, one) => sum + one, 0);
    assert.equal(all, 100_000);
    assert.ok(turns > 0, "the event loop ran in between");
    const ended = new AbortController();
    const slices = new TimeSlices(ended.signal, 1);
    const counting = aggregateUsage(tasks, { days: 90, now, slices });
    ended.abort();
    await assert.rejects(counting);
  });
});
