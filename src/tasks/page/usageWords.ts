/** The usage in the words and numbers of the reader's language. Without the DOM, so that it can be tested without a browser. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../base/definedFields";
import { type Price, type PriceList, sumsOfPrices } from "../../domain/prices/priceList";
import { type ModelTokens, pricesOfModel, type TokenDay, tokensByModel } from "../../domain/prices/tokenDays";
import { countAllOutcomes, type UsageOutcome } from "../../domain/task/usageOutcome";
import { describePrices, formatPrice, formatPrices, listSources } from "../../domain/words/describePrice";
import { formatDuration } from "../../domain/words/timeFormats";
import { plural } from "../../domain/words/plural";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import type { TaskUsage, UsageList, UsageModel } from "../contract/usagePageContract";

/** A number that a reader sees first, with what it counts and what it depends on. */
export interface UsageTile {
  readonly name: string;
  readonly value: string;
  readonly about: string;
}

export interface ModelRow {
  readonly name: string;
  readonly count: string;
  /** The share of success of tasks that succeeded or failed; missing where none did. */
  readonly success?: { readonly share: number; readonly text: string };
  /** The times in milliseconds, for the plot, and in words. Missing where no task succeeded, or the gateway gave no times. */
  readonly time?: {
    readonly median: number;
    readonly p90: number;
    readonly medianText: string;
    readonly p90Text: string;
  };
  /** The mean price of the tasks that succeeded; missing where prices differ in source or currency, or one of them is not known. */
  readonly priceEach?: string;
  readonly price?: string;
}

/** The tokens of one model in the chats of a day, or of all days. */
export interface TokenRow {
  readonly day: string;
  readonly model: string;
  readonly input: string;
  readonly cached: string;
  /** The part of the input that the service read from its cache; 0 to 1. */
  readonly share: number;
  readonly output: string;
  /** The price with its sources; missing where it is not known. */
  readonly price?: string;
}

/** Names a day, such as `12 Nov`, by its start. */
export function dayNames(locale: string): (start: number) => string {
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  return (start) => format.format(start);
}

/** A sentence on the number of tasks, and the day since which they are counted. */
export function usageSummary(usage: TaskUsage, locale: string): string {
  const [first] = usage.days;
  const count = countOf(usage);
  const since = first ? dayNames(locale)(first.start) : "";
  if (count === 0) return t("No tasks since {0}.", since);
  const shown = new Intl.NumberFormat(locale).format(count);
  return plural(count, { other: "Tasks since {0}: {1}, from the list on this machine." }, since, shown);
}

export function listTitle({ start, tasks, more }: UsageList, locale: string): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(start);
  const count = tasks.length + more;
  return plural(count, { one: "{0}: 1 task", other: "{0}: {1} tasks" }, day, count);
}

function countOf({ days }: TaskUsage): number {
  return days.reduce((sum, { counts }) => sum + countAllOutcomes(counts), 0);
}

/** Stands for a value that is not known. */
const nothingKnown = "–";

export function usageTiles(usage: TaskUsage, prices: PriceList, locale: string): readonly UsageTile[] {
  const { days, median } = usage;
  const number = new Intl.NumberFormat(locale);
  const sum = (outcome: UsageOutcome): number => days.reduce((all, { counts }) => all + counts[outcome], 0);
  const success = successOf({ succeeded: sum("succeeded"), failed: sum("failed") }, locale);
  const spent = sumsOfPrices(days.flatMap((day) => day.prices));
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
      ...costOf(usage, spent, { locale, prices, succeeded: sum("succeeded") }),
    },
  ];
}

function costOf(
  { isFree }: TaskUsage,
  spent: readonly Price[],
  facts: {
    readonly locale: string;
    readonly prices: PriceList;
    readonly succeeded: number;
  },
): Pick<UsageTile, "value" | "about"> {
  if (isFree) return { value: t("free"), about: t("made by the local gateway") };
  if (spent.length === 0) return { value: nothingKnown, about: whyNoCost(facts.prices, facts.succeeded) };
  return {
    value: formatPrices(spent, facts.locale),
    about: t(
      "by {0}",
      listSources(
        spent.map(({ source }) => source),
        facts.locale,
      ),
    ),
  };
}

/**
 * Says why no cost is shown. A task keeps the price that the person's list had for it when it was submitted, so a price that was added later does not
 * count for it.
 */
function whyNoCost({ entries }: PriceList, succeeded: number): string {
  if (succeeded === 0) return t("none has succeeded");
  return entries.length === 0
    ? t("the gateway states none, and sluice.prices has none")
    : t("sluice.prices had no price for these tasks");
}

/** The share that succeeded, of the tasks that succeeded or failed. Cancelled ones are left out: their end does not depend on the model. */
function successOf(
  { succeeded, failed }: Pick<Record<UsageOutcome, number>, "succeeded" | "failed">,
  locale: string,
): { readonly share: number; readonly percent: string; readonly text: string } | undefined {
  const decided = succeeded + failed;
  if (decided === 0) return undefined;
  const share = succeeded / decided;
  // The share is rounded down, so that it is not 100 % where one task has failed.
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(Math.floor(share * 100) / 100);
  const number = new Intl.NumberFormat(locale);
  return { share, percent, text: t("{0} of {1}", number.format(succeeded), number.format(decided)) };
}

export function modelRow({ type, model, counts, median, p90, prices, free = 0 }: UsageModel, locale: string): ModelRow {
  const success = successOf(counts, locale);
  const [only] = prices;
  const isWhole = prices.length === 1 && only?.isPartial !== true;
  const each = only && { ...only, amount: only.amount / (counts.succeeded - free) };
  return {
    name: `${taskTypeName(type)} · ${model}`,
    count: new Intl.NumberFormat(locale).format(countAllOutcomes(counts)),
    ...definedFields({
      success: success && { share: success.share, text: `${success.percent} (${success.text})` },
      time:
        median === undefined || p90 === undefined
          ? undefined
          : { median, p90, medianText: formatDuration(median, locale), p90Text: formatDuration(p90, locale) },
      price: prices.length === 0 ? undefined : describePrices(prices, locale),
      priceEach: isWhole && each ? formatPrice(each, locale) : undefined,
    }),
  };
}

/** The rows of the table of tokens, the sums of all days first. */
export function tokenRows(days: readonly TokenDay[], prices: PriceList, locale: string): readonly TokenRow[] {
  const name = dayNames(locale);
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  const row = (day: string, tokens: ModelTokens): TokenRow => {
    const { model, input, cached, output } = tokens;
    const share = input === 0 ? 0 : cached / input;
    const texts = { input: count.format(input), cached: percent.format(share), output: count.format(output) };
    const cost = pricesOfModel(prices, tokens);
    return {
      day,
      model,
      share,
      ...texts,
      ...definedFields({ price: cost.length === 0 ? undefined : describePrices(cost, locale) }),
    };
  };
  const all = tokensByModel(days.flatMap(({ models }) => models));
  return [
    ...all.map((tokens) => row(t("All days"), tokens)),
    ...days.flatMap(({ start, models }) => models.map((tokens) => row(name(start), tokens))),
  ];
}
