/** One request without tools that belongs to no turn: a commit message, a title, an answer in VS Code's own chat. */
import type { Price } from "../domain/prices/priceList";
import { definedFields } from "../base/definedFields";
import { AppFailure } from "../domain/errors/appError";
import type { ChatRequest, Message } from "../domain/chat/message";
import type { Gateway, Model } from "../domain/ports";
import { tokensOfText } from "../domain/chat/tokenCount";

export interface TextAnswer {
  readonly text: string;
  /** The model ended the answer: not at a limit, and the stream was not cut. */
  readonly isWhole: boolean;
  /** The tokens that the gateway counted, else an estimate. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** Where the gateway or its list says it. */
  readonly cost?: Price;
}

/** Nothing is kept in the service's cache for it, as no request that begins the same follows. `longest`: tokens of the answer; a smaller limit of the person's stays. Without it the model's own settings count. */
export function textRequest(model: Model, messages: readonly Message[], longest?: number): ChatRequest {
  const { thinking: _thinking, ...options } = model;
  const own =
    longest === undefined
      ? model
      : { ...options, maxOutputTokens: Math.min(model.maxOutputTokens ?? longest, longest) };
  return { family: model.family, model: model.id, messages, tools: [], options: { ...own, promptCache: false } };
}

/**
 * Some servers leave the thinking of a model in its text: in tags at its beginning, or, where the template has written the opening tag, before a
 * closing one. Empty while the thinking has not ended.
 */
export function withoutThinking(text: string): string {
  const isOpened = /^\s*<think(?:ing)?>/i.test(text);
  const closing = /<\/think(?:ing)?>/i.exec(text);
  const rest = closing === null ? "" : text.slice(closing.index + closing[0].length).trim();
  // A text that only ends with such a tag speaks of it.
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
  let counted: { readonly input?: number; readonly output?: number } = {};
  for await (const event of gateway.streamChat(request, signal)) {
    signal.throwIfAborted();
    if (event.type === "text-delta") {
      text += event.text;
      onText(event.text);
    } else if (event.type === "usage") {
      cost = event.cost;
      const { input, output } = event;
      counted = { ...counted, ...definedFields({ input, output }) };
    } else if (event.type === "stream-error") throw new AppFailure(event.error);
    else if (event.type === "message-end") isWhole = !event.cut && event.finish === "stop";
  }
  signal.throwIfAborted();
  const input = counted.input ?? tokensOfText(JSON.stringify(request.messages));
  const tokens = { input, output: counted.output ?? tokensOfText(text) };
  return { text, isWhole, tokens, ...definedFields({ cost }) };
}
