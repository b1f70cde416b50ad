/** One chat request as a stream of events: sent in the form that the gateway takes, tried again while nothing was produced (S6). */
import { abortReason } from "../base/abort";
import type { Clock } from "../base/clock";
import type { ChatEvent } from "../domain/chat";
import { type GatewayError, GatewayFailure, toGatewayError } from "../domain/errors";
import type { ChatRequest } from "../domain/message";
import type { Log, Retry } from "../domain/ports";
import { readRetryDelay } from "./chatRetry";
import { type ChatAuthentication, type ChatForm, type ChatRoute, writeRoute } from "./chatRoutes";
import { decodeStream } from "./decodeStream";
import { createToolNames, type ToolNames } from "./families/toolNames";
import { AnswerFailure, type HttpAnswer } from "./http";
import { createScrub, createTextScrub } from "./scrub";

export interface ChatOptions {
  readonly key: string;
  readonly authentication: ChatAuthentication;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log?: Log | undefined;
  /** Rejects with a `GatewayFailure` for anything but a 2xx. */
  send(route: ChatRoute, signal: AbortSignal | undefined): Promise<HttpAnswer>;
}

export type StreamChat = (
  request: ChatRequest,
  signal?: AbortSignal,
  onRetry?: (retry: Retry) => void,
) => AsyncGenerator<ChatEvent, void, undefined>;

export function createStreamChat(options: ChatOptions): StreamChat {
  const { authentication, clock, random, log } = options;
  const scrub = createScrub(options.key);
  const scrubText = createTextScrub(options.key);
  /** Models whose server refused `stream_options`. */
  const plain = new Set<string>();
  let version: ChatForm["version"];

  /** Sends once, and once more in another form where the answer says that the form is wrong. */
  const send = async (
    request: ChatRequest,
    signal: AbortSignal | undefined,
    onRetry: ((retry: Retry) => void) | undefined,
  ): Promise<HttpAnswer> => {
    const form = { streamOptions: !plain.has(request.model), version };
    const attempt = (next: ChatForm): Promise<HttpAnswer> =>
      options.send(writeRoute(request, next, authentication), signal);
    try {
      return await attempt(form);
    } catch (failure) {
      const error = failure instanceof GatewayFailure ? failure.error : undefined;
      const next = error === undefined ? undefined : otherForm(request, form, error);
      if (error === undefined || next === undefined) throw failure;
      log?.info("sending a chat request in another form", { status: error.status, version: next.version });
      onRetry?.({ retry: 0, delayMs: 0, error });
      const answer = await attempt(next).catch((second: unknown) => {
        // Neither form is known there: the first answer is the one that tells.
        throw error.status === 404 && toGatewayError(second).status === 404 ? failure : second;
      });
      if (!next.streamOptions) plain.add(request.model);
      version = next.version;
      return answer;
    }
  };

  return async function* streamChat(request, signal, onRetry) {
    const names = createToolNames(request.tools);
    let before: GatewayError | undefined;
    for (let retries = 0; ; retries++) {
      let failed: GatewayError;
      let delayMs: number | undefined;
      try {
        const answer = await send(request, signal, onRetry);
        const events = decodeStream(request.family, answer.body, {
          ...(signal === undefined ? {} : { signal }),
          ...(answer.contentType === undefined ? {} : { contentType: answer.contentType }),
        });
        const held: ChatEvent[] = [];
        let refused: GatewayError | undefined;
        let produced = false;
        for await (const event of events) {
          if (!produced) {
            if (event.type === "message-start") {
              held.push(event);
              continue;
            }
            if (event.type === "stream-error") {
              // An error before anything else is as good as an error status.
              delayMs = readRetryDelay(event.error, { retries, before, random, shouldRetry: undefined });
              if (delayMs !== undefined) {
                refused = event.error;
                break;
              }
            }
            produced = true;
            yield* held;
          }
          yield withFacts(event, answer, names);
        }
        if (signal?.aborted) throw abortReason(signal);
        if (refused === undefined) return;
        failed = scrub(refused);
      } catch (failure) {
        if (signal?.aborted) throw abortReason(signal);
        if (!(failure instanceof GatewayFailure)) throw failure;
        const shouldRetry = failure instanceof AnswerFailure ? failure.shouldRetry : undefined;
        delayMs = readRetryDelay(failure.error, { retries, before, random, shouldRetry });
        if (delayMs === undefined) throw failure;
        failed = failure.error;
      }
      before = failed;
      const { kind, status, requestId } = failed;
      log?.info("trying a chat request again", { kind, status, requestId, ms: delayMs, retry: retries + 1 });
      onRetry?.({ retry: retries + 1, delayMs: delayMs ?? 0, error: failed });
      await clock.delay(delayMs ?? 0, signal);
    }
  };

  /** An error inside the stream with what HTTP knows of it (S4), and nowhere the key. Tools by the names that they have here. */
  function withFacts(event: ChatEvent, answer: HttpAnswer, names: ToolNames): ChatEvent {
    if (event.type === "tool-call-start") return { ...event, name: names.fromWire(event.name) };
    if (event.type === "malformed") return { ...event, raw: scrubText(event.raw) };
    if (event.type !== "stream-error") return event;
    const { status, requestId, contentType } = answer;
    const error = {
      ...(requestId === undefined ? {} : { requestId }),
      ...(contentType === undefined ? {} : { contentType }),
      status,
      ...event.error,
    };
    return { ...event, error: scrub(error) };
  }
}

/** What else the request may look like, when the answer says that it is its form that is not taken. */
function otherForm(request: ChatRequest, form: ChatForm, error: GatewayError): ChatForm | undefined {
  const isRefused = error.status === 400 || error.status === 422;
  if (request.family === "chat-completions" && form.streamOptions && isRefused) {
    return /stream_options|include_usage/.test(error.message) ? { ...form, streamOptions: false } : undefined;
  }
  if (request.family !== "generate-content" || error.status !== 404) return undefined;
  // A gateway that knows the path says which model it does not have; one that does not know it says something else.
  const isOfModel =
    error.firstBytes === undefined && /\bmodel\b/i.test(`${error.code ?? ""} ${error.message}`.replaceAll("_", " "));
  if (isOfModel && !/api version/i.test(error.message)) return undefined;
  return { ...form, version: form.version === "v1beta" ? "v1" : "v1beta" };
}
