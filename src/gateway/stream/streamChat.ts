/** Sends a chat request and returns its events. Uses the variant that the gateway accepts, and retries while nothing was produced (S6). */
import { abortReason } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { isRecord, type JsonRecord } from "../../base/jsonValue";
import { definedFields } from "../../base/definedFields";
import type { ChatEvent } from "../../domain/chat/chatEvent";
import { emptyAnswer, isEmptyAnswer, type AppError, AppFailure, toAppError } from "../../domain/errors/appError";
import type { ChatRequest } from "../../domain/chat/message";
import type { ChatListener, Log } from "../../domain/ports";
import type { Price, TokenCounts } from "../../domain/prices/priceList";
import type { CountedAnswer } from "../amounts/billChecks";
import type { GatewayAmounts } from "../amounts/gatewayAmounts";
import { AnswerMeter, type MeteredAnswer } from "../amounts/answerMeter";
import { type ChatSettings, familyDefinitions } from "../families/familyDefinitions";
import type { FamilyAccess, FamilyRequest, RequestVariant, VariantRule } from "../families/familyDefinition";
import type { AccessMemory } from "../learntAccess";
import type { Family } from "../../domain/chat/family";
import { withoutRefused } from "../families/refusedParts";
import { createToolNames, type ToolNames } from "../families/toolNames";
import type { ApiVersion } from "../http/httpRequest";
import { RequestRecorder } from "../http/requestRecorder";
import { type HttpResponse, ResponseFailure } from "../http/response";
import type { Scrub, StreamScrub } from "../scrub";
import { decodeStream } from "./decodeStream";
import type { LeftOut } from "../../domain/chat/chat";
import { factsOfKind } from "../../domain/errors/errorKinds";

interface ChatRoute extends Omit<FamilyRequest, "body"> {
  /** The body as JSON. */
  readonly body: string;
}

interface ChatOptions {
  readonly amounts: Pick<GatewayAmounts, "costOf" | "priceOf">;
  /** Called after each answer that was neither cut nor failed. */
  readonly onCounted?: (answer: CountedAnswer) => void;
  readonly scrub: Scrub;
  /** Creates the scrub of one answer; it has state, because a key may be split over two deltas. */
  createStreamScrub(): StreamScrub;
  /** The version at the end of the gateway's address. */
  readonly prefix: ApiVersion;
  /** Keeps what was learnt of the gateway; missing where nothing outlives it. */
  readonly learnt?: AccessMemory;
  /** The settings for requests to a model. */
  settings(model: string): ChatSettings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Rejects with an `AppFailure` for anything but a 2xx. */
  send(route: ChatRoute, recorder: RequestRecorder, signal: AbortSignal | undefined): Promise<HttpResponse>;
}

export type StreamChat = (
  request: ChatRequest,
  signal?: AbortSignal,
  listener?: ChatListener,
) => AsyncGenerator<ChatEvent, void, undefined>;

export function createStreamChat(options: ChatOptions): StreamChat {
  const beginRequest = createRequestVariants(options.prefix, options.learnt);
  return (request, signal, listener = {}) => {
    const { family, model } = request;
    const settings = options.settings(model)[family];
    const variants = beginRequest(request, settings && familyDefinitions[family].accessOf?.(settings));
    return new ChatAttempts(options, { request, variants, signal, listener }).events();
  };
}

interface ChatCall {
  readonly request: ChatRequest;
  readonly variants: VariantRequest;
  readonly signal: AbortSignal | undefined;
  readonly listener: ChatListener;
}

/** An attempt that failed before it produced anything, and will be retried. */
interface FailedAttempt {
  readonly error: AppError;
  readonly delayMs: number;
  /** The tokens that the service counted for the attempt. */
  readonly usage?: TokenCounts;
  readonly cost?: Price;
}

/** An answer that has begun: it is never requested again. */
interface BegunAnswer {
  readonly first: readonly ChatEvent[];
  readonly rest: AsyncGenerator<ChatEvent, void, undefined>;
  readonly clean: StreamScrub;
  readonly response: HttpResponse;
}

