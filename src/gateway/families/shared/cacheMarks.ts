/**
 * Marks for the prompt cache of Claude's services: `cache_control` on a block says that the prompt up to its end is kept for five
 * minutes and read from there for a tenth of its price. Chat completions of OpenRouter and LiteLLM take the same field.
 */
import type { JsonRecord } from "../../../base/jsonValue";

/** A service refuses a request with more than four marks. One is for tools and system prompt. */
const maxMarked = 3;
/** The last prompt or results, and those before: there the previous request ended, and what it wrote is read. */
const ownMarks = 2;

/** The same blocks with a mark on the last one; none where there is no block. */
export function markLast(blocks: readonly JsonRecord[]): readonly JsonRecord[] {
  return [
    ...blocks.slice(0, -1),
    ...blocks.slice(-1).map((block) => ({ ...block, cache_control: { type: "ephemeral" } })),
  ];
}

/**
 * The messages whose last block is marked, by their index: those that the caller marked, else the last before an answer. What lies
 * before a mark is the beginning of the next request as well.
 */
export function placesOfMarks(
  messages: readonly { readonly isAnswer: boolean; readonly cacheMark?: true }[],
): ReadonlySet<number> {
  const indices = [...messages.keys()];
  const byCaller = indices.filter((index) => messages[index]?.cacheMark);
  if (byCaller.length > 0) return new Set(byCaller.slice(-maxMarked));
  const isEnd = (index: number): boolean => !messages[index]?.isAnswer && messages[index + 1]?.isAnswer !== false;
  return new Set(indices.filter(isEnd).slice(-ownMarks));
}
