/** What answers and tasks cost by the person's own list. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import { moneyOfCapCode, capCodeOf } from "../../../../src/domain/task/dayCapCode";
import {
  amountIn,
  uncountedCurrencies,
  type AmountSource,
  type Price,
  priceOfTask,
  priceOfTokens,
  readAmount,
  sumsOfPrices,
} from "../../../../src/domain/prices/priceList";
import { yours } from "../../../support/builders";
import { secondsIn } from "../../../../src/domain/task/commonOptions";
import { readPriceList } from "../../../../src/domain/task/priceSetting";
import { addSpent, pricesOfSpent } from "../../../../src/domain/prices/tokenDays";
import { describePrice, describePrices, formatPrice } from "../../../../src/domain/words/describePrice";

const list = readPriceList([
  { model: "vendor/small", input: 1, output: 2 },
  { model: "vendor/*-large-*", input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 },
  { type: "video", model: "film-*", task: 0.5, second: 0.1 },
  { type: "async-image", task: 0.04 },
]);

describe("the person's price list", () => {
  it("T18: a request costs what its tokens cost; those of the cache have prices of their own", () => {
    const price = (model: string, counts: Parameters<typeof priceOfTokens>[2]): number | undefined =>
      priceOfTokens(list, model, counts)?.amount;
    assert.equal(price("vendor/small", { input: 1_000_000, output: 500_000 }), 2);
    assert.equal(price("vendor/small", { input: 1_000_000, cacheRead: 900_000 }), 1, "as input where none is set");
    assert.equal(price("vendor/small", { input: 1_000_000, cacheWrite: 900_000 }), 1, "what is written to it, too");
    const cached = { input: 1_000_000, cacheRead: 800_000, cacheWrite: 100_000, output: 10_000 };
    assert.ok(Math.abs(price("vendor/new-large-2", cached)! - (0.3 + 0.24 + 0.375 + 0.15)) < 1e-9);
    assert.equal(
      price("vendor/new-large-2", { input: 10, cacheRead: 1_000_000 }),
      0.3,
      "more of the cache than of all",
    );
    assert.equal(price("vendor/other", { input: 10 }), undefined);
    assert.equal(price("vendor/small", {}), undefined, "nothing was reported");
  });

  it("T18: what is kept for an hour has a price of its own; without one, that of a short time is a lower bound", () => {
    const counts = { input: 1_000_000, cacheWrite: 1_000_000, cacheWriteHour: 400_000 };
    const priceBy = (hour: Readonly<Record<string, number>>): Price | undefined =>
      priceOfTokens(readPriceList([{ model: "m", input: 3, cacheWrite: 4, ...hour }]), "m", counts);
    assert.deepEqual(priceBy({ cacheWriteHour: 6 }), { amount: 4.8, currency: "USD", source: "your-list" });
    assert.deepEqual(priceBy({}), { amount: 4, currency: "USD", source: "your-list", isPartial: true });
    const spent = addSpent(addSpent([], "m", counts), "m", { ...counts, cacheWriteHour: undefined });
    assert.deepEqual(spent, [
      { model: "m", input: 2_000_000, output: 0, cacheRead: 0, cacheWrite: 2_000_000, cacheWriteHour: 400_000 },
    ]);
  });

  it("T18: tokens whose price is not known make the rest a lower bound, and cost nothing that is known alone", () => {
    const listed = { source: "gateway-list", currency: "USD", entries: [{ model: "m", output: 2 }] } as const;
    const price = (counts: Parameters<typeof priceOfTokens>[2]): Price | undefined =>
      priceOfTokens(listed, "m", counts);
    const known = { amount: 2, currency: "USD", source: "gateway-list" } as const;
    assert.deepEqual(price({ input: 0, output: 1_000_000 }), known);
    assert.deepEqual(price({ input: 5, output: 1_000_000 }), { ...known, isPartial: true });
    assert.deepEqual(price({ input: 5, cacheRead: 5, output: 1_000_000 }), { ...known, isPartial: true });
    assert.equal(price({ input: 5, output: 0 }), undefined);
    assert.equal(price({ input: 0, output: 0 })?.amount, 0);
  });

  it("T18: * in a model's id stands for any text, and two parts never share a letter", () => {
    const fits = (model: string, id: string): boolean =>
      priceOfTokens(readPriceList([{ model, input: 1 }]), id, { input: 1 }) !== undefined;
    const rows = [
      ["*", "", true],
      ["a*a", "a", false],
      ["a*a", "aa", true],
      ["a*b*c", "a-b-c", true],
      ["a*b*c", "a-c-b", false],
      ["ab*ba", "aba", false],
      ["*x*x*", "x", false],
      ["*x*x*", "-x-x-", true],
      ["a.c", "abc", false],
      ["a", "A", false],
    ] as const;
    for (const [pattern, id, expected] of rows) assert.equal(fits(pattern, id), expected, `${pattern} ${id}`);
  });

  it("T18: a task costs by its type and model, a video by its seconds", () => {
    const price = (type: string, model: string, metadata?: string): number | undefined =>
      priceOfTask(list, { type, model, ...definedFields({ seconds: secondsIn(metadata) }) })?.amount;
    assert.equal(price("video", "film-2", '{"duration":6}'), 1.1);
    assert.equal(price("video", "film-2", '{"duration":"6 s"}'), 1.1);
    assert.equal(price("async-image", "any"), 0.04);
    assert.equal(price("stylized-image", "any"), undefined);
    assert.equal(price("video", "vendor/small"), undefined, "the price of tokens is none of a task");
  });

  it("T18 (finding M1): a duration that is not known leaves the known part of the price, as a lower bound", () => {
    const odd = [
      "",
      "{}",
      "[]",
      "no JSON",
      '{"duration":-1}',
      '{"duration":null}',
      '{"duration":0}',
      '{"duration":1e21}',
    ];
    const hidden = ['{"duration":"PT600S"}', '{"seconds":600}', '{"duration":5,"seconds":600}'];
    const nested = ['{"duration":5,"video":{"num_frames":9000}}', '{"duration":5,"clips":[{"durationSeconds":60}]}'];
    for (const metadata of [...odd, ...hidden, ...nested]) {
      const price = priceOfTask(list, {
        type: "video",
        model: "film-2",
        ...definedFields({ seconds: secondsIn(metadata) }),
      });
      assert.deepEqual(price, { ...yours(0.5), isPartial: true }, metadata);
    }
  });

  it("T18: an entry that can't be read is left out, and the others count", () => {
    const odd = [
      null,
      3,
      "x",
      { model: "" },
      { model: "a", input: -1 },
      { model: "a", inputs: 3 },
      { model: "a", input: 2 },
      { currency: "EUR" },
      { currency: "credits" },
    ];
    const ours = { source: "your-list" } as const;
    assert.deepEqual(readPriceList(odd), { ...ours, currency: "EUR", entries: [{ model: "a", input: 2 }] });
    assert.deepEqual(readPriceList({ model: "a" }), { ...ours, currency: "USD", entries: [] });
  });

  it("T18: sums say when the price of a part is not known, and never mix sources or currencies", () => {
    const of = (source: AmountSource, amount: number, currency = "USD"): Price => ({ amount, currency, source });
    assert.deepEqual(sumsOfPrices([yours(1), yours(2)]), [yours(3)]);
    assert.deepEqual(sumsOfPrices([yours(1), undefined]), [{ ...yours(1), isPartial: true }]);
    assert.deepEqual(sumsOfPrices([yours(1), yours(5, "EUR")]), [yours(1), yours(5, "EUR")]);
    assert.deepEqual(sumsOfPrices([undefined]), []);
    const mixed = [
      of("your-list", 1),
      of("gateway", 2),
      of("gateway-list", 4),
      of("gateway", 8),
      of("gateway", 16, "EUR"),
    ];
    const sums = [of("gateway", 10), of("gateway", 16, "EUR"), of("gateway-list", 4), of("your-list", 1)];
    assert.deepEqual(sumsOfPrices(mixed), sums);
    assert.equal(amountIn("USD", sums), 15, "a cap counts all that is in its currency");
    assert.deepEqual(uncountedCurrencies(list, sums), ["EUR"], "and leaves out the others, which is said");
    const unnamed = readPriceList([]);
    assert.deepEqual(uncountedCurrencies(unnamed, [of("gateway", 1, "EUR")]), [], "the gateway's is the cap's then");
    assert.deepEqual(uncountedCurrencies(unnamed, []), []);
    const spent = addSpent(addSpent([], "vendor/small", { input: 1e6 }), "vendor/small", { input: 1e6, output: 1e6 });
    assert.deepEqual(pricesOfSpent(list, spent), [yours(4)]);
    assert.deepEqual(pricesOfSpent(list, spent, [of("gateway", 3)]), [of("gateway", 3), yours(4)]);
    assert.deepEqual(pricesOfSpent(list, addSpent(spent, "none", { input: 5 })), [{ ...yours(4), isPartial: true }]);
    assert.equal(addSpent([], "m", { input: -5, output: Number.NaN })[0]?.input, 0);
  });

  it("T18: what can't be an amount is not known, and never 0", () => {
    const known = [0, 0.042, "0.042", "0", "12", "1e-7", "3.5E-05", 1e12] as const;
    assert.deepEqual(known.map(readAmount), [0, 0.042, 0.042, 0, 12, 1e-7, 3.5e-5, 1e12]);
    const odd = [
      "1e309",
      "-1",
      "NaN",
      "Infinity",
      "",
      " ",
      "0x10",
      "1,5",
      "１２",
      "٣",
      "1_0",
      "1.",
      ".5",
      "0".repeat(41),
      "$1",
    ];
    const values = [JSON.parse("1e309"), -1, Number.NaN, 1e13, null, undefined, true, [1], { amount: 1 }, "0.1, 0.2"];
    for (const value of [...odd, ...values]) assert.equal(readAmount(value), undefined, String(value));
  });

  it("T18: amounts in words: the first two digits of a small one, and always whose list it is", () => {
    const usd = (amount: number): string => formatPrice({ amount, currency: "USD" }, "en");
    assert.deepEqual([0, 0.00312, 0.05, 0.5, 1234.5].map(usd), ["$0.00", "$0.0031", "$0.05", "$0.50", "$1,234.50"]);
    assert.equal(formatPrice({ amount: 1234.567, currency: "credits" }, "de"), "1.234,57 credits");
    assert.equal(formatPrice({ amount: 2, currency: "ZZZZ" }, "en"), "2 ZZZZ");
    assert.equal(describePrice(yours(2), "en"), "$2.00 by your price list");
    const partial = { ...yours(2), isPartial: true } as const;
    assert.equal(describePrice(partial, "en"), "at least $2.00 by your price list");
    assert.equal(describePrice({ ...yours(2), source: "gateway" }, "en"), "$2.00, the gateway says");
    const sums = [{ ...yours(2), source: "gateway" }, { ...yours(0.5), source: "gateway-list" }, yours(1)] as const;
    const words = "$2.00, the gateway says + about $0.50 by the gateway's list + $1.00 by your price list";
    assert.equal(describePrices(sums, "en"), words);
  });

  it("T18: the code of a cap of money is not that of a cap of tasks", () => {
    assert.deepEqual(moneyOfCapCode(capCodeOf({ amount: 2.5, currency: "my credits" })), {
      amount: 2.5,
      currency: "my credits",
    });
    for (const code of ["3", "", " ", "x USD"]) assert.equal(moneyOfCapCode(code), undefined, code);
  });
});
