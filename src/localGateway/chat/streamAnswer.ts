/** Splits the answer of the built-in model into tokens, paced by the clock and ended by the limits of the request. */
import type { Clock } from "../../base/clock";
import { chatPrice } from "../charges";
import { definedFields } from "../../base/definedFields";
import { mixBits } from "../demo/seededRandom";
import { paintPng } from "../demo/painter";
import type { ModelAnswer } from "../demo/model/builtInModel";
import type { Conversation, ModelRequest, ToolCallTurn } from "../demo/conversation";
import type { PromptImage } from "../demo/images";
import type { AnswerFinish, StreamedTokens, AnswerPart } from "./answerEncoder";

/** The token counts of an answer, which grow while it is streamed. */
export class TokenCounter implements StreamedTokens {
  readonly prompt: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly stated: NonNullable<StreamedTokens["stated"]>;
  output = 0;
  reasoning = 0;

  /** `state` writes the usage fields that state an amount in minor units. */
  constructor(
    { conversation, stream }: ModelRequest,
    { read = 0, write = 0 } = {},
    state?: (amount: number, isStream: boolean) => Readonly<Record<string, unknown>>,
  ) {
    this.stated = () => (this.output === 0 ? undefined : state?.(this.cost, stream)) ?? {};
    this.prompt = countPrompt(conversation);
    this.cacheRead = Math.min(this.prompt, read);
    this.cacheWrite = Math.min(this.prompt - this.cacheRead, write);
  }

  /** Minor units: the charge if the answer ended now. */
  get cost(): number {
    return this.output === 0 ? 0 : chatPrice(this.prompt, this.output);
  }
}

/** Counts the tokens of texts, calls, images and declared tools, as a service does. */
function countPrompt({ turns, tools }: Conversation): number {
  const ofTurns = turns.map((turn) => {
    const more = turn.role === "assistant" ? turn.calls.map(countCall) : (turn.images ?? []).map(countImage);
    return textTokens(turn.text) + 4 + sum(more);
  });
  return sum(ofTurns) + sum(tools.map((tool) => textTokens(JSON.stringify(tool)) + 4));
}

function countCall({ name, arguments: json }: ToolCallTurn): number {
  return textTokens(name) + textTokens(json) + 4;
}

/** The most tokens of an image, because large images are scaled down. An image by its address has a default size. */
const largestImage = 1_600;

function countImage({ width = 1_000, height = 1_000 }: PromptImage): number {
  return Math.min(largestImage, Math.ceil((width * height) / 750));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The speed of the built-in model's answers. */
export interface ChatPace {
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number;
}

/** Pixels of a picture in an answer. */
const size = { width: 480, height: 320 };

interface AnswerPacing {
  readonly clock: Clock;
  readonly pace: ChatPace;
  readonly signal: AbortSignal;
  readonly meter: TokenCounter;
}

/** Rejects when the client closes the connection. */
export async function* streamAnswer(
  answer: ModelAnswer,
  request: ModelRequest,
  voice: AnswerPacing,
): AsyncGenerator<AnswerPart> {
  const { meter } = voice;
  const beat = startPace(voice);
  const { text, stopSequence } = cutAtStop(answer.text, request.stops);
  let finish: AnswerFinish = "stop";
  if (stopSequence !== undefined) finish = "stop-sequence";
  else if (answer.calls.length > 0) finish = "tool-calls";
  await beat(0);
  for (const piece of piecesOf({ ...answer, text, calls: stopSequence === undefined ? answer.calls : [] })) {
    if (piece.type === "call-end") {
      yield piece;
      continue;
    }
    if (meter.output >= request.maxTokens) {
      yield { type: "finish", finish: "length" };
      return;
    }
    await beat(meter.output);
    const tokens = piece.type === "hidden-reasoning" ? tokensOf(piece.text).length : 1;
    meter.output += tokens;
    if (piece.type === "reasoning" || piece.type === "hidden-reasoning") meter.reasoning += tokens;
    yield piece;
  }
  if (answer.picture !== undefined && stopSequence === undefined) {
    const data = await paintPng({ type: "async_image", prompt: answer.picture, seed: request.conversation.seed }, size);
    yield { type: "picture", mimeType: "image/png", data: data.toString("base64") };
  }
  yield { type: "finish", finish, ...definedFields({ stopSequence }) };
}

function* piecesOf({
  reasoning,
  hidden,
  text,
  calls,
}: ModelAnswer): Generator<Exclude<AnswerPart, { type: "finish" }>> {
  if (hidden !== "") yield { type: "hidden-reasoning", text: hidden };
  for (const token of tokensOf(reasoning)) yield { type: "reasoning", text: token };
  for (const token of tokensOf(text)) yield { type: "text", text: token };
  for (const [index, call] of calls.entries()) {
    yield { type: "call", index, id: call.id, name: call.name };
    for (const token of tokensOf(call.arguments)) yield { type: "arguments", index, text: token };
    yield { type: "call-end", index, arguments: call.arguments };
  }
}

function cutAtStop(
  text: string,
  stops: readonly string[],
): { readonly text: string; readonly stopSequence: string | undefined } {
  let end = text.length;
  let stopSequence: string | undefined;
  for (const stop of stops) {
    const at = stop === "" ? -1 : text.indexOf(stop);
    if (at >= 0 && at < end) [end, stopSequence] = [at, stop];
  }
  return { text: text.slice(0, end), stopSequence };
}

/** Returns a function that waits until the nth token is due. Due times count from the start, so delays do not add up. */
function startPace({ clock, pace, signal }: AnswerPacing): (token: number) => Promise<void> {
  const begun = clock.now();
  return async (token) => {
    // The jitter is up to a third of an interval, and the same for each token index.
    const jitter = token === 0 ? 0 : (mixBits(token) / 0x1_0000_0000 - 0.5) * 0.6;
    const due = begun + pace.firstTokenMs + ((token + jitter) * 1000) / pace.tokensPerSecond;
    const wait = due - clock.now();
    if (wait >= 1) await clock.delay(wait, signal);
    else signal.throwIfAborted();
  };
}

/** Splits a text into the tokens that the built-in model streams. Their concatenation is the text, and no character is split. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,5}|\s+$/gu) ?? [];
}

export function textTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
