/** One chat request of any family answered and paid: the model speaks, the family's encoder writes it, streamed or whole. */
import type { Family } from "../../domain/chat";
import { EventStream } from "../http/eventStream";
import { type RequestContext, sendJson } from "../http/requestContext";
import type { Services } from "../services";
import { composeAnswer } from "../demo/model/builtInModel";
import type { ModelRequest } from "./conversation";
import type { AnswerEncoder, TokenCounts, AnswerPart } from "./answerEncoder";
import type { CachedPrompt } from "./promptCache";
import { TokenCounter, streamAnswer } from "./streamAnswer";

/** Bytes of a chat request: pictures come inside it. */
export const largestChatBody = 20_000_000;

/** The family's part in an answer. */
export interface FamilyWire {
  readonly family: Family;
  /** The stream is one JSON array instead of events. */
  readonly array?: boolean;
  readonly cached?: CachedPrompt;
  /** `meter` goes on counting while the answer is spoken. */
  encoder(meter: TokenCounts): AnswerEncoder;
}

export async function answerChat(
  context: RequestContext,
  services: Services,
  request: ModelRequest,
  wire: FamilyWire,
): Promise<void> {
  const { clock, pace, charges } = services;
  const meter = new TokenCounter(request, wire.cached);
  const encoder = wire.encoder(meter);
  const estimate = { input: meter.prompt, most: request.maxTokens };
  await charges.run(estimate, async (charge) => {
    const answer = composeAnswer(request.conversation);
    const pieces = streamAnswer(answer, request, { clock, pace, signal: context.signal, meter });
    const counted = countOut(pieces, meter, (tokens) => charge.count(tokens));
    if (request.stream) await sendStream(context, counted, encoder, wire);
    else {
      const spoken: AnswerPart[] = [];
      for await (const piece of counted) spoken.push(piece);
      sendJson(context, 200, encoder.whole(spoken));
    }
  });
}

/** A token counts when what carries it has left, and not before. */
async function* countOut(
  pieces: AsyncIterable<AnswerPart>,
  meter: TokenCounts,
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
