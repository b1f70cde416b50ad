/**
 * The person's own tasks in numbers (T13): tasks a day by outcome, time to result, holds open at once. Pure; in time slices, because there may be
 * 100,000 tasks.
 */
import { isFreeTask } from "../domain/task/sameHome";
import type { TimeSlices } from "../base/async/timeSlices";
import { definedFields } from "../base/definedFields";
import { acceptedOf, phaseOf } from "../domain/task/phase";
import { amountSources, type Price, type PriceList, sumsOfPrices } from "../domain/prices/priceList";
import type { Task } from "../domain/task/task";
import { countAllOutcomes, type UsageOutcome, usageOutcomes } from "../domain/task/usageOutcome";
import { pricesOfModel, type TokenDay } from "../domain/prices/tokenDays";
import { type CsvCell, csvRow } from "../base/text/csv";
import {
  type TaskUsage,
  type UsageModel,
  type UsageRange,
  usageRanges,
  type UsageTable,
} from "./contract/usagePageContract";
import { endedAt, moneyOf, priceOfTask } from "./money";
import { timeToResult } from "./usualTimes";

/** The tasks are read between slices, so they must not change their order meanwhile. */
export async function aggregateUsage(
  tasks: Iterable<Task>,
  { days, now, slices }: { readonly days: number; readonly now: number; readonly slices: TimeSlices },
): Promise<TaskUsage> {
  const starts = dayStarts(days, now);
  const [first = now] = starts;
  const counts = starts.map(noCounts);
  const prices = starts.map((): (Price | undefined)[] => []);
  const models = new ModelCounter();
  const holds = new HoldCounter(starts, now);
  let read = 0;
  let [hasFree, hasPaid] = [false, false];
  for (const task of tasks) {
    if ((read += 1) % 500 === 0 && slices.isSpent) await slices.next();
    holds.add(task);
    const { createdAt } = task.intent;
    if (createdAt < first || createdAt > now) continue;
    const outcome = outcomeOf(task);
    const day = counts[indexOfDay(starts, createdAt)];
    if (day) day[outcome] += 1;
    if (outcome === "succeeded") {
      // A free task has no price, which makes no sum a lower bound.
      if (isFreeTask(task)) hasFree = true;
      else {
        hasPaid = true;
        prices[indexOfDay(starts, createdAt)]?.push(priceOfTask(task));
      }
    }
    models.add(task, outcome);
  }
  if (slices.isSpent) await slices.next();
  const mostHolds = await holds.mostByDay(slices);
  return {
    days: starts.map((start, index) => ({
      start,
      counts: counts[index] ?? noCounts(),
      mostHolds: mostHolds[index] ?? 0,
      prices: sumsOfPrices(prices[index] ?? []),
    })),
    ...models.read(),
    ...(hasFree && !hasPaid ? { isFree: true as const } : {}),
  };
}

function noCounts(): Record<UsageOutcome, number> {
  return { succeeded: 0, failed: 0, ended: 0, open: 0, refused: 0 };
}

interface CountedModel {
  readonly type: string;
  readonly model: string;
  readonly counts: Record<UsageOutcome, number>;
  readonly durations: number[];
  /** Of the tasks that succeeded, without the free ones. */
  readonly prices: (Price | undefined)[];
}

class ModelCounter {
  readonly #models = new Map<string, CountedModel>();

  add(task: Task, outcome: UsageOutcome): void {
    const { type, model } = task.intent;
    const key = `${type} ${model}`;
    const counted = this.#models.get(key) ?? { type, model, counts: noCounts(), durations: [], prices: [] };
    this.#models.set(key, counted);
    counted.counts[outcome] += 1;
    if (outcome !== "succeeded") return;
    if (!isFreeTask(task)) counted.prices.push(priceOfTask(task));
    const duration = timeToResult(task);
    if (duration !== undefined) counted.durations.push(duration);
  }

