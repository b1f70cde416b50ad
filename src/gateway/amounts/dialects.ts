/**
 * The gateways that state amounts, by their public documentation (T18): how each is recognised in responses, and the places of the cost of a call or
 * a task, of list prices and of the balance. A gateway is never probed. A value that its documentation does not list is no amount.
 */
import { asArray, asRecord, asText, isRecord, type JsonRecord } from "../../base/jsonValue";
import { type PriceEntry, readAmount } from "../../domain/prices/priceList";

/** An amount as a gateway states it; the currency is an ISO code, or the gateway's name for its units. */
export interface StatedAmount {
  readonly amount: number;
  readonly currency: string;
}

/** The place in a response that states its cost. */
type CostPlace =
  /** A path in the usage of the answer, whatever its family. */
  | { readonly field: string; readonly currency: string }
  /** A header. It states nothing for a stream, whose headers are sent before its cost is known. */
  | { readonly header: string; readonly currency: string };

/** One GET that states the balance. */
export interface BalancePlace {
  readonly path: string;
  /** The path begins at the root of the host instead of after the version in the gateway's address. */
  readonly isAtRoot?: true;
  /** Returns an empty list when the body states no balance. */
  readonly read: (body: JsonRecord) => readonly StatedAmount[];
  /** Reads the total that was spent so far from the same body; an empty list when it states none. DeepSeek and Moonshot state no total. */
  readonly spent?: (body: JsonRecord) => readonly StatedAmount[];
}

export interface Dialect {
  readonly name: string;
  /** Host names; their subdomains count too. */
  readonly hosts?: readonly string[];
  /** Any of these response headers identifies the gateway. */
  readonly headers?: readonly string[];
  /** Whether the fields of an answer's usage identify the gateway. */
  readonly matchesUsage?: (usage: JsonRecord) => boolean;
  /** Whether the fields of a listed model identify the gateway. */
  readonly matchesModel?: (model: JsonRecord) => boolean;
  readonly costs?: readonly CostPlace[];
  /** The places in the response to a read of a task that has succeeded. */
  readonly taskCosts?: readonly CostPlace[];
  /** The prices of a listed model; `undefined` without a price. */
  readonly prices?: (model: JsonRecord) => { readonly currency: string; readonly entry: PriceEntry } | undefined;
  /** When a place states nothing, the next read of the balance uses the next place. */
  readonly balances?: readonly BalancePlace[];
}

const usd = "USD";

