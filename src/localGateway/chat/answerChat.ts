/** Answers and charges a chat request of any family: the built-in model composes the answer, and the family's encoder writes it. */
import type { Family } from "../../domain/chat/chatEvent";
import { EventStream } from "../http/eventStream";
import { HttpError } from "../http/httpError";
import { type RequestContext, sendJson } from "../http/requestContext";
import type { ChatServices, CachedPrompt } from "./chatServices";
import { composeAnswer, type ModelAnswer } from "../demo/model/builtInModel";
import type { ModelRequest } from "../demo/conversation";
import type { AnswerEncoder, StreamedTokens, AnswerPart } from "./answerEncoder";
import { TokenCounter, streamAnswer } from "./streamAnswer";

/** Bytes of a chat request, which may contain images. */
export const maxChatBodySize = 20_000_000;

/** The parts of a response that differ between the families. */
export interface FamilyWire {
  readonly family: Family;
  /** Whether the stream is one JSON array instead of server-sent events. */
  readonly array?: boolean;
  /** Called once, if the prompt is answered. */
  readonly cached?: () => CachedPrompt;
  /** `meter` grows while the answer is streamed. */
  encoder(meter: StreamedTokens): AnswerEncoder;
}

export async function answerChat(
  context: RequestContext,
  services: ChatServices,
  request: ModelRequest,
  wire: FamilyWire,
): Promise<void> {
  const { clock, pace, charges, dialect } = services;
  if (isRefused(context, new TokenCounter(request).prompt)) return;
  const meter = new TokenCounter(request, wire.cached?.(), dialect.usage);
  const encoder = wire.encoder(meter);
  const estimate = { account: context.account, input: meter.prompt, maxOutput: request.maxTokens };
  await charges.run(estimate, async (charge) => {
    const answer = answerIn(wire.family, composeAnswer(request.conversation));
    const pieces = streamAnswer(answer, request, { clock, pace, signal: context.signal, meter });
    const counted = countOut(pieces, meter, (tokens) => charge.count(tokens));
    if (request.stream) await sendStream(context, counted, encoder, wire);
    else {
      const parts: AnswerPart[] = [];
      for await (const piece of counted) parts.push(piece);
      sendJson(context, 200, encoder.whole(parts), dialect.costHeaders?.(meter.cost));
    }
  });
}

/** Sends or throws the refusal of a prompt that is longer than a context that a fault has set. True when it was sent. */
function isRefused(context: RequestContext, prompt: number): boolean {
  const refusal = context.faults.refusalOf(prompt);
  if (refusal === undefined) return false;
  const { tokens, status, body } = refusal;
  if (body !== undefined) {
    sendJson(context, status, body);
    return true;
  }
  const message = `This model's maximum context length is ${tokens} tokens. However, your messages resulted in ${prompt} tokens.`;
  throw new HttpError(status, "context_length_exceeded", message);
}

/** Replaces a picture by a text for the messages family, which has no pictures in answers. */
function answerIn(family: Family, { picture, ...answer }: ModelAnswer): ModelAnswer {
  if (picture === undefined) return answer;
  if (family !== "messages") return { ...answer, picture };
  return { ...answer, text: "This family of APIs has no pictures in answers. `demo-chat` and `demo-generate` draw." };
}

/** Counts the tokens: each is charged once its part was written to the response. */
async function* countOut(
  pieces: AsyncIterable<AnswerPart>,
  meter: StreamedTokens,
  count: (tokens: number) => void,
): AsyncGenerator<AnswerPart> {
  let counted = 0;
  for await (const piece of pieces) {
    yield piece;
    count(meter.output - counted);
    counted = meter.output;
  }
}

async function sendStream(
  context: RequestContext,
  pieces: AsyncIterable<AnswerPart>,
  encoder: AnswerEncoder,
  { family, array = false }: FamilyWire,
): Promise<void> {
  const out = EventStream.open(context, { family, array, usage: () => encoder.usage() });
  let begun = false;
  for await (const piece of pieces) {
    const events = [...(begun ? [] : encoder.begin()), ...encoder.encode(piece)];
    begun = true;
    for (const event of events) await out.send(event);
  }
  await out.end();
}
