/**
 * Prepares a chat for a page: it leaves out the data of pictures and images, the text of instructions and what only a gateway reads. All of it stays
 * in the host.
 */
import type { ChatEnvironment, Instructions } from "../../domain/chat/environmentSchema";
import type { AnswerEntry, Block, Chat, Entry, SessionEvent, SummaryEntry, ToolProgress } from "../../domain/chat/chat";

type AnswerOrSummary = AnswerEntry | SummaryEntry;

/** The shortened copies, kept for answers that have something to leave out. */
const known = new WeakMap<AnswerOrSummary, AnswerOrSummary>();

export function chatForPage({ images: _images, environment: whole, ...rest }: Chat): Chat {
  const chat = whole === undefined ? rest : { ...rest, environment: pageEnvironment(whole) };
  const entries = entriesForPage(chat.entries);
  const { otherBranch } = chat;
  return otherBranch === undefined
    ? { ...chat, entries }
    : { ...chat, entries, otherBranch: { ...otherBranch, entries: entriesForPage(otherBranch.entries) } };
}

export function entriesForPage(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => ("blocks" in entry && entry.blocks.some(hasData) ? pageAnswer(entry) : entry));
}

/** Shortens each event and drops none, because the page counts them. */
export function eventForPage(event: SessionEvent): SessionEvent {
  if (event.type === "image-stored") return { ...event, image: { ...event.image, data: "" } };
  if (event.type === "environment-read") return { ...event, environment: pageEnvironment(event.environment) };
  if (event.type === "instructions-added") return { ...event, instructions: withoutText(event.instructions) };
  if (event.type === "tool-progress") return { ...event, progress: pageProgress(event.progress) };
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

function hasData(block: Block): boolean {
  if (block.type === "tool-call") return pageProgress(block.progress) !== block.progress;
  return block.type === "media" || block.type === "opaque";
}

function pageEnvironment(environment: ChatEnvironment): ChatEnvironment {
  return { ...environment, instructions: environment.instructions.map(withoutText) };
}

function withoutText(instructions: Instructions): Instructions {
  return { ...instructions, text: "" };
}

function pageProgress(progress: ToolProgress): ToolProgress {
  if (progress.state !== "done" || progress.instructions === undefined) return progress;
  return { ...progress, instructions: progress.instructions.map(withoutText) };
}

function pageBlock(block: Block): Block {
  if (block.type === "tool-call") return { ...block, progress: pageProgress(block.progress) };
  if (block.type === "media") return { ...block, data: "" };
  return block.type === "opaque" ? { ...block, data: null } : block;
}
