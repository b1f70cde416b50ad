/** The amounts that one gateway states in its responses (T18): recognises its dialect, and reads costs, list prices and the place of the balance. */
import { asRecord, isRecord, type JsonRecord } from "../../base/jsonValue";
import type { Model } from "../../domain/ports";
import { type Price, type PriceList, priceOfTokens, readAmount, type TokenCounts } from "../../domain/prices/priceList";
import type { ResponseHeaders } from "../http/network/transportError";
import { type BalancePlace, type Dialect, dialects, valueAt } from "./dialects";

/** The part of a response that is read here. */
interface AnsweredBy {
  readonly headers: ResponseHeaders;
  readonly contentType?: string;
}

/** The usage comes from the gateway, so one with more members is ignored. */
const maxUsageFields = 200;

export class GatewayAmounts {
  #dialect: Dialect | undefined;
  /** Whether `#dialect` was only recognised by fields, which other gateways copy. */
  #isByShape = false;
  /** The prices in the last list, by the id of the model. */
  #listed: ReadonlyMap<string, PriceList> = new Map();
  /** The place that states the balance, among those of the dialect. */
  #place = 0;

  constructor(baseUrl: string) {
    const name = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
    this.#dialect = dialects.find(({ hosts }) => hosts?.some((host) => isHost(name, host)));
  }

  /** The name of the gateway, once an answer has shown it. */
  get name(): string | undefined {
    return this.#dialect?.name;
  }

  /** Learns from the headers of any response of the gateway. */
  learn({ headers }: Pick<AnsweredBy, "headers">): void {
    if (this.#dialect !== undefined && !this.#isByShape) return;
    const found = dialects.find((one) => one.headers?.some((name) => headers.get(name) !== undefined));
    if (found === undefined) return;
    this.#isByShape = false;
    if (found === this.#dialect) return;
    this.#dialect = found;
    // None of the new dialect's places has been asked yet.
    this.#place = 0;
  }

  /** The cost that the gateway states for an answer, or `undefined`. `usage` is that of its last chunk. */
  costOf(answered: AnsweredBy, usage: unknown): Price | undefined {
    const fields = readFields(usage);
    return firstCost(
      this.#find("costs", ({ matchesUsage: isUsage }) => isUsage?.(fields)),
      answered,
      fields,
    );
  }

  /** The cost that the gateway states in the response to a read of a task; `body` is the response's body. */
  costOfTask(answered: AnsweredBy, body: unknown): Price | undefined {
    const record = asRecord(body) ?? {};
    const task = asRecord(record["data"]) ?? asRecord(record["task"]) ?? record;
    const fields = readFields(task["usage"]);
    return firstCost(
      this.#find("taskCosts", ({ matchesUsage: isUsage }) => isUsage?.(fields)),
      answered,
      fields,
    );
  }

  /** The prices of a model in the list. */
  pricesOf(model: JsonRecord, id: string): PriceList | undefined {
    const priced = this.#find("prices", ({ matchesModel: isModel }) => isModel?.(model))?.(model);
    return priced && { source: "gateway-list", currency: priced.currency, entries: [{ ...priced.entry, model: id }] };
  }

  /** Takes the prices of a list of models that has been read. */
  setListed(models: readonly Pick<Model, "id" | "prices">[]): void {
    this.#listed = new Map(models.flatMap(({ id, prices }) => (prices === undefined ? [] : [[id, prices] as const])));
  }

  listOf(model: string): PriceList | undefined {
    return this.#listed.get(model);
  }

  /** The cost of an answer by the last list of models. */
  priceOf(model: string, tokens: TokenCounts): Price | undefined {
    const list = this.listOf(model);
    return list && priceOfTokens(list, model, tokens);
  }

  /** The place to read the balance from; `undefined` where the gateway is not known or has no such place. */
  get balancePlace(): BalancePlace | undefined {
    return this.#dialect?.balances?.[this.#place];
  }

  /** Goes to the next place, because the current one stated nothing. After the last one there is none. */
  skipBalancePlace(): void {
    this.#place += 1;
  }

  /** A field of the known dialect. If it has none, that of a dialect whose shape fits, because a proxy may pass on another gateway's amounts. */
  #find<Name extends "costs" | "taskCosts" | "prices">(
    name: Name,
    fits: (dialect: Dialect) => boolean | undefined,
  ): Dialect[Name] | undefined {
    const own = this.#dialect?.[name];
    if (own !== undefined) return own;
    const found = dialects.find((one) => fits(one) === true);
    if (this.#dialect === undefined && found !== undefined) {
      this.#dialect = found;
      this.#isByShape = true;
    }
    return found?.[name];
  }
}

function isHost(name: string, host: string): boolean {
  return name === host || name.endsWith(`.${host}`);
}

function readFields(usage: unknown): JsonRecord {
  return isRecord(usage) && Object.keys(usage).length <= maxUsageFields ? usage : {};
}

function firstCost(
  places: Dialect["costs"],
  { headers, contentType = "" }: AnsweredBy,
  usage: JsonRecord,
): Price | undefined {
  for (const place of places ?? []) {
    if ("header" in place && /\bevent-stream\b/i.test(contentType)) continue;
    const amount = readAmount("header" in place ? headers.get(place.header) : valueAt(usage, place.field));
    if (amount !== undefined) return { amount, currency: place.currency, source: "gateway" };
  }
  return undefined;
}
