/** Requests without tools that belong to no turn: a commit message, a title, an answer in VS Code's own chat. */
import type { Price, TokenCounts } from "../domain/prices/priceList";
import { definedFields } from "../base/definedFields";
import { AppFailure } from "../domain/errors/appError";
import type { ChatRequest, Message } from "../domain/chat/message";
import type { Gateway, Model } from "../domain/ports";
import { tokensOfText } from "../domain/chat/tokenCount";

export interface TextAnswer {
  readonly text: string;
  /** Whether the model ended the answer: it did not reach a limit, and the stream was not cut. */
  readonly isWhole: boolean;
  /** The tokens that the gateway counted, else an estimate. */
  readonly tokens: TokenCounts & { readonly input: number; readonly output: number };
  /** The cost, if the gateway or its list states it. */
  readonly cost?: Price;
}

/**
 * Creates a request without marks for the service's cache, because no request with the same beginning follows. `longest`: tokens of the answer; a
 * smaller limit of the person's applies. Without it the model's own settings apply.
 */
export function textRequest(model: Model, messages: readonly Message[], longest?: number): ChatRequest {
  const { thinking: _thinking, ...options } = model;
  const own =
    longest === undefined
      ? model
      : { ...options, maxOutputTokens: Math.min(model.maxOutputTokens ?? longest, longest) };
  return { family: model.family, model: model.id, messages, tools: [], options: { ...own, promptCache: false } };
}

/**
 * Removes thinking that some servers leave in the text: in tags at its beginning, or before a closing tag only, if the template has written the
 * opening one. Returns an empty text while the thinking has not ended.
 */
export function withoutThinking(text: string): string {
  const isOpened = /^\s*<think(?:ing)?>/i.test(text);
  const closing = /<\/think(?:ing)?>/i.exec(text);
  const rest = closing === null ? "" : text.slice(closing.index + closing[0].length).trim();
  // A text that only ends with such a tag is about the tag.
  return !isOpened && rest === "" ? text : rest;
}

/** `onText` gets each piece as it arrives. Rejects with an `AppFailure`, also for an error inside the stream, or with an abort. */
export async function streamText(
  gateway: Pick<Gateway, "streamChat">,
  request: ChatRequest,
  signal: AbortSignal,
  onText: (piece: string) => void = () => undefined,
): Promise<TextAnswer> {
  let text = "";
  let isWhole = false;
  let cost: Price | undefined;
  let counted: TokenCounts = {};
  for await (const event of gateway.streamChat(request, signal)) {
    signal.throwIfAborted();
    if (event.type === "text-delta") {
      text += event.text;
      onText(event.text);
    } else if (event.type === "usage") {
      cost = event.cost;
      const { input, output, cacheRead, cacheWrite, cacheWriteHour } = event;
      counted = { ...counted, ...definedFields({ input, output, cacheRead, cacheWrite, cacheWriteHour }) };
    } else if (event.type === "stream-error") throw new AppFailure(event.error);
    else if (event.type === "message-end") isWhole = !event.cut && event.finish === "stop";
  }
  signal.throwIfAborted();
  const input = counted.input ?? tokensOfText(JSON.stringify(request.messages));
  const tokens = { ...counted, input, output: counted.output ?? tokensOfText(text) };
  return { text, isWhole, tokens, ...definedFields({ cost }) };
}
