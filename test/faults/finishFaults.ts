/** Quirks Q-E9, Q-E10 and Q-R10: answers that end in order, but before they are whole. */
import * as z from "zod/mini";
import type { Family } from "../../src/domain/chat/chatEvent";
import { count, kind, nothing } from "./faultKind";
import type { StreamEvent, StreamFault, StreamOutput } from "../../src/localGateway/http/requestFaults";
import { hasContent, isFinish } from "./eventContent";
import { type StreamFaultKind, streamKind } from "./streamFaultKind";

const record = z.record(z.string(), z.unknown());
const chunkSchema = z.looseObject({ choices: z.tuple([z.looseObject({ delta: record })]) });
const blockSchema = z.looseObject({
  type: z.enum(["content_block_start", "content_block_delta", "content_block_stop"]),
  index: z.int(),
});
const deltaSchema = z.looseObject({ type: z.literal("message_delta"), delta: record });
const candidateSchema = z.looseObject({ candidates: z.tuple([record]) });

/** The word of each family for the end of an answer. */
type Reasons = Readonly<Record<Family, string>>;

const atLimit: Reasons = { "chat-completions": "length", messages: "max_tokens", "generate-content": "MAX_TOKENS" };
const inOrder: Reasons = { "chat-completions": "stop", messages: "end_turn", "generate-content": "STOP" };

/** Leaves out what comes after so many events with content, thinking too, and gives that reason for the end. */
function endAfter(limit: number, reason: string): StreamFault {
  let seen = 0;
  /** Blocks of the messages family that were begun before. */
  const begun = new Set<number>();
  return {
    event(event): readonly StreamOutput[] {
      if (isFinish(event)) return [withReason(event, reason, seen >= limit)];
      const block = blockSchema.safeParse(event.data);
      if (block.success && block.data.type === "content_block_stop") return begun.has(block.data.index) ? [event] : [];
      if (seen >= limit && (block.success || isPart(event))) return [];
      if (block.success) begun.add(block.data.index);
      if (hasContent(event)) seen += 1;
      return [event];
    },
  };
}

/** Content or thinking in the two families without blocks; the first chunk of an answer, with nothing but a role, is none. */
function isPart({ data }: StreamEvent): boolean {
  const chunk = chunkSchema.safeParse(data);
  if (chunk.success) return Object.keys(chunk.data.choices[0].delta).some((name) => name !== "role");
  return candidateSchema.safeParse(data).success;
}

/** `isEmptied`: what the event has beside it comes after the end. */
function withReason({ name, data }: StreamEvent, reason: string, isEmptied: boolean): StreamEvent {
  const named = name === undefined ? {} : { name };
  const delta = deltaSchema.safeParse(data);
  if (delta.success) return { ...named, data: { ...delta.data, delta: { ...delta.data.delta, stop_reason: reason } } };
  const chunk = chunkSchema.safeParse(data);
  if (chunk.success) {
    const [choice] = chunk.data.choices;
    const kept = isEmptied ? { ...choice, delta: {} } : choice;
    return { ...named, data: { ...chunk.data, choices: [{ ...kept, finish_reason: reason }] } };
  }
  const body = candidateSchema.parse(data);
  const [candidate] = body.candidates;
  const kept = isEmptied ? { ...candidate, content: { parts: [], role: "model" } } : candidate;
  return { ...named, data: { ...body, candidates: [{ ...kept, finishReason: reason }] } };
}

export const finishFaults: readonly StreamFaultKind[] = [
  streamKind(
    kind("end.length", "ends a stream after so many content chunks as if the output limit were reached", count(3)),
    (limit, { family }) => endAfter(limit, atLimit[family]),
  ),
  streamKind(kind("end.empty", "ends a stream in order, without any content", nothing), (_, { family }) =>
    endAfter(0, inOrder[family]),
  ),
  streamKind(
    kind("err.malformed-call", "ends a stream without content, because the model's call could not be read", nothing),
    () => endAfter(0, "MALFORMED_FUNCTION_CALL"),
    "generate-content",
  ),
];
