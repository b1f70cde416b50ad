/** One chat request as a stream of events: sent in the form that the gateway takes, tried again while nothing was produced (S6). */
import { abortReason } from "../../base/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import type { ChatEvent } from "../../domain/chat";
import { type GatewayError, GatewayFailure } from "../../domain/errors";
import type { ChatRequest } from "../../domain/message";
import type { Log, Retry } from "../../domain/ports";
import type { ApiVersion } from "../http/addresses";
import { type ChatForm, createChatForms } from "../chatForms";
import { readRetryDelay } from "./chatRetry";
import { type ChatRoute, type ChatSettings, writeRoute } from "../chatRoutes";
import { decodeStream } from "./decodeStream";
import { createToolNames, type ToolNames } from "../families/shared/toolNames";
import { AnswerFailure, type HttpAnswer } from "../http/gatewayHttp";
import type { Scrub } from "../key/scrub";
import type { StreamScrub } from "../key/streamScrub";

export interface ChatOptions {
  readonly scrub: Scrub;
  /** For one answer. */
  createStreamScrub(): StreamScrub;
  /** What the gateway's address ends in. */
  readonly prefix: ApiVersion;
  settings(): ChatSettings;
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
  const { clock, random, log, scrub } = options;
  const beginRequest = createChatForms(options.prefix);

  return async function* streamChat(request, signal, onRetry) {
    const names = createToolNames(request.tools);
    const formed = beginRequest(request, options.settings()["generate-content"]?.version);
    const send = (form: ChatForm): Promise<HttpAnswer> =>
      options.send(writeRoute(request, form, options.settings()), signal);
    const onChange = (error: GatewayError): void => {
      log?.info("sending a chat request in another form", { status: error.status, model: request.model });
      onRetry?.({ retry: 0, delayMs: 0, error });
    };
    let before: GatewayError | undefined;
    for (let retries = 0; ; retries++) {
      let failed: GatewayError;
      let delayMs: number | undefined;
      try {
        const answer = await formed.send(send, onChange);
        const events = decodeStream(request.family, answer.body, {
          ...definedFields({ signal, contentType: answer.contentType }),
        });
        const clean = options.createStreamScrub();
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
            for (const first of held) yield* clean(first);
          }
          yield* clean(withFacts(event, answer, names));
        }
        if (signal?.aborted) throw abortReason(signal);
        if (refused === undefined) return;
        failed = scrub.error(refused);
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

  /** An error inside the stream with what HTTP knows of it (S4). Tools by the names that they have here. */
  function withFacts(event: ChatEvent, answer: HttpAnswer, names: ToolNames): ChatEvent {
    if (event.type === "tool-call-start") return { ...event, name: names.fromWire(event.name) };
    if (event.type !== "stream-error") return event;
    const { status, requestId, contentType } = answer;
    const error = {
      ...definedFields({ requestId, contentType }),
      status,
      ...event.error,
    };
    return { ...event, error };
  }
}