  read(): Pick<TaskUsage, "models" | "median"> {
    const models = [...this.#models.values()];
    const { median } = describeDurations(models.flatMap(({ durations }) => durations));
    const described = models.map(({ type, model, counts, durations, prices }): UsageModel => {
      const free = counts.succeeded - prices.length;
      const sums = sumsOfPrices(prices);
      return { type, model, counts, ...describeDurations(durations), prices: sums, ...(free > 0 ? { free } : {}) };
    });
    return {
      models: described.sort(
        (a, b) => countAllOutcomes(b.counts) - countAllOutcomes(a.counts) || a.model.localeCompare(b.model),
      ),
      ...definedFields({ median }),
    };
  }
}

export function outcomeOf(task: Task): UsageOutcome {
  const phase = phaseOf(task);
  switch (phase) {
    case "prepared":
    case "sending":
    case "outcome-unknown":
    case "created":
    case "queued":
    case "processing":
    case "unknown":
      return "open";
    case "not-accepted":
    case "withdrawn":
      return "refused";
    case "succeeded":
    case "failed":
      return phase;
    case "cancelled":
    case "expired":
    case "refunded":
      return "ended";
  }
}

/** The midnights of local time, by the calendar: a day has 23 or 25 hours where the clocks change. */
function dayStarts(days: number, now: number): number[] {
  const today = new Date(now);
  const at = (back: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime();
  return Array.from({ length: days }, (_, index) => at(days - 1 - index));
}

/** The index of the last start that is not after `at`; -1 before the first. */
function indexOfDay(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value that this share of the sorted values does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function describeDurations(all: readonly number[]): Pick<UsageModel, "median" | "p90"> {
  if (all.length === 0) return {};
  const sorted = Array.from(Float64Array.from(all).sort());
  return { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) };
}

/** The times at which the hold of a task opened and, if it did, ended; `undefined` where the gateway named none. */
function holdSpan(task: Task): { readonly at: number; readonly end: number | undefined } | undefined {
  const accepted = acceptedOf(task);
  const { opened } = moneyOf(task);
  if (!accepted || !opened) return undefined;
  const end = endedAt(accepted);
  return { at: opened.at, end: end === undefined ? undefined : Math.max(opened.at, end) };
}

/** Counts the holds that are open at a moment. */
class HoldCounter {
  readonly #starts: readonly number[];
  readonly #now: number;
  /** Holds that were open when the first day began. */
  #before = 0;
  /** The moments of each day at which a hold opened or closed. */
  readonly #changes: { readonly at: number; readonly by: 1 | -1 }[][];

  constructor(starts: readonly number[], now: number) {
    this.#starts = starts;
    this.#now = now;
    this.#changes = starts.map(() => []);
  }

  add(task: Task): void {
    const span = holdSpan(task);
    if (!span) return;
    const { at, end } = span;
    const first = this.#starts[0] ?? this.#now;
    if (at > this.#now || (end !== undefined && end < first)) return;
    if (at < first) this.#before += 1;
    else this.#changes[indexOfDay(this.#starts, at)]?.push({ at, by: 1 });
    if (end !== undefined && end <= this.#now) this.#changes[indexOfDay(this.#starts, end)]?.push({ at: end, by: -1 });
  }

  async mostByDay(slices: TimeSlices): Promise<number[]> {
    let open = this.#before;
    const most: number[] = [];
    for (const changes of this.#changes) {
      if (slices.isSpent) await slices.next();
      // A hold that closes at the moment in which another one opens was not open together with it.
      changes.sort((a, b) => a.at - b.at || a.by - b.by);
      let peak = open;
      for (const { by } of changes) peak = Math.max(peak, (open += by));
      most.push(peak);
    }
    return most;
  }
}

/** The shortest range that has all tasks: a few days would be bars at the edge of an empty plot. */
export function fittingRange(tasks: readonly Task[], now: number): UsageRange {
  const first = tasks.reduce((oldest, { intent }) => Math.min(oldest, intent.createdAt), now);
  const [week, month, longest] = usageRanges;
  return [week, month].find((days) => now - first < (days - 1) * 86_400_000) ?? longest;
}

/** Writes a CSV for programs: English names, ISO dates, seconds. */
export function usageCsv(usage: TaskUsage, tokens: readonly TokenDay[], table: UsageTable, prices: PriceList): string {
  return rowsOf(usage, tokens, table, prices).map(csvRow).join("");
}

function rowsOf(
  { days, models }: TaskUsage,
  tokens: readonly TokenDay[],
  table: UsageTable,
  prices: PriceList,
): CsvCell[][] {
  switch (table) {
    case "days":
      return [
        ["day", ...usageOutcomes, "most_holds_open", ...priceHeads],
        ...days.map(({ start, counts, mostHolds, prices: cost }) => [
          isoDay(start),
          ...usageOutcomes.map((one) => counts[one]),
          mostHolds,
          ...priceCells(cost),
        ]),
      ];
    case "models":
      return [
        ["type", "model", ...usageOutcomes, "median_seconds", "p90_seconds", ...priceHeads],
        ...models.map(({ type, model, counts, median, p90, prices: cost }) => [
          type,
          model,
          ...usageOutcomes.map((one) => counts[one]),
          median && median / 1000,
          p90 && p90 / 1000,
          ...priceCells(cost),
        ]),
      ];
    case "tokens":
      return [
        ["day", "model", "input_tokens", "cached_input_tokens", "output_tokens", ...priceHeads],
        ...tokens.flatMap(({ start, models: ofDay }) =>
          ofDay.map((one) => [
            isoDay(start),
            one.model,
            one.input,
            one.cached,
            one.output,
            ...priceCells(pricesOfModel(prices, one)),
          ]),
        ),
      ];
  }
}

/** A column for each source: they are never added. */
const priceHeads = amountSources.flatMap((source) => {
  const name = source.replace("-", "_");
  return [`price_by_${name}`, `currency_by_${name}`];
});

/** Several currencies of one source are in the same cell: a program that adds them up must split them. */
function priceCells(prices: readonly Price[]): CsvCell[] {
  return amountSources.flatMap((source): CsvCell[] => {
    const [first, ...others] = prices.filter((one) => one.source === source);
    const all = first === undefined ? [] : [first, ...others];
    return others.length === 0
      ? [first?.amount, first?.currency]
      : [all.map(({ amount }) => amount).join(" "), all.map(({ currency }) => currency).join(" ")];
  });
}

function isoDay(start: number): string {
  const day = new Date(start);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
