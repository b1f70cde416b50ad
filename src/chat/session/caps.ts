/** Checks whether the person's caps for a chat allow its next request: an answer, a summary or a title (T10, T18). */
import { definedFields } from "../../base/definedFields";
import { type AnswerFailure, type Chat, pricesOfChat } from "../../domain/chat/chat";
import { priceListOf } from "../../domain/environment";
import type { Model } from "../../domain/ports";
import { amountIn, amountSources, capCurrency, priceOfTokens } from "../../domain/prices/priceList";
import { isFreeNow, type SessionOptions } from "./sessionOptions";

/** The tokens of the next request. `cacheRead` is the part of `input` that the service has in its cache. */
interface NextTokens {
  readonly input: number;
  readonly cacheRead: number;
}

type CapOptions = Pick<SessionOptions, "settings" | "connections">;

/** Returns the cap that the request would exceed; `undefined` where it may be sent. */
export function overCap(chat: Chat, options: CapOptions, model: Model, next: NextTokens): AnswerFailure | undefined {
  const cap = options.settings.get("caps.tokensPerChat");
  const used = chat.tokens ?? 0;
  if (cap > 0 && used + next.input > cap) return { type: "token-cap", cap, used, next: next.input };
  return overMoneyCap(chat, options, model, next);
}

function overMoneyCap(
  chat: Chat,
  { settings, connections }: CapOptions,
  model: Model,
  tokens: NextTokens,
): AnswerFailure | undefined {
  const cap = settings.get("caps.moneyPerChat");
  if (cap <= 0 || isFreeNow(connections)) return undefined;
  const own = priceListOf(settings);
  const { id, prices: listed } = model;
  const nextPrice = (listed && priceOfTokens(listed, id, tokens)) ?? priceOfTokens(own, id, tokens);
  const prices = pricesOfChat(own, chat);
  const all = [...prices, ...(nextPrice === undefined ? [] : [nextPrice])];
  const currency = capCurrency(own, all);
  const used = amountIn(currency, prices);
  const next = nextPrice?.currency === currency ? nextPrice.amount : undefined;
  if (next === undefined ? used < cap : used + next <= cap) return undefined;
  const sources = amountSources.filter((one) => all.some((by) => by.source === one && by.currency === currency));
  return { type: "money-cap", cap, used, currency, sources, ...definedFields({ next }) };
}
