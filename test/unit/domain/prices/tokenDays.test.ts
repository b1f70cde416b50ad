/** The tokens of chats a day and by model, as the usage page and its CSV have them. */
import assert from "node:assert/strict";
import { noPriceList, type PriceList } from "../../../../src/domain/prices/priceList";
import { type ModelTokens, pricesOfModel, tokensByDay } from "../../../../src/domain/prices/tokenDays";
import { tokenRows } from "../../../../src/tasks/page/usageWords";
import { usageCsv } from "../../../../src/tasks/usage";
import { yours } from "../../../support/builders";
import { inTimeZone } from "../../../support/timeZone";

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime();
const noPrices = noPriceList;

/** A model's tokens of which nobody has said a cost. */
function unpriced(model: string, input: number, output: number, cached: number): ModelTokens {
  const tokens = { input, output, cached };
  return { model, ...tokens, costs: [], unpriced: tokens };
}

describe("tokens of chats", () => {
  inTimeZone("Europe/Berlin");

  it("T13, A8: by day of local time, also where it has 23 hours, and by model; each with the share from the cache", () => {
    const usages = [
      { at: at(29, 0), model: "b", input: 10, output: 1, cached: 0 },
      { at: at(29, 23), model: "a", input: 2000, output: 100, cached: 1500 },
      { at: at(29, 12), model: "a", input: 1000, output: 100, cached: 900 },
      { at: at(31, 1), model: "b", input: 0, output: 5, cached: 0 },
    ];
    const days = tokensByDay(usages);
    assert.deepEqual(days, [
      { start: at(31, 0), models: [unpriced("b", 0, 5, 0)] },
      {
        start: at(29, 0),
        models: [unpriced("a", 3000, 200, 2400), unpriced("b", 10, 1, 0)],
      },
    ]);
    assert.deepEqual(
      tokenRows(days, noPrices, "en-US").map(({ day, model, input, cached, output }) =>
        [day, model, input, cached, output].join(" "),
      ),
      [
        "All days a 3,000 80% 200",
        "All days b 10 0% 6",
        "Mar 31 b 0 0% 5",
        "Mar 29 a 3,000 80% 200",
        "Mar 29 b 10 0% 1",
      ],
    );
    const sources = ["gateway", "gateway_list", "your_list"].map((by) => `price_by_${by},currency_by_${by}`);
    const head = `day,model,input_tokens,cached_input_tokens,output_tokens,${sources.join(",")}`;
    const csv = (prices: PriceList): readonly string[] =>
      usageCsv({ days: [], models: [] }, days, "tokens", prices).split("\r\n").slice(0, 3);
    assert.deepEqual(csv(noPrices), [head, "2026-03-31,b,0,0,5,,,,,,", "2026-03-29,a,3000,2400,200,,,,,,"]);
    // T18: 600 tokens at 1,000, 2,400 of the cache at 100, and 200 at 5,000 for a million.
    const entries = [{ model: "a", input: 1000, cacheRead: 100, output: 5000 }];
    const prices: PriceList = { source: "your-list", currency: "USD", entries };
    assert.equal(csv(prices)[2], "2026-03-29,a,3000,2400,200,,,,,1.84,USD");
    assert.deepEqual(
      tokenRows(days, prices, "en-US").map(({ price }) => price),
      ["$1.84 by your price list", undefined, undefined, "$1.84 by your price list", undefined],
    );
  });

  it("T18: what was stated is not priced a second time, and the rest is by the person's list", () => {
    const tokens = { at: at(29, 1), model: "a", input: 1000, output: 0, cached: 0 };
    const cost = { amount: 0.5, currency: "USD", source: "gateway" } as const;
    const [day] = tokensByDay([tokens, { ...tokens, input: 3000, cost }, { ...tokens, cost }]);
    const prices: PriceList = { source: "your-list", currency: "USD", entries: [{ model: "a", input: 1000 }] };
    assert.deepEqual(
      day?.models.map((model) => [model.input, pricesOfModel(prices, model)]),
      [[5000, [{ ...cost, amount: 1 }, yours(1)]]],
    );
    assert.deepEqual(pricesOfModel(noPriceList, day!.models[0]!), [{ ...cost, amount: 1, isPartial: true }]);
    // What the local gateway answers is free: it has no price, also by the list, and makes no sum a lower bound.
    const [free] = tokensByDay([
      { ...tokens, isFree: true },
      { ...tokens, cost },
    ]);
    for (const list of [prices, noPriceList]) assert.deepEqual(pricesOfModel(list, free!.models[0]!), [cost]);
  });
});
