/** Sends one request and turns the events of its stream into events of an answer, or of a summary. */
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure } from "../../domain/errors/appError";
import type { ChatRequest } from "../../domain/chat/message";
import type { ChatListener, ReadyConnection } from "../../domain/ports";
import type { ChatEvent } from "../../domain/chat/chatEvent";
import { declaredName } from "../../domain/tools/calledTool";
import { CallBounds } from "../../domain/chat/callBounds";
import type { SessionOptions, TurnSession } from "./sessionOptions";
import { tokensSpent } from "./tokensSpent";

/**
 * `id`: the id of the entry. `connection`: all requests of an entry use the same one, because the entry is marked once as free or paid, and the person may
 * choose another gateway between two requests. Rejects with the error that ended the stream early.
 */
export async function streamRequest(
  { requests, emit }: TurnSession,
  { log, storage, clock }: SessionOptions,
  id: string,
  request: ChatRequest,
  signal: AbortSignal,
  connection: Promise<ReadyConnection>,
): Promise<void> {
  const { gateway, local } = await connection;
  const listener: ChatListener = {
    onRetry: ({ error, retry: count, delayMs, usage, cost, leftOut }) => {
      const at = clock.now();
      const retry = { error, ...(count === 0 ? {} : { delayMs, at }), ...definedFields({ leftOut }) };
      emit({ type: "answer-retry", id, retry });
      if (usage === undefined) return;
      emit(tokensSpent(request.model, usage, at, { cost, isFree: local }));
    },
    onRequest: (traced) => requests.add(id, traced),
  };
  const bounds = new CallBounds();
  let reported: AppError | undefined;
  // The chat is on the disk before a request that costs money is sent.
  await storage.flush(signal);
  for await (const event of gateway.streamChat(request, signal, listener)) {
    // Events after a stop are dropped: the person has stopped reading.
    signal.throwIfAborted();
    if (event.type === "stream-error") reported = event.error;
    if (event.type === "malformed") log.warn("A part of the stream was skipped.", { reason: event.reason });
    emit({ type: "answer-event", id, event: bounds.check(nameCall(event, request)) });
  }
  signal.throwIfAborted();
  if (reported) throw new AppFailure(reported);
}

/** Gives a call the declared name of its tool, because templates of models break on unknown names when the call is sent back. */
function nameCall(event: ChatEvent, { tools }: ChatRequest): ChatEvent {
  if (event.type !== "tool-call-start") return event;
  const name = declaredName(
    event.name,
    tools.map((tool) => tool.name),
  );
  return name === undefined || name === event.name ? event : { ...event, name, calledAs: event.name };
}
