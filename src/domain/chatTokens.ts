/** The tokens of a chat, which its cap limits. Pure. */
import type { Chat, SessionEvent } from "./transcript";

/** What an answer that ends took: as the gateway reported it, or by estimate. */
export function tokensOfEnded(
  { entries }: Chat,
  { id, estimate = 0 }: Extract<SessionEvent, { readonly type: "answer-ended" }>,
): number {
  const entry = entries.findLast((one) => one.id === id);
  const usage = entry !== undefined && "usage" in entry ? entry.usage : undefined;
  return countOf(usage?.input) + countOf(usage?.output) + countOf(estimate);
}

/** What any other request took. */
export function addTokens(chat: Chat, count: number): Chat {
  const tokens = countOf(count);
  return tokens === 0 ? chat : { ...chat, tokens: Math.min((chat.tokens ?? 0) + tokens, Number.MAX_SAFE_INTEGER) };
}

/** A gateway may report any number. */
function countOf(tokens = 0): number {
  return Math.round(Math.min(Math.max(0, tokens), 1e12));
}
