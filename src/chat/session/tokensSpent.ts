/** The event for the tokens of a request whose own entry does not count them. */
import { definedFields } from "../../base/definedFields";
import type { SessionEvent } from "../../domain/chat/chat";
import type { Price, TokenCounts } from "../../domain/prices/priceList";
import { spentTokensOf } from "../../domain/prices/tokenDays";

/** `cost`: what the gateway stated. `isFree`: the local gateway was asked, which charges nothing. */
export function tokensSpent(
  model: string,
  counts: TokenCounts,
  at: number,
  { cost, isFree }: { readonly cost?: Price | undefined; readonly isFree?: boolean | undefined },
): Extract<SessionEvent, { readonly type: "tokens-spent" }> {
  const of = spentTokensOf(model, counts);
  const free = isFree === true ? (true as const) : undefined;
  return { type: "tokens-spent", tokens: of.input + of.output, at, of, ...definedFields({ cost, isFree: free }) };
}