/** The first match counts, so a proxy must be listed before the gateways that it may be in front of. */
export const dialects: readonly Dialect[] = [
  {
    /**
     * Headers and cost: docs.litellm.ai/docs/proxy/response_headers and /docs/proxy/pass_through_cost_tracking ("decimal string, USD"). A stream's
     * headers are sent before its cost is known (issue BerriAI/litellm#12689): there `usage.cost` of the last chunk states it
     * (`include_cost_in_streaming_usage`, docs.litellm.ai/docs/completion/usage). Balance: docs.litellm.ai/docs/proxy/virtual_keys, `GET /key/info`.
     */
    name: "LiteLLM",
    headers: ["x-litellm-version", "x-litellm-call-id", "x-litellm-model-id"],
    costs: [
      { field: "cost", currency: usd },
      { header: "x-litellm-response-cost", currency: usd },
    ],
    taskCosts: [{ header: "x-litellm-response-cost", currency: usd }],
    balances: [
      {
        path: "/key/info",
        isAtRoot: true,
        read: (body) => difference(body, "info.max_budget", "info.spend", usd),
        spent: (body) => stated(body, "info.spend", usd),
      },
    ],
  },
  {
    /**
     * QuantumNous/new-api: middleware `PoweredBy` sends the header; `GET /api/usage/token/` (docs.newapi.pro, token usage) states the quota of the
     * key, and constant.QuotaPerUnit is 500,000 for a dollar. With `unlimited_quota` the remaining quota has no meaning and may be negative. No
     * answer states a cost (issue QuantumNous/new-api#7054).
     */
    name: "New API",
    headers: ["x-new-api-version"],
    balances: [
      {
        path: "/api/usage/token/",
        isAtRoot: true,
        read: (body) =>
          valueAt(body, "data.unlimited_quota") === false ? stated(body, "data.total_available", usd, 500_000) : [],
        spent: (body) => stated(body, "data.total_used", usd, 500_000),
      },
    ],
  },
  {
    /** songquanpeng/one-api, middleware/request-id.go. The balance takes two requests there, so it is not read. */
    name: "One API",
    headers: ["x-oneapi-request-id"],
  },
  {
    /** portkey.ai/docs/api-reference/inference-api/response-schema: four headers, none with an amount. */
    name: "Portkey",
    headers: ["x-portkey-trace-id", "x-portkey-last-used-option-index"],
  },
  {
    /** developers.cloudflare.com/ai-gateway/glossary: costs are in its logs, which another key reads. */
    name: "Cloudflare AI Gateway",
    headers: ["cf-aig-log-id", "cf-aig-event-id", "cf-aig-cache-status"],
  },
  {
    /** docs.comfy.org/development/comfy-router: the credits of a run, in the response of a run and in the result of a queued one. */
    name: "Comfy",
    headers: ["x-comfy-credits-used", "x-comfy-request-id"],
    costs: [{ header: "x-comfy-credits-used", currency: "credits" }],
    taskCosts: [{ header: "x-comfy-credits-used", currency: "credits" }],
  },
  {
    /**
     * vercel.com/docs/ai-gateway: `usage.cost` in USD; `GET /v1/credits` (observability-and-spend/usage) has `balance` as text; prices of the list
     * are text in USD for one token, for a picture (`image`), or for a second of video.
     */
    name: "Vercel AI Gateway",
    hosts: ["ai-gateway.vercel.sh"],
    matchesModel: ({ type, tags, pricing }) =>
      typeof type === "string" &&
      Array.isArray(tags) &&
      isRecord(pricing) &&
      ["input", "image", "video_duration_pricing"].some((name) => name in pricing) &&
      !["input", "output", "image"].some((name) => typeof pricing[name] === "number"),
    costs: [{ field: "cost", currency: usd }],
    prices: (model) => {
      const pricing = asRecord(model["pricing"]) ?? {};
      const [rate, ...others] = asArray(pricing["video_duration_pricing"]).map((one) =>
        readAmount(asRecord(one)?.["cost_per_second"]),
      );
      return priced(usd, {
        input: perMillion(pricing["input"]),
        output: perMillion(pricing["output"]),
        cacheRead: perMillion(pricing["input_cache_read"]),
        cacheWrite: perMillion(pricing["input_cache_write"]),
        task: readAmount(pricing["image"]),
        // Different rates depend on a size that is not chosen yet, so no price is given.
        second: others.every((other) => other === rate) ? rate : undefined,
      });
    },
    balances: [
      {
        path: "/credits",
        read: (body) => stated(body, "balance", usd),
        spent: (body) => stated(body, "total_used", usd),
      },
    ],
  },
  {
    /**
     * requesty.ai: every answer has `usage.cost` in USD; `GET /v1/models` (docs.requesty.ai) has `input_price`, `output_price`, `cached_price` and
     * `caching_price` for one token.
     */
    name: "Requesty",
    hosts: ["requesty.ai"],
    matchesModel: (model) =>
      ["input_price", "output_price", "cached_price", "caching_price"].every((name) => name in model),
    costs: [{ field: "cost", currency: usd }],
    prices: (model) =>
      priced(usd, {
        input: perMillion(model["input_price"]),
        output: perMillion(model["output_price"]),
        cacheRead: perMillion(model["cached_price"]),
        cacheWrite: perMillion(model["caching_price"]),
      }),
  },
  {
    /** api-docs.deepseek.com/api/get-user-balance: a balance for each currency, as text. */
    name: "DeepSeek",
    hosts: ["api.deepseek.com"],
    balances: [
      {
        path: "/user/balance",
        isAtRoot: true,
        read: (body) =>
          asArray(body["balance_infos"])
            .slice(0, 5)
            .flatMap((one) =>
              isRecord(one) ? stated(one, "total_balance", asText(one["currency"])?.slice(0, 10) ?? "") : [],
            ),
      },
    ],
  },
  {
    /** platform.moonshot.cn/docs/api/misc: `data.available_balance`, in yuan at this host. */
    name: "Moonshot",
    hosts: ["api.moonshot.cn"],
    balances: [{ path: "/users/me/balance", read: (body) => stated(body, "data.available_balance", "CNY") }],
  },
  {
    /** platform.moonshot.ai/docs/api/misc: the same in dollars. */
    name: "Moonshot",
    hosts: ["api.moonshot.ai"],
    balances: [{ path: "/users/me/balance", read: (body) => stated(body, "data.available_balance", usd) }],
  },
  {
    /**
     * openrouter.ai/docs/use-cases/usage-accounting: `usage.cost` in the last chunk, with `cost_details` or `is_byok`. Prices: /docs/models
     * (`pricing`, USD for one token, as text; -1 where they vary). Balance: `GET /key` has `limit_remaining` where the key has a limit,
     * `GET /credits` the totals of the account. Tasks: /docs/api/api-reference/video-generation/get-videos (`usage.cost`). It is the last entry,
     * because other gateways relay its responses, which would match it.
     */
    name: "OpenRouter",
    hosts: ["openrouter.ai"],
    matchesUsage: (usage) => "cost" in usage && ("cost_details" in usage || "is_byok" in usage),
    matchesModel: ({ pricing }) =>
      isRecord(pricing) && typeof pricing["prompt"] === "string" && "completion" in pricing,
    costs: [{ field: "cost", currency: usd }],
    taskCosts: [{ field: "cost", currency: usd }],
    prices: (model) => {
      const pricing = asRecord(model["pricing"]) ?? {};
      return priced(usd, {
        request: readAmount(pricing["request"]),
        input: perMillion(pricing["prompt"]),
        output: perMillion(pricing["completion"]),
        cacheRead: perMillion(pricing["input_cache_read"]),
        cacheWrite: perMillion(pricing["input_cache_write"]),
      });
    },
    balances: [
      {
        path: "/key",
        read: (body) => stated(body, "data.limit_remaining", usd),
        spent: (body) => stated(body, "data.usage", usd),
      },
      {
        path: "/credits",
        read: (body) => difference(body, "data.total_credits", "data.total_usage", usd),
        spent: (body) => stated(body, "data.total_usage", usd),
      },
    ],
  },
];