/** One chat request with its retries. */
class ChatAttempts {
  readonly #options: ChatOptions;
  readonly #chat: ChatCall;
  /** The names of the tools in the last request. They depend on the variant, because a name that a left-out tool had may go to another tool. */
  #names: ToolNames;
  /** The names of the called tools, by the id of the call. */
  readonly #called = new Map<string, string>();
  #retries = 0;
  #before: AppError | undefined;
  #hasTimedOut = false;
  /** The body and the time of the last request. */
  #sent = { body: "", at: 0 };

  constructor(options: ChatOptions, chat: ChatCall) {
    this.#options = options;
    this.#chat = chat;
    this.#names = createToolNames(chat.request.tools);
  }

  async *events(): AsyncGenerator<ChatEvent, void, undefined> {
    const answer = await this.#begin();
    const { first, rest, clean, response } = answer;
    const meter = this.#options.onCounted && new AnswerMeter();
    try {
      for (const event of first) {
        meter?.add(event);
        for (const cleaned of clean(this.#withContext(event, response))) yield cleaned;
      }
      for await (const event of rest) {
        meter?.add(event);
        // `yield*` is not used, because in an async generator it costs several promises for each event.
        for (const cleaned of clean(this.#withContext(event, response))) yield cleaned;
      }
    } finally {
      await rest.return();
    }
    if (this.#chat.signal?.aborted) throw abortReason(this.#chat.signal);
    this.#report(meter?.counted, response);
  }

  #report(counted: MeteredAnswer | undefined, { requestId }: HttpResponse): void {
    if (counted === undefined) return;
    const { clock, onCounted, log } = this.#options;
    const { family, model } = this.#chat.request;
    const { body, at: startedAt } = this.#sent;
    try {
      onCounted?.({ family, model, body, startedAt, at: clock.now(), ...definedFields({ requestId }), ...counted });
    } catch (error) {
      // The answer is complete, so a failure of these checks must not end it with an error.
      log.warn("The counts of an answer could not be checked.", { message: toAppError(error).message });
    }
  }

  /** Sends the request until an answer begins; rejects with the last error. */
  async #begin(): Promise<BegunAnswer> {
    const { clock, log } = this.#options;
    const { signal, listener } = this.#chat;
    for (;;) {
      const attempt = await this.#attempt();
      if ("first" in attempt) return attempt;
      const { error, delayMs, usage, cost } = attempt;
      this.#before = error;
      this.#hasTimedOut ||= isTimeout(error);
      this.#retries += 1;
      const { kind, status, requestId } = error;
      log.info("trying a chat request again", { kind, status, requestId, ms: delayMs, retry: this.#retries });
      listener.onRetry?.({ retry: this.#retries, delayMs, error, ...definedFields({ usage, cost }) });
      await clock.delay(delayMs, signal);
    }
  }

  async #attempt(): Promise<BegunAnswer | FailedAttempt> {
    const { signal } = this.#chat;
    try {
      return await this.#readBeginning(await this.#send());
    } catch (failure) {
      if (signal?.aborted) throw abortReason(signal);
      if (!(failure instanceof AppFailure)) throw failure;
      const shouldRetry = failure instanceof ResponseFailure ? failure.shouldRetry : undefined;
      const delayMs = this.#delay(failure.error, { shouldRetry });
      if (delayMs === undefined) throw failure;
      return { error: failure.error, delayMs };
    }
  }

  /** Reads up to the first produced event. An error or an end before it is retried like an error status. */
  async #readBeginning(response: HttpResponse): Promise<BegunAnswer | FailedAttempt> {
    const { scrub } = this.#options;
    const { request, signal } = this.#chat;
    let isEmptyResponse = false;
    const rest = decodeStream(request.family, response.body, {
      ...definedFields({ signal, contentType: response.contentType }),
      onEmpty: () => (isEmptyResponse = true),
    });
    const first: ChatEvent[] = [];
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      const event = next.value;
      first.push(event);
      // Neither event is content; an answer without content may have usage too.
      if (event.type === "message-start" || event.type === "usage") continue;
      const error = errorOf(event);
      const delayMs = error && this.#delay(error, { isEmptyResponse });
      if (error === undefined || delayMs === undefined) break;
      // After an error or an end only a short rest follows, which may hold the usage.
      for await (const later of rest) first.push(later);
      if (signal?.aborted) throw abortReason(signal);
      const usage = first.findLast((one) => one.type === "usage");
      const cost = usage && this.#costOf(usage, response);
      return { error: scrub.error(error), delayMs, ...definedFields({ usage, cost }) };
    }
    return { first, rest, clean: this.#options.createStreamScrub(), response };
  }

  #send(): Promise<HttpResponse> {
    const { log } = this.#options;
    const { request, variants, listener } = this.#chat;
    return variants.send(
      (variant) => {
        this.#names = createToolNames(withoutRefused(request, variant).tools);
        return this.#sendRoute(writeRoute(request, variant));
      },
      (error, leftOut) => {
        log.info("sending a chat request in another variant", { status: error.status, model: request.model });
        listener.onRetry?.({ retry: 0, delayMs: 0, error, ...definedFields({ leftOut }) });
      },
    );
  }

  async #sendRoute(route: ChatRoute): Promise<HttpResponse> {
    const { scrub, clock } = this.#options;
    const { signal, listener } = this.#chat;
    const recorder = new RequestRecorder({ scrub, now: () => clock.now() });
    this.#sent = { body: route.body, at: clock.now() };
    listener.onRequest?.(recorder);
    try {
      return await this.#options.send(route, recorder, signal);
    } catch (failure) {
      if (failure instanceof AppFailure) recorder.onFailure(failure.error);
      throw failure;
    }
  }

  #delay(
    error: AppError,
    { shouldRetry, isEmptyResponse = false }: { shouldRetry?: boolean | undefined; isEmptyResponse?: boolean },
  ): number | undefined {
    const { random } = this.#options;
    const { hasFallback } = this.#chat.request;
    const state = { retries: this.#retries, before: this.#before, hasTimedOut: this.#hasTimedOut, random, hasFallback };
    return readRetryDelay(error, { ...state, shouldRetry, isEmptyResponse });
  }

  /** The cost that the gateway states, else the cost by its list of models. */
  #costOf(usage: Extract<ChatEvent, { type: "usage" }>, response: HttpResponse): Price | undefined {
    const { amounts } = this.#options;
    return amounts.costOf(response, usage.raw) ?? amounts.priceOf(this.#chat.request.model, usage);
  }

  /** Adds the tools' own names, the cost, and the response's status and ids for errors inside the stream (S4). */
  #withContext(event: ChatEvent, response: HttpResponse): ChatEvent {
    const { status, requestId, contentType } = response;
    if (event.type === "usage") return { ...event, ...definedFields({ cost: this.#costOf(event, response) }) };
    if (event.type === "tool-call-start") {
      const name = this.#names.fromWire(event.name);
      this.#called.set(event.call, name);
      return { ...event, name };
    }
    if (event.type === "tool-call-end") {
      return { ...event, input: this.#names.inputFromWire(this.#called.get(event.call) ?? "", event.input) };
    }
    if (event.type !== "stream-error") return event;
    return { ...event, error: { ...definedFields({ requestId, contentType }), status, ...event.error } };
  }
}

/** The error of an answer that ends without content; `undefined` for any other event, and if a retry would end in the same way. */
function errorOf(event: ChatEvent): AppError | undefined {
  if (event.type === "stream-error") return event.error;
  if (event.type !== "message-end") return undefined;
  return event.cut || event.finish === "stop" || event.finish === "unknown" ? emptyAnswer : undefined;
}

/** The family's own path, headers and body, with the user's `extraBody` merged in. */
export function writeRoute(request: ChatRequest, variant: RequestVariant): ChatRoute {
  const { family, options } = request;
  const { body, ...route } = familyDefinitions[family].writeRequest(withoutRefused(request, variant), variant);
  return { ...route, body: JSON.stringify(mergeBody(body, options?.extraBody ?? {})) };
}

/** Fields of `extra` replace or extend those of `body`; objects are merged, lists are replaced. */
function mergeBody(body: JsonRecord, extra: JsonRecord): JsonRecord {
  const merged = Object.entries(extra).map(([name, value]): [string, unknown] => {
    const before = Object.hasOwn(body, name) ? body[name] : undefined;
    return [name, isRecord(before) && isRecord(value) ? mergeBody(before, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}

// Tries the variants of a chat request, and remembers for one gateway which variant a model accepts (S6).

/** One request in its variants. Each rule is applied at most once over all calls of `send`. */
interface VariantRequest {
  /**
   * Sends the known variant, and the next one while the service refuses the form; `onChange` is called before each change.
   * Rejects as `send` does, but with the first error if the next variant was refused for the same reason, or for one that says less.
   */
  send<Response>(
    send: (variant: RequestVariant) => Promise<Response>,
    onChange: (error: AppError, leftOut: LeftOut | undefined) => void,
  ): Promise<Response>;
}

/** `prescribed`: the access that the settings prescribe, which no refusal changes. */
export type BeginRequest = (request: ChatRequest, prescribed?: FamilyAccess) => VariantRequest;

/** Creates the variants of one gateway. `prefix`: the version at the end of its address, or `v1`. */
export function createRequestVariants(prefix: ApiVersion, access: AccessMemory = forgetfulMemory()): BeginRequest {
  /** The variants that were accepted, by family and model. */
  const learnt = new Map<string, RequestVariant>();

  return (request, prescribed = {}) => {
    const { family, model } = request;
    const name = `${family} ${model}`;
    const { firstVariant, variantRules } = familyDefinitions[family];
    const usual = { version: prefix, keyPlace: firstVariant.keyPlace };
    const { headerVersion: _learnt, ...accepted } = learnt.get(name) ?? firstVariant;
    // All models of the family have the same access, and the person may have had it forgotten.
    const known: RequestVariant = { ...accepted, ...usual, ...access.read(family), ...prescribed };
    const unused = new Set(variantRules);
    let next = known;

    const attempt: VariantRequest["send"] = async (send, onChange) => {
      const variant = next;
      try {
        const response = await send(variant);
        if (variant !== known) learnt.set(name, variant);
        if (!isSameAccess(variant, known)) access.write(family, changedAccess(variant, { ...usual, ...prescribed }));
        return response;
      } catch (failure) {
        if (!(failure instanceof AppFailure)) throw failure;
        const change = findChange(unused, failure.error, variant, request);
        if (change === undefined || !isSameAccess({ ...change.variant, ...prescribed }, change.variant)) throw failure;
        unused.delete(change.rule);
        const hasMore = change.variant.leftOut.length > next.leftOut.length;
        next = change.variant;
        onChange(failure.error, hasMore ? next.leftOut.at(-1) : undefined);
        return attempt(send, onChange).catch((second: unknown) => {
          const { rule } = change;
          const error = toAppError(second);
          throw (rule.saysLess?.(error) ?? rule.matches(error)) ? failure : second;
        });
      }
    };
    return { send: attempt };
  };
}

const accessFields = ["version", "keyPlace", "headerVersion"] as const satisfies readonly (keyof FamilyAccess)[];

function isSameAccess(one: FamilyAccess, other: FamilyAccess): boolean {
  return accessFields.every((field) => one[field] === other[field]);
}

/** The fields of the access that are not as usual. */
function changedAccess(variant: RequestVariant, usual: FamilyAccess): FamilyAccess {
  const changed = accessFields.filter((field) => variant[field] !== usual[field]);
  return Object.fromEntries(changed.map((field) => [field, variant[field]]));
}

/** Lasts as long as the gateway is connected. */
function forgetfulMemory(): AccessMemory {
  const known = new Map<Family, FamilyAccess>();
  return { read: (family) => known.get(family) ?? {}, write: (family, access) => void known.set(family, access) };
}

function findChange(
  rules: Iterable<VariantRule>,
  error: AppError,
  tried: RequestVariant,
  request: ChatRequest,
): { readonly rule: VariantRule; readonly variant: RequestVariant } | undefined {
  for (const rule of rules) {
    const variant = rule.matches(error) ? rule.change(tried, request, error) : undefined;
    if (variant !== undefined) return { rule, variant };
  }
  return undefined;
}

// Decides whether a chat request is sent again, and after which delay (S6): only while nothing was produced, because a second answer is paid twice.

/** The number of retries and their delays in milliseconds: each wait is twice as long as the one before. */
interface Patience {
  readonly retries: number;
  readonly first: number;
  readonly longest: number;
}

/** Delays for a gateway that is overloaded, limits its rate or is down: 2, 4, 8, 16, 30 and 30 s. */
const longPatience: Patience = { retries: 6, first: 2000, longest: 30_000 };
/** Delays for every other error. */
const shortPatience: Patience = { retries: 2, first: 500, longest: 8000 };

/** A longer `retry-after` ends the retries. */
const maxDelay = 60_000;

const statuses = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const connectionCodes = new Set(["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EPIPE", "UND_ERR_SOCKET"]);

/** The error codes of a timeout. An error inside a stream has its HTTP status as the code. */
const timeoutCode = /deadline|time[_-]?out|timed[_-]?out|^5[02]4$/i;

/**
 * Whether the request timed out, here or behind the gateway. A timeout behind the gateway is of the kind `unavailable`, so that requests that only read
 * are retried as after any other failure of the gateway.
 */
function isTimeout({ kind, status, code = "" }: AppError): boolean {
  if (kind !== "unavailable") return kind === "timed-out";
  return status === 504 || status === 524 || timeoutCode.test(code);
}

interface RetryState {
  /** The number of retries so far. */
  readonly retries: number;
  /** The error of the previous attempt. */
  readonly before: AppError | undefined;
  /** Whether an earlier attempt timed out. */
  readonly hasTimedOut: boolean;
  /** The header `x-should-retry`, if there was one. */
  readonly shouldRetry: boolean | undefined;
  /** The response held no value and no text (Q-F16). */
  readonly isEmptyResponse: boolean;
  /** Set if another model is tried afterwards. */
  readonly hasFallback?: true | undefined;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** Milliseconds to wait before the next attempt; `undefined` for no retry. */
export function readRetryDelay(error: AppError, state: RetryState): number | undefined {
  const isTimedOut = isTimeout(error);
  const isOverloaded = factsOfKind(error.kind).retry === "when-overloaded" && !isTimedOut;
  const { first, longest } = isOverloaded && !state.hasFallback ? longPatience : shortPatience;
  // The first timeout is retried even if an overloaded gateway has used up the retries of `shortPatience`.
  const { retries } = (isOverloaded || isTimedOut) && !state.hasFallback ? longPatience : shortPatience;
  if (state.retries >= retries || !isRetryable(error, state)) return undefined;
  const { retryAfterMs } = error;
  // A person decides whether to wait longer.
  if (retryAfterMs !== undefined)
    return retryAfterMs <= (state.hasFallback ? longest : maxDelay) ? retryAfterMs : undefined;
  return Math.round(Math.min(first * 2 ** state.retries, longest) * (1 - state.random() * 0.25));
}

function isRetryable(error: AppError, { before, hasTimedOut, shouldRetry, isEmptyResponse }: RetryState): boolean {
  const { retry } = factsOfKind(error.kind);
  // A request that timed out may have been processed and charged, so only the first timeout is retried, even if `x-should-retry` asks for more.
  if (hasTimedOut && isTimeout(error)) return false;
  if (shouldRetry !== undefined && retry !== "never") return shouldRetry;
  switch (retry) {
    case "once":
      // Only the first timeout gets here.
      return true;
    case "when-disconnected":
      if (error.code === "ENOTFOUND" && before?.code === "ENOTFOUND") return false;
      return error.code !== undefined && connectionCodes.has(error.code);
    case "when-overloaded":
    case "by-status":
      return error.status === undefined || error.status < 400 || statuses.has(error.status);
    case "if-empty":
      // An empty answer is paid: only one more attempt.
      return isEmptyResponse || (isEmptyAnswer(error) && before?.kind !== error.kind);
    case "if-asked":
    case "never":
      return false;
  }
}
