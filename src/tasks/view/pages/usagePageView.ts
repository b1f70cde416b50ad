/** The person's usage as its page shows it, and as CSV. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import { type CsvCell, csvRow } from "../../../base/text/csv";
import { startOfNextDay } from "../../../base/localDay";
import { definedFields } from "../../../base/definedFields";
import { type PriceList, priceOfTokens, type Price, sumOfPrices } from "../../../domain/prices/priceList";
import type { Task } from "../../../domain/task/task";
import { formatPrice } from "../../../domain/words/describePrice";
import { countTasks, type UsageOutcome, usageOutcomes } from "../../../domain/task/usageOutcome";
import { type ModelTokens, type TokenDay, tokensByModel } from "../../../domain/prices/tokenDays";
import {
  type UsageListView,
  type UsageModelView,
  type UsageRange,
  type UsageTable,
  type UsageTile,
  type UsageTokensView,
  type UsageView,
  usageRanges,
} from "../../contract/usagePageContract";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { stateName } from "../taskWords";
import { createTimes, formatDuration } from "../../../domain/words/timeFormats";
import type { TaskUsage, UsageModel } from "../../usage";

import { toneOf } from "./taskPageView";

export interface UsageContext {
  readonly now: number;
  readonly locale: string;
  /** The most tasks of one day; 0 or missing for no cap. */
  readonly cap?: number;
  /** The person's price list. */
  readonly prices: PriceList;
}

export function usageView(usage: TaskUsage, { locale, cap = 0, prices }: UsageContext): UsageView {
  const { days, models } = usage;
  const name = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const count = countOf(usage);
  const since = days[0] ? name.format(days[0].start) : "";
  return {
    days: days.map((day) => ({ ...day, name: name.format(day.start) })),
    tiles: tilesOf(usage, locale, prices),
    models: models.map((model) => modelView(model, locale)),
    summary:
      count === 0
        ? t("No tasks since {0}.", since)
        : plural(
            count,
            { other: "Tasks since {0}: {1}, from the list on this machine." },
            since,
            new Intl.NumberFormat(locale).format(count),
          ),
    ...(cap > 0 ? { cap } : {}),
  };
}

/** The shortest one that has all tasks: a few days would be bars at the edge of an empty plot. */
export function fittingRange(tasks: readonly Task[], now: number): UsageRange {
  const first = tasks.reduce((oldest, { intent }) => Math.min(oldest, intent.createdAt), now);
  const [week, month, longest] = usageRanges;
  return [week, month].find((days) => now - first < (days - 1) * 86_400_000) ?? longest;
}

function countOf({ days }: TaskUsage): number {
  return days.reduce((sum, { counts }) => sum + countTasks(counts), 0);
}

/** For what is not known. */
const nothingKnown = "–";

function tilesOf(usage: TaskUsage, locale: string, prices: PriceList): readonly UsageTile[] {
  const { days, median } = usage;
  const number = new Intl.NumberFormat(locale);
  const sum = (outcome: UsageOutcome): number => days.reduce((all, { counts }) => all + counts[outcome], 0);
  const success = successOf({ succeeded: sum("succeeded"), failed: sum("failed") }, locale);
  const spent = sumOfPrices(days.flatMap(({ price }) => price ?? []));
  const isPartial = days.some(({ price }) => price?.isPartial);
  return [
    { name: t("Tasks"), value: number.format(countOf(usage)), about: t("{0} running", number.format(sum("open"))) },
    { name: t("Succeeded"), value: success?.percent ?? nothingKnown, about: success?.text ?? t("none has ended") },
    {
      name: t("Time to result"),
      value: median === undefined ? nothingKnown : formatDuration(median, locale),
      about: t("median"),
    },
    {
      name: t("Cost"),
      ...costOf(usage, spent, { locale, prices, succeeded: sum("succeeded"), isPartial }),
    },
  ];
}

function costOf(
  { isFree }: TaskUsage,
  spent: Price | undefined,
  facts: {
    readonly locale: string;
    readonly prices: PriceList;
    readonly succeeded: number;
    readonly isPartial: boolean;
  },
): Pick<UsageTile, "value" | "about"> {
  if (isFree) return { value: t("free"), about: t("made by the local gateway") };
  if (spent === undefined) return { value: nothingKnown, about: whyNoCost(facts.prices, facts.succeeded) };
  return { value: formatPrice(spent, facts.locale), about: describeCost(facts.isPartial) };
}

function describeCost(isPartial: boolean): string {
  return isPartial ? t("at least, by your price list") : t("by your price list");
}

/** A task keeps the price that the list had for it when it was submitted. */
function whyNoCost({ entries }: PriceList, succeeded: number): string {
  if (entries.length === 0) return t("no prices in sluice.prices");
  return succeeded === 0 ? t("none has succeeded") : t("sluice.prices had no price for these tasks");
}

