/** Keeps the pieces from which a growing text block was joined, so that an update reads its delta and not the whole text. */
import type { AnswerEntry, Block, Chat, SessionEvent } from "../../../domain/chat/chat";

/** The first `count` pieces joined are the block's text. Later versions of the block append to the same array. */
export interface TextPieces {
  readonly pieces: readonly string[];
  readonly count: number;
}

interface OwnGrowth {
  readonly pieces: string[];
  readonly count: number;
}

const growths = new WeakMap<Block, OwnGrowth>();

/** `undefined` for a block whose text did not arrive in deltas. */
export function growthOf(block: Block): TextPieces | undefined {
  return growths.get(block);
}

/** Must be called after each event, with the chat before and after it. */
export function recordGrowth(before: Chat, after: Chat, event: SessionEvent): void {
  if (event.type !== "answer-event" || !("text" in event.event)) return;
  const { type, text } = event.event;
  if (type !== "text-delta" && type !== "reasoning-delta") return;
  const index = after.entries.findLastIndex((entry) => entry.id === event.id);
  const [was, now] = [before.entries[index], after.entries[index]];
  if (was === undefined || now === undefined || !("blocks" in was && "blocks" in now)) return;
  const [old, block] = changedBlock(was, now);
  if (!isText(block)) return;
  const known = old === undefined ? undefined : growths.get(old);
  // Only the newest version of a block may append to the pieces.
  const pieces = known?.pieces.length === known?.count ? known?.pieces : undefined;
  if (pieces !== undefined) pieces.push(text);
  const grown = pieces ?? [isText(old) ? old.text : "", text];
  growths.set(block, { pieces: grown, count: grown.length });
}

function isText(block: Block | undefined): block is Extract<Block, { type: "text" | "reasoning" }> {
  return block?.type === "text" || block?.type === "reasoning";
}

function changedBlock(
  was: Pick<AnswerEntry, "blocks">,
  now: Pick<AnswerEntry, "blocks">,
): readonly [Block | undefined, Block | undefined] {
  const index = now.blocks.findLastIndex((block, at) => block !== was.blocks[at]);
  return [was.blocks[index], now.blocks[index]];
}
