/** What one gateway states in its answers (T18): learns its dialect from them, and reads costs, list prices and where the balance stands. */
import { asRecord, isRecord, type JsonRecord } from "../../base/jsonValue";
import type { Model } from "../../domain/ports";
import { type Price, type PriceList, priceOfTokens, readAmount, type TokenCounts } from "../../domain/prices/priceList";
import type { ResponseHeaders } from "../http/network/transportError";
import { type BalancePlace, type Dialect, dialects, valueAt } from "./dialects";

/** What is read of a response. */
interface AnsweredBy {
  readonly headers: ResponseHeaders;
  readonly contentType?: string;
}

/** Members of the usage of an answer that are looked at: it is written by the gateway. */
const maxUsageFields = 200;

export class GatewayAmounts {
  #dialect: Dialect | undefined;
  /** Whether `#dialect` was only recognised by fields, which other gateways copy. */
  #isByShape = false;
  /** By the id of the model: what the last list said. */
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
    // Of its own places none has been asked.
    this.#place = 0;
  }

  /** What the gateway states for an answer: `usage` is that of its last chunk. `undefined` where it states nothing that can be an amount. */
  costOf(answered: AnsweredBy, usage: unknown): Price | undefined {
    const fields = readFields(usage);
    return firstCost(
      this.#find("costs", ({ isUsage }) => isUsage?.(fields)),
      answered,
      fields,
    );
  }

  /** The same for a read of a task; `body` is that of the response. */
  costOfTask(answered: AnsweredBy, body: unknown): Price | undefined {
    const record = asRecord(body) ?? {};
    const task = asRecord(record["data"]) ?? asRecord(record["task"]) ?? record;
    const fields = readFields(task["usage"]);
    return firstCost(
      this.#find("taskCosts", ({ isUsage }) => isUsage?.(fields)),
      answered,
      fields,
    );
  }

  /** The prices of a model in the list. */
  pricesOf(model: JsonRecord, id: string): PriceList | undefined {
    const priced = this.#find("prices", ({ isModel }) => isModel?.(model))?.(model);
    return priced && { source: "gateway-list", currency: priced.currency, entries: [{ ...priced.entry, model: id }] };
  }

  /** The list of models has been read. */
  setListed(models: readonly Pick<Model, "id" | "prices">[]): void {
    this.#listed = new Map(models.flatMap(({ id, prices }) => (prices === undefined ? [] : [[id, prices] as const])));
  }

  listOf(model: string): PriceList | undefined {
    return this.#listed.get(model);
  }

  /** What an answer cost by the last list of models. */
  priceOf(model: string, tokens: TokenCounts): Price | undefined {
    const list = this.listOf(model);
    return list && priceOfTokens(list, model, tokens);
  }

  /** Where to ask for what is left; `undefined` where the gateway is not known or has no such place. */
  get balancePlace(): BalancePlace | undefined {
    return this.#dialect?.balances?.[this.#place];
  }

  /** The place stated nothing: the next one is asked the next time, and after the last one none. */
  skipBalancePlace(): void {
    this.#place += 1;
  }

  /** Of the known dialect; a gateway in front of another one, which states nothing itself, passes on what that one states. */
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