/** The share that succeeded, of the tasks that succeeded or failed. Cancelled ones are left out: their end does not depend on the model. */
function successOf(
  { succeeded, failed }: Pick<Record<UsageOutcome, number>, "succeeded" | "failed">,
  locale: string,
): { readonly share: number; readonly percent: string; readonly text: string } | undefined {
  const decided = succeeded + failed;
  if (decided === 0) return undefined;
  const share = succeeded / decided;
  // Not up to 100 % where one has failed.
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(Math.floor(share * 100) / 100);
  const number = new Intl.NumberFormat(locale);
  return { share, percent, text: t("{0} of {1}", number.format(succeeded), number.format(decided)) };
}

function modelView({ type, model, counts, median, p90, price }: UsageModel, locale: string): UsageModelView {
  const success = successOf(counts, locale);
  const each = price && { ...price, amount: price.amount / counts.succeeded };
  return {
    name: `${taskTypeName(type)} · ${model}`,
    count: new Intl.NumberFormat(locale).format(countTasks(counts)),
    ...definedFields({
      success: success && { share: success.share, text: `${success.percent} (${success.text})` },
      time:
        median === undefined || p90 === undefined
          ? undefined
          : { median, p90, medianText: formatDuration(median, locale), p90Text: formatDuration(p90, locale) },
      price: price && formatPrice(price, locale),
      priceEach: price?.isPartial === true ? undefined : each && formatPrice(each, locale),
    }),
  };
}

/** The sums of all days first. */
export function tokensView(
  days: readonly TokenDay[],
  { locale, prices }: Pick<UsageContext, "locale" | "prices">,
): readonly UsageTokensView[] {
  const name = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  const row = (day: string, { model, input, cached, output }: ModelTokens): UsageTokensView => {
    const share = input === 0 ? 0 : cached / input;
    const texts = { input: count.format(input), cached: percent.format(share), output: count.format(output) };
    const price = priceOfModel(prices, { model, input, cached, output });
    return { day, model, share, ...texts, ...definedFields({ price: price && formatPrice(price, locale) }) };
  };
  const all = tokensByModel(days.flatMap(({ models }) => models));
  return [
    ...all.map((one) => row(t("All days"), one)),
    ...days.flatMap(({ start, models }) => models.map((one) => row(name.format(start), one))),
  ];
}

function priceOfModel(prices: PriceList, { model, input, cached, output }: ModelTokens): Price | undefined {
  return priceOfTokens(prices, model, { input, output, cacheRead: cached });
}

/** Rows of a day's list; more are counted only. */
const maxListLength = 200;

export function usageList(tasks: Iterable<Task>, start: number, { now, locale }: UsageContext): UsageListView {
  const end = startOfNextDay(start);
  const times = createTimes(locale, now);
  const all = [...tasks].filter(({ intent }) => intent.createdAt >= start && intent.createdAt < end).reverse();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(start);
  return {
    start,
    title: plural(all.length, { one: "{0}: 1 task", other: "{0}: {1} tasks" }, day, all.length),
    tasks: all.slice(0, maxListLength).map((task) => ({
      id: task.intent.id,
      title: cutLabel(task.intent.prompt),
      about: `${taskTypeName(task.intent.type)} · ${task.intent.model} · ${times.short(task.intent.createdAt)}`,
      tone: toneOf(task),
      state: stateName(task),
    })),
    more: Math.max(0, all.length - maxListLength),
  };
}

/** For programs: English names, ISO dates, seconds. */
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
        ["day", ...usageOutcomes, "most_holds_open", "price_by_list", "currency"],
        ...days.map(({ start, counts, mostHolds, price }) => [
          isoDay(start),
          ...usageOutcomes.map((one) => counts[one]),
          mostHolds,
          price?.amount,
          price?.currency,
        ]),
      ];
    case "models":
      return [
        ["type", "model", ...usageOutcomes, "median_seconds", "p90_seconds", "price_by_list", "currency"],
        ...models.map(({ type, model, counts, median, p90, price }) => [
          type,
          model,
          ...usageOutcomes.map((one) => counts[one]),
          median && median / 1000,
          p90 && p90 / 1000,
          price?.amount,
          price?.currency,
        ]),
      ];
    case "tokens":
      return [
        ["day", "model", "input_tokens", "cached_input_tokens", "output_tokens", "price_by_list", "currency"],
        ...tokens.flatMap(({ start, models }) =>
          models.map((one) => {
            const price = priceOfModel(prices, one);
            return [isoDay(start), one.model, one.input, one.cached, one.output, price?.amount, price?.currency];
          }),
        ),
      ];
  }
}

function isoDay(start: number): string {
  const day = new Date(start);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
