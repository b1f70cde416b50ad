/** An amount of money in the reader's locale, always with the name of its source. */
import { t } from "@vscode/l10n";
import {
  type AmountSource,
  type PricedTask,
  amountSources,
  type Price,
  type PriceList,
  taskPricesOf,
  tokenPricesOf,
} from "../prices/priceList";

/** *$1.20*, *$0.0031*, *12 credits*: a small amount with its first two digits, so that it is not nothing. */
export function formatPrice({ amount, currency }: Pick<Price, "amount" | "currency">, locale: string): string {
  const digits = amount > 0 && amount < 0.1 ? { maximumSignificantDigits: 2 } : {};
  if (/^[A-Z]{3}$/.test(currency)) {
    try {
      return new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        currencyDisplay: "narrowSymbol",
        ...digits,
      }).format(amount);
    } catch {
      // `Intl` does not know the currency.
    }
  }
  const plain = amount < 0.1 ? digits : { maximumFractionDigits: 2 };
  return t("{0} {1}", new Intl.NumberFormat(locale, plain).format(amount), currency);
}

/** *$0.042, the gateway says*, *about $0.24 by the gateway's list*, *$1.20 by your price list*. */
export function describePrice(price: Price, locale: string): string {
  const { source, isPartial = false } = price;
  const text = formatPrice(price, locale);
  switch (source) {
    case "gateway":
      return isPartial ? t("at least {0}, the gateway says", text) : t("{0}, the gateway says", text);
    case "gateway-list":
      return isPartial ? t("at least {0} by the gateway's list", text) : t("about {0} by the gateway's list", text);
    case "your-list":
      return isPartial ? t("at least {0} by your price list", text) : t("{0} by your price list", text);
  }
}

/** The sums of several sources and currencies next to each other, because they are never added; empty for none. */
export function describePrices(prices: readonly Price[], locale: string): string {
  return prices.map((price) => describePrice(price, locale)).join(" + ");
}

/** The amounts alone, where the sources are named next to them: *$0.04 + at least $1.20*. */
export function formatPrices(prices: readonly Price[], locale: string): string {
  return prices
    .map((price) => {
      const text = formatPrice(price, locale);
      return price.isPartial ? t("at least {0}", text) : text;
    })
    .join(" + ");
}

/** *Costs in USD don't count for your cap of €5.00.* The cap would otherwise seem to hold for them. */
export function describeUncounted(
  cap: Pick<Price, "amount" | "currency">,
  currencies: readonly string[],
  locale: string,
): string {
  const names = new Intl.ListFormat(locale).format(currencies);
  return t("Costs in {0} don't count for your cap of {1}.", names, formatPrice(cap, locale));
}

/** *the gateway's amounts and your price list*, to follow *by*. */
export function listSources(sources: readonly AmountSource[], locale: string): string {
  const names = amountSources.filter((one) => sources.includes(one)).map(amountSourceName);
  return new Intl.ListFormat(locale).format(names);
}

/** The name of the source of an amount. */
export function amountSourceName(source: AmountSource): string {
  switch (source) {
    case "gateway":
      return t("the gateway's amounts");
    case "gateway-list":
      return t("the gateway's list");
    case "your-list":
      return t("your price list");
  }
}

/** *$0.04 each*, *$0.10 a second*, by whose list; `undefined` where it has no price for tasks of the model. */
export function describeTaskPrice(list: PriceList, task: PricedTask, locale: string): string | undefined {
  const prices = taskPricesOf(list, task);
  if (prices === undefined) return undefined;
  const format = (amount: number): string => formatPrice({ amount, currency: list.currency }, locale);
  const { task: each = 0, second = 0 } = prices;
  const source = amountSourceName(list.source);
  if (second === 0) return t("{0} each, by {1}", format(each), source);
  if (each === 0) return t("{0} a second, by {1}", format(second), source);
  return t("{0} each and {1} a second, by {2}", format(each), format(second), source);
}

/** *$3.00 in, $15.00 out for a million tokens, by the gateway's list*; `undefined` where the list has no price for the model. */
export function describeTokenPrice(list: PriceList, model: string, locale: string): string | undefined {
  const prices = tokenPricesOf(list, model);
  if (prices === undefined) return undefined;
  const [input, output] = [prices.input, prices.output].map((amount) =>
    amount === undefined ? "?" : formatPrice({ amount, currency: list.currency }, locale),
  );
  return t("{0} in, {1} out for a million tokens, by {2}", input ?? "", output ?? "", amountSourceName(list.source));
}
