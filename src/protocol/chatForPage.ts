/** A chat as a page gets it: without the data of pictures and images, which stays in the host, and without what only a gateway reads. */
import type { AnswerEntry, Block, Chat, Entry, SessionEvent, SummaryEntry } from "../domain/chat/chat";

type AnswerOrSummary = AnswerEntry | SummaryEntry;

/** Of answers that have something to leave out. */
const known = new WeakMap<AnswerOrSummary, AnswerOrSummary>();

export function chatForPage({ images: _images, ...chat }: Chat): Chat {
  const entries = entriesForPage(chat.entries);
  const { otherBranch } = chat;
  return otherBranch === undefined
    ? { ...chat, entries }
    : { ...chat, entries, otherBranch: { ...otherBranch, entries: entriesForPage(otherBranch.entries) } };
}

export function entriesForPage(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => ("blocks" in entry && entry.blocks.some(hasData) ? pageAnswer(entry) : entry));
}

/** An event for an event: the page counts them. */
export function eventForPage(event: SessionEvent): SessionEvent {
  if (event.type === "image-stored") return { ...event, image: { ...event.image, data: "" } };
  if (event.type !== "answer-event") return event;
  const { event: inner } = event;
  if (inner.type === "media") return { ...event, event: { ...inner, data: "" } };
  return inner.type === "opaque" ? { ...event, event: { ...inner, data: null } } : event;
}

function pageAnswer(answer: AnswerOrSummary): AnswerOrSummary {
  const page = known.get(answer) ?? { ...answer, blocks: answer.blocks.map(pageBlock) };
  known.set(answer, page);
  return page;
}

function hasData({ type }: Block): boolean {
  return type === "media" || type === "opaque";
}

function pageBlock(block: Block): Block {
  if (block.type === "media") return { ...block, data: "" };
  return block.type === "opaque" ? { ...block, data: null } : block;
}
