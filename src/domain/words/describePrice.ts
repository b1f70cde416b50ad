/** An amount of money in the reader's locale, always with the name of where it comes from. */
import { t } from "@vscode/l10n";
import { type Price, type PriceList, tokenPricesOf } from "../prices/priceList";

/** *$1.20*, *$0.0031*, *12 credits*: a small amount with its first two digits, so that it is not nothing. */
export function formatPrice({ amount, currency }: Price, locale: string): string {
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
      // No currency of `Intl`.
    }
  }
  const plain = amount < 0.1 ? digits : { maximumFractionDigits: 2 };
  return t("{0} {1}", new Intl.NumberFormat(locale, plain).format(amount), currency);
}

/** *$1.20 by your price list*. */
export function describePrice(price: Price, locale: string): string {
  const text = formatPrice(price, locale);
  return price.isPartial ? t("at least {0} by your price list", text) : t("{0} by your price list", text);
}

/** *$3.00 in, $15.00 out for a million tokens*; `undefined` where the list has no price for the model. */
export function describeTokenPrice(list: PriceList, model: string, locale: string): string | undefined {
  const prices = tokenPricesOf(list, model);
  if (prices === undefined) return undefined;
  const [input, output] = [prices.input ?? 0, prices.output ?? 0].map((amount) =>
    formatPrice({ amount, currency: list.currency }, locale),
  );
  return t("{0} in, {1} out for a million tokens", input ?? "", output ?? "");
}
