/** The person's usage as its page shows it, and as CSV. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import { type CsvCell, csvRow } from "../../../base/text/csv";
import { startOfNextDay } from "../../../base/localDay";
import { definedFields } from "../../../base/definedFields";
import { type PriceList, priceOfTokens } from "../../../domain/prices/priceList";
import { type Price, sumOfPrices } from "../../../domain/prices/price";
import type { Task } from "../../../domain/task/task";
import { describePrice, formatPrice } from "../../../domain/words/describePrice";
import { usageOutcomes } from "../../../domain/task/usageOutcome";
import { type ModelTokens, type TokenDay, tokensByModel } from "../../../chat/index/tokenDays";
import type { UsageListView, UsageTable, UsageTokensView, UsageView } from "../../../protocol/usagePageContract";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { createTimes, stateName } from "../../../tasks/view/taskWords";
import type { TaskUsage } from "../../../tasks/money/usage";
import { formatDuration } from "../../../domain/words/formatDuration";
import { toneOf } from "./taskPageView";

export interface UsageContext {
  readonly now: number;
  readonly locale: string;
  /** The most tasks of one day; 0 or missing for no cap. */
  readonly cap?: number;
  /** The person's price list. */
  readonly prices: PriceList;
}

export function usageView({ days, times }: TaskUsage, { locale, cap = 0 }: UsageContext): UsageView {
  const spent = sumOfPrices(days.flatMap(({ price }) => price ?? []));
  const isPartial = days.some(({ price }) => price?.isPartial);
  const name = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const count = days.reduce((sum, { counts }) => sum + usageOutcomes.reduce((all, one) => all + counts[one], 0), 0);
  const since = days[0] ? name.format(days[0].start) : "";
  return {
    days: days.map((day) => ({ ...day, name: name.format(day.start) })),
    times: times.map(({ type, model, count, median, p90 }) => ({
      name: `${taskTypeName(type)} · ${model}`,
      count,
      median,
      p90,
      medianText: formatDuration(median, locale),
      p90Text: formatDuration(p90, locale),
    })),
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
    ...definedFields({ price: spent && describePrice(isPartial ? { ...spent, isPartial } : spent, locale) }),
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
  { days, times }: TaskUsage,
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
    case "times":
      return [
        ["type", "model", "succeeded", "median_seconds", "p90_seconds"],
        ...times.map(({ type, model, count, median, p90 }) => [type, model, count, median / 1000, p90 / 1000]),
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
