/** One chat request of any family answered and paid: the model speaks, the family's encoder writes it, streamed or whole. */
import type { Family } from "../../domain/chat";
import { EventStream } from "../http/eventStream";
import { type Exchange, sendJson } from "../http/exchange";
import type { Services } from "../services";
import { answerOf } from "../demo/builtInModel";
import type { ChatRequest } from "./conversation";
import type { Encoder, Meter, Piece } from "./encoder";
import type { CachedPrompt } from "./promptCache";
import { RunningMeter, speak } from "./speaking";

/** Bytes of a chat request: pictures come inside it. */
export const largestChatBody = 20_000_000;

/** The family's part in an answer. */
export interface Wire {
  readonly family: Family;
  /** The stream is one JSON array instead of events. */
  readonly array?: boolean;
  readonly cached?: CachedPrompt;
  /** `meter` goes on counting while the answer is spoken. */
  encoder(meter: Meter): Encoder;
}

export async function reply(exchange: Exchange, services: Services, request: ChatRequest, wire: Wire): Promise<void> {
  const { clock, pace, charges } = services;
  const meter = new RunningMeter(request, wire.cached);
  const encoder = wire.encoder(meter);
  const estimate = { input: meter.prompt, most: request.maxTokens };
  await charges.run(estimate, async (charge) => {
    const answer = answerOf(request.conversation);
    const pieces = speak(answer, request, { clock, pace, signal: exchange.signal, meter });
    const counted = countOut(pieces, meter, (tokens) => charge.count(tokens));
    if (request.stream) await stream(exchange, counted, encoder, wire);
    else {
      const spoken: Piece[] = [];
      for await (const piece of counted) spoken.push(piece);
      sendJson(exchange, 200, encoder.whole(spoken));
    }
  });
}

/** A token counts when what carries it has left, and not before. */
async function* countOut(
  pieces: AsyncIterable<Piece>,
  meter: Meter,
  count: (tokens: number) => void,
): AsyncGenerator<Piece> {
  let counted = 0;
  for await (const piece of pieces) {
    yield piece;
    count(meter.output - counted);
    counted = meter.output;
  }
}

async function stream(
  exchange: Exchange,
  pieces: AsyncIterable<Piece>,
  encoder: Encoder,
  { family, array = false }: Wire,
): Promise<void> {
  const out = EventStream.open(exchange, { family, array, usage: () => encoder.usage() });
  let begun = false;
  for await (const piece of pieces) {
    const events = [...(begun ? [] : encoder.begin()), ...encoder.encode(piece)];
    begun = true;
    for (const event of events) await out.send(event);
  }
  await out.end();
}