/** The place of the balance from a person's settings, for a gateway that is not in the table. */
export function balancePlaceOf(place: {
  readonly path: string;
  readonly field: string;
  readonly currency: string;
}): BalancePlace {
  return { path: place.path, isAtRoot: true, read: (body) => stated(body, place.field, place.currency) };
}

/** The value at a path, which is names and indices with dots between, such as `data.items.0.cost`. `undefined` where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return /^\d{1,4}$/.test(name) ? (inner as readonly unknown[])[Number(name)] : undefined;
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** The amount at a path of the body; empty where there is none. `units`: the number of units there that make one of the currency. */
function stated(body: JsonRecord, path: string, currency: string, units = 1): readonly StatedAmount[] {
  const amount = readAmount(valueAt(body, path));
  return amount === undefined || currency === "" ? [] : [{ amount: amount / units, currency }];
}

/** What is left of a whole; empty where more is used than there is. */
function difference(body: JsonRecord, whole: string, used: string, currency: string): readonly StatedAmount[] {
  const [all, less] = [whole, used].map((path) => readAmount(valueAt(body, path)));
  return all === undefined || less === undefined || less > all ? [] : [{ amount: all - less, currency }];
}

/** A price for a million tokens from that for one. It is rounded, because 0.00000015 times a million is not 0.15 in binary fractions. */
function perMillion(price: unknown): number | undefined {
  const amount = readAmount(price);
  return amount === undefined ? undefined : Number((amount * 1_000_000).toPrecision(12));
}

function priced(
  currency: string,
  prices: { readonly [Name in keyof PriceEntry]?: PriceEntry[Name] | undefined },
): { readonly currency: string; readonly entry: PriceEntry } | undefined {
  const known = Object.entries(prices).filter(([, price]) => price !== undefined);
  return known.length === 0 ? undefined : { currency, entry: Object.fromEntries(known) };
}
