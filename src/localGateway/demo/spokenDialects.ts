/**
 * Writes this gateway's amounts in the form of another gateway, chosen by `--dialect` (T18). Without the flag no response holds an amount, as in the
 * service's document. The sources of the shapes are in `src/gateway/amounts/dialects.ts`, which is not imported, so that tests against this gateway
 * find a mistake there.
 */
import type { Balance } from "../state/stateDatabase";
import type { LocalModel } from "./models";
import { type TaskTypeWord, taskKinds } from "./taskKinds";

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

export const dialectNames = ["openrouter", "litellm", "new-api", "vercel", "requesty", "comfy"] as const;
export type DialectName = (typeof dialectNames)[number];

/** The form in which a gateway states amounts. The functions get amounts in minor units. */
export interface SpokenDialect {
  /** The headers of each response. */
  readonly headers?: (requestId: string) => Headers;
  /** Added to the usage of an answer. */
  readonly usage?: (amount: number, isStream: boolean) => Fields;
  /** The headers of an answer that is not streamed, and of a read of a task that has succeeded. */
  readonly costHeaders?: (amount: number) => Headers;
  /** Added to a model in the list. */
  readonly model?: (model: LocalModel) => Fields;
  /** Added to a task that has succeeded. */
  readonly task?: (amount: number) => Fields;
  /** The bodies that state the balance, by the path of a GET. */
  readonly balances?: Readonly<Record<string, (balance: Balance) => Fields>>;
}

/** Minor units of a dollar. */
const unitsOfDollar = 10_000;

const dollars = (amount: number): number => amount / unitsOfDollar;

/** Dollars for a token, the same as `chatPrice` in charges.ts: 1 unit for a hundred tokens of a prompt, 4 for a hundred of an answer. */
const tokenPrices = { input: dollars(0.01), output: dollars(0.04) };

/** An amount as text with all its digits, as gateways write prices for one token. */
const digits = (amount: number): string => amount.toFixed(10).replace(/(?<!0)0+$/, "");

const spoken: Readonly<Record<DialectName, SpokenDialect>> = {
  openrouter: {
    usage: (amount) => ({
      cost: dollars(amount),
      is_byok: false,
      cost_details: { upstream_inference_cost: null },
    }),
    task: (amount) => ({ usage: { cost: dollars(amount), is_byok: false } }),
    model: ({ capabilities }) =>
      capabilities.task_types
        ? {}
        : { pricing: { prompt: digits(tokenPrices.input), completion: digits(tokenPrices.output), request: "0" } },
    balances: {
      "/v1/key": () => ({ data: { label: "local", usage: 0, limit: null, limit_remaining: null } }),
      "/v1/credits": ({ deposited, available }) => ({
        data: { total_credits: dollars(deposited), total_usage: dollars(deposited - available) },
      }),
    },
  },
  litellm: {
    headers: (requestId) => ({ "x-litellm-version": "1.91.0", "x-litellm-call-id": requestId }),
    usage: (amount, isStream) => (isStream ? { cost: dollars(amount) } : {}),
    costHeaders: (amount) => ({ "x-litellm-response-cost": String(dollars(amount)) }),
    balances: {
      "/key/info": ({ deposited, available }) => ({
        info: { spend: dollars(deposited - available), max_budget: dollars(deposited) },
      }),
    },
  },
  "new-api": {
    headers: (requestId) => ({ "x-new-api-version": "v1.0.0", "x-oneapi-request-id": requestId }),
    balances: {
      // A dollar has 500,000 of its units.
      "/api/usage/token/": ({ deposited, available }) => ({
        code: true,
        message: "ok",
        data: {
          object: "token_usage",
          total_granted: deposited * 50,
          total_used: (deposited - available) * 50,
          total_available: available * 50,
          unlimited_quota: false,
        },
      }),
    },
  },
  vercel: {
    usage: (amount) => ({ cost: dollars(amount), is_byok: false }),
    model: ({ capabilities: { task_types: types } }) => ({
      type: types ? (types.includes("video") ? "video" : "image") : "language",
      tags: [],
      pricing: types ? pricingOf(types) : { input: digits(tokenPrices.input), output: digits(tokenPrices.output) },
    }),
    balances: {
      "/v1/credits": ({ deposited, available }) => ({
        balance: dollars(available).toFixed(4),
        total_used: dollars(deposited - available).toFixed(4),
      }),
    },
  },
  requesty: {
    usage: (amount) => ({ cost: dollars(amount) }),
    model: ({ capabilities }) =>
      capabilities.task_types
        ? {}
        : {
            input_price: tokenPrices.input,
            output_price: tokenPrices.output,
            cached_price: tokenPrices.input,
            caching_price: tokenPrices.input,
          },
  },
  comfy: {
    headers: (requestId) => ({ "x-comfy-request-id": requestId }),
    costHeaders: (amount) => ({ "x-comfy-credits-used": String(amount / 100) }),
  },
};

/** The price of an image is the amount that is held for it; a second of video costs a tenth of that amount. */
function pricingOf(types: readonly TaskTypeWord[]): Fields {
  const most = Math.max(...types.map((type) => taskKinds[type].estimate));
  return types.includes("video")
    ? { video_duration_pricing: [{ resolution: "720p", cost_per_second: digits(dollars(most / 10)) }] }
    : { image: digits(dollars(most)) };
}

export function dialectOf(name: DialectName | undefined): SpokenDialect {
  return name === undefined ? {} : spoken[name];
}

/** The paths of all dialects. A path of a dialect that is not in use is a 404. */
export const balancePaths: readonly string[] = [
  ...new Set(Object.values(spoken).flatMap(({ balances = {} }) => Object.keys(balances))),
];
