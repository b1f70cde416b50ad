/** The messages about pictures that a model answered with: a page gets a chat without their data, and asks for those that it draws. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import type { AnswerEntry, Block, Chat, Entry, SessionEvent } from "../domain/transcript";

/** A media block of an answer. */
const place = { answer: z.string(), block: z.number() };

export const mediaActions = ["save", "save-into-workspace", "insert"] as const;
export type MediaAction = (typeof mediaActions)[number];

export const mediaIntents = [
  z.object({ type: z.literal("media-request"), ...place }),
  z.object({ type: z.literal("media-act"), ...place, action: z.enum(mediaActions) }),
] as const;

/** Without a picture: of a type or size that is not shown. `data` is base64. */
export const mediaMessage = z.object({
  type: z.literal("media"),
  ...place,
  picture: z.exactOptional(z.object({ mimeType: z.string(), data: z.string() })),
});
export type MediaMessage = Immutable<z.infer<typeof mediaMessage>>;

/** Of answers that have something to leave out. */
const light = new WeakMap<AnswerEntry, AnswerEntry>();

/** Entries without the data of pictures and without what only a gateway reads. */
export function lightEntries(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => (entry.type === "answer" && entry.blocks.some(isHeavy) ? lightAnswer(entry) : entry));
}

export function lightChat(chat: Chat): Chat {
  const entries = lightEntries(chat.entries);
  const { otherBranch } = chat;
  return otherBranch === undefined
    ? { ...chat, entries }
    : { ...chat, entries, otherBranch: { ...otherBranch, entries: lightEntries(otherBranch.entries) } };
}

export function lightEvent(event: SessionEvent): SessionEvent {
  if (event.type !== "answer-event") return event;
  const { event: inner } = event;
  if (inner.type === "media") return { ...event, event: { ...inner, data: "" } };
  return inner.type === "opaque" ? { ...event, event: { ...inner, data: null } } : event;
}

function lightAnswer(answer: AnswerEntry): AnswerEntry {
  const known = light.get(answer) ?? { ...answer, blocks: answer.blocks.map(lightBlock) };
  light.set(answer, known);
  return known;
}

function isHeavy({ type }: Block): boolean {
  return type === "media" || type === "opaque";
}

function lightBlock(block: Block): Block {
  if (block.type === "media") return { ...block, data: "" };
  return block.type === "opaque" ? { ...block, data: null } : block;
}
