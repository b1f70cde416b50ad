/** Answers one request of a caller in VS Code: the same gateway, families, retries and bounds as the chat's, without its tools. */
import * as z from "zod/mini";
import { abortReason, isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { CallBounds, callCap, CallLimitFailure } from "../../domain/chat/callBounds";
import type { ChatEvent, Usage, Finish } from "../../domain/chat/chatEvent";
import { AppFailure, toAppError, type AppError } from "../../domain/errors/appError";
import { type ErrorKindFacts, factsOfKind } from "../../domain/errors/errorKinds";
import type { AssistantPart, ChatRequest, Message } from "../../domain/chat/message";
import { describeNoAnswer, describeProvidedError } from "../../domain/words/providedWords";
import type { Connections, Log, Model, ReadyConnection } from "../../domain/ports";
import { refusesTools } from "../../domain/chat/refusesTools";
import { definedFields } from "../../base/definedFields";
import type { ModelOptions } from "../../domain/chat/modelOptions";
import { describeCallLimit } from "../../domain/words/describeAnswer";
import { type CallPart, type ProvidedRequest, type ReportedPart, usageType } from "./providedMessage";
import { type AnswerCache, createCallIds, type AnswerSource, writeMarker, writeAnswerRecord } from "./answerCache";
import { createHistory, lastPrompt } from "./createHistory";

export interface AnswerOptions {
  readonly connections: Pick<Connections, "ready">;
  readonly clock: Clock;
  readonly log: Log;
  readonly cache: Pick<AnswerCache, "find" | "markerKey" | "save">;
  /** Waits for the gateway's list. Rejects with an `AppFailure` for a model that is in no list, or with an `AbortError`. */
  readonly findModel: (id: string, signal: AbortSignal) => Promise<Model>;
  /** Called when the model refused a request because of its tools. */
  readonly learnWithoutTools: (model: string, origin: string) => void;
}

/** Milliseconds from the last part to an error: VS Code sends parts in batches of 30 ms, and an error overtakes the batch before it. */
const delayBeforeError = 100;
/** A service that pauses its answer is asked to continue at most this many times. */
const maxPauses = 10;

/** Rejects with a `ProvidedFailure`, after what was reported has arrived, or at once with an `AbortError`. */
export async function provideAnswer(
  options: AnswerOptions,
  request: ProvidedRequest,
  report: (part: ReportedPart) => void,
  signal: AbortSignal,
): Promise<void> {
  const reported = { any: false };
  const passOn = (part: ReportedPart): void => {
    signal.throwIfAborted();
    reported.any = true;
    report(part);
  };
  try {
    await new ProvidedAnswer(options, request, passOn, signal).run();
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    if (isAbort(error)) throw error;
    const failure = toProvidedFailure(error, reported.any);
    options.log.warn("An answer for VS Code failed.", { kind: toAppError(error).kind });
    if (reported.any) await options.clock.delay(delayBeforeError, signal);
    throw failure;
  }
}

class ProvidedAnswer {
  readonly #options: AnswerOptions;
  readonly #request: ProvidedRequest;
  readonly #report: (part: ReportedPart) => void;
  readonly #signal: AbortSignal;

  constructor(
    options: AnswerOptions,
    request: ProvidedRequest,
    report: (part: ReportedPart) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#request = request;
    this.#report = report;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { connections, findModel, cache } = this.#options;
    const { messages } = this.#request;
    const model = await findModel(this.#request.model, this.#signal);
    const connection = await connections.ready(this.#signal);
    const { home } = connection;
    const target: AnswerSource = { origin: home.origin, family: model.family, model: model.id };
    const history = await createHistory(messages, {
      target,
      takesImages: model.images !== false,
      markerKey: await cache.markerKey(),
      find: (parts, prompt) => cache.find(target, parts, prompt),
    });
    const rounds = await this.#stream(connection, this.#write(model, history));
    const last = rounds.at(-1);
    if (last === undefined) return;
    const parts = rounds.flatMap((round) => round.parts);
    checkAnswer(last, parts);
    await this.#end(target, parts, last.usage);
  }

  #write(model: Model, messages: readonly Message[]): ChatRequest {
    const { tools, mustCallTool, options } = this.#request;
    const { family, id } = model;
    const sentTools = model.tools === false || model.tools === "text" ? [] : tools;
    if (mustCallTool && sentTools.length === 0) throw new ProvidedFailure(describeNoAnswer("no-tools"));
    const request = { family, model: id, messages, tools: sentTools, options: readRequestOptions(options, model) };
    return mustCallTool ? { ...request, mustCallTool } : request;
  }

  /** Streams the answer, and its continuations where the service paused. */
  async #stream(connection: ReadyConnection, request: ChatRequest): Promise<readonly CollectedAnswer[]> {
    const rounds: CollectedAnswer[] = [];
    for (let { messages } = request; ;) {
      const round = await this.#streamOnce(connection, { ...request, messages });
      const { parts } = round;
      const isSame = JSON.stringify(parts) === JSON.stringify(rounds.at(-1)?.parts);
      rounds.push(round);
      // The chat-completions family has no paused answers; a chat treats them in the same way.
      const isPaused = round.finish === "pause" && !round.cut && request.family !== "chat-completions";
      if (!isPaused || parts.length === 0 || isSame || rounds.length > maxPauses) return rounds;
      const { family, model } = request;
      messages = [...messages, { role: "assistant", family, model, parts, paused: true }];
    }
  }

  async #streamOnce({ gateway, home }: ReadyConnection, request: ChatRequest): Promise<CollectedAnswer> {
    const { log, learnWithoutTools } = this.#options;
    const answer = new CollectedAnswer();
    const bounds = new CallBounds();
    try {
      for await (const event of gateway.streamChat(request, this.#signal)) {
        this.#signal.throwIfAborted();
        if (event.type === "malformed") log.warn("A part of the stream was skipped.", { reason: event.reason });
        const checked = bounds.check(event);
        // VS Code takes data of other types for state: a `stateful_marker` of the gateway's would be sent to other vendors' models.
        if (checked.type === "media" && !/^(?:image|audio|video)\//.test(checked.mimeType)) continue;
        answer.add(checked);
        this.#pass(checked);
      }
      this.#signal.throwIfAborted();
      if (answer.error !== undefined) throw new AppFailure(answer.error);
    } catch (error) {
      if (request.tools.length > 0 && refusesTools(toAppError(error))) learnWithoutTools(request.model, home.origin);
      throw error;
    }
    return answer;
  }

  #pass(event: ChatEvent): void {
    if (event.type === "text-delta") this.#report({ type: "text", text: event.text });
    else if (event.type === "reasoning-delta") this.#report({ type: "thinking", text: event.text });
    else if (event.type === "media") {
      this.#report({ type: "data", mimeType: event.mimeType, data: Buffer.from(event.data, "base64") });
    }
  }

  /** Reports what a caller gets once the answer is complete. The answer is stored first, because the caller may act on a call at once. */
  async #end(source: AnswerSource, parts: readonly AssistantPart[], usage: Usage | undefined): Promise<void> {
    const idOf = createCallIds();
    const ids = new Map<string, string>();
    const calls = parts.flatMap((part): readonly CallPart[] => {
      if (part.type !== "tool-call") return [];
      const { call, name, input } = part;
      const id = idOf(ids.size);
      ids.set(call, id);
      return [{ type: "tool-call", id, name, input }];
    });
    const record = writeAnswerRecord(source, parts, ids);
    const texts = parts.filter((part) => part.type === "text");
    const prompt = lastPrompt(this.#request.messages);
    if (record !== undefined) await this.#options.cache.save(source, [...texts, ...calls], prompt, record);
    for (const call of calls) this.#report(call);
    if (usage !== undefined) this.#report({ type: "data", mimeType: usageType, data: writeUsage(usage) });
    if (record !== undefined) this.#report(writeMarker(source.model, record, await this.#options.cache.markerKey()));
  }
}

/** Throws where the answer is cut, filtered, refused or empty: its parts alone would look complete to the caller. */
function checkAnswer({ cut, finish, hasInvalidCall }: CollectedAnswer, parts: readonly AssistantPart[]): void {
  if (cut) throw new ProvidedFailure(describeNoAnswer("cut"));
  if (finish === "content-filter") throw new ProvidedFailure(describeNoAnswer("filtered"), "blocked");
  const hasPart = (type: AssistantPart["type"]): boolean => parts.some((part) => part.type === type);
  if (hasInvalidCall && !hasPart("tool-call")) throw new ProvidedFailure(describeNoAnswer("unreadable-call"));
  if (hasPart("text") || hasPart("tool-call") || hasPart("media")) return;
  if (finish === "refusal") throw new ProvidedFailure(describeNoAnswer("refused"), "blocked");
  throw new ProvidedFailure(describeNoAnswer("empty"));
}

/** Writes the usage in the form of chat completions, from which VS Code fills its meter. */
function writeUsage({ input = 0, output = 0, cacheRead, reasoning }: Usage): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...(cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
      ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    }),
  );
}

const temperature = z.number().check(z.minimum(0), z.maximum(2));
const tokens = z.int().check(z.positive());
/** Callers use the option names of the vendors' APIs. */
const limitNames = ["max_tokens", "maxTokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"];

/** The options that the person set for the model, overridden by those of the caller that Sluice knows. The person's limit on an answer stays. */
function readRequestOptions(options: unknown, model: ModelOptions): ModelOptions {
  const given = new Map(typeof options === "object" && options !== null ? Object.entries(options) : []);
  const wanted = limitNames.flatMap((name) => tokens.safeParse(given.get(name)).data ?? []);
  const limits = [...wanted.slice(0, 1), ...(model.maxOutputTokens === undefined ? [] : [model.maxOutputTokens])];
  return {
    ...model,
    ...definedFields({
      temperature: temperature.safeParse(given.get("temperature")).data ?? model.temperature,
      maxOutputTokens: limits.length === 0 ? undefined : Math.min(...limits),
    }),
  };
}

type CollectedPart =
  | { readonly type: "text" | "reasoning"; readonly block: number; text: string }
  /** `input` is missing until the call is complete. */
  | {
      readonly type: "tool-call";
      readonly call: string;
      readonly wireId?: string;
      readonly name: string;
      input?: Readonly<Record<string, unknown>>;
    }
  | Extract<AssistantPart, { type: "media" | "opaque" }>;

/** Collects the events of one answer as parts of the history, in their order. */
class CollectedAnswer {
  readonly #parts: CollectedPart[] = [];
  usage: Usage | undefined;
  finish: Finish = "unknown";
  cut = true;
  /** The error that the service reported inside the stream. */
  error: AppError | undefined;
  hasInvalidCall = false;

  add(event: ChatEvent): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#addText(event.type === "text-delta" ? "text" : "reasoning", event.block, event.text);
        break;
      case "tool-call-start": {
        const { call, wireId, name } = event;
        this.#parts.push({ type: "tool-call", call, name, ...definedFields({ wireId }) });
        break;
      }
      case "tool-call-end": {
        const part = this.#parts.findLast((known) => known.type === "tool-call" && known.call === event.call);
        if (part?.type === "tool-call") part.input = event.input;
        break;
      }
      case "tool-call-invalid":
        this.hasInvalidCall = true;
        break;
      case "media":
        this.#parts.push({ type: "media", mimeType: event.mimeType, data: event.data });
        break;
      case "opaque":
        this.#parts.push({ type: "opaque", family: event.family, data: event.data });
        break;
      case "usage":
        this.usage = event;
        break;
      case "stream-error":
        this.error = event.error;
        break;
      case "message-end":
        this.finish = event.finish;
        this.cut = event.cut;
        break;
      case "message-start":
      case "tool-call-delta":
      case "citation":
      case "malformed":
        break;
    }
  }

  /** The parts in their order. A call that is not complete is left out, because it is never passed on. */
  get parts(): readonly AssistantPart[] {
    return this.#parts.flatMap((part): readonly AssistantPart[] => {
      if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: part.text }];
      if (part.type !== "tool-call") return [part];
      const { input, ...call } = part;
      return input === undefined ? [] : [{ ...call, input }];
    });
  }

  #addText(type: "text" | "reasoning", block: number, text: string): void {
    // A citation or a signature may come between two deltas of a block.
    const known = this.#parts.findLast((part) => part.type === type && part.block === block);
    if (known?.type === type) known.text += text;
    else this.#parts.push({ type, block, text });
  }
}

/** The code of VS Code's `LanguageModelError`, by which callers distinguish failures; `undefined` where VS Code has none for it. */
export type FailureCode = ErrorKindFacts["modelErrorCode"];

export class ProvidedFailure extends Error {
  override readonly name = "ProvidedFailure";
  readonly code: FailureCode;

  constructor(message: string, code?: FailureCode) {
    super(message);
    this.code = code;
  }
}

/** `hasBegun`: whether a part of the answer was passed on. */
function toProvidedFailure(failure: unknown, hasBegun: boolean): ProvidedFailure {
  if (failure instanceof ProvidedFailure) return failure;
  if (failure instanceof CallLimitFailure) return new ProvidedFailure(describeCallLimit(callCap));
  const error = toAppError(failure);
  return new ProvidedFailure(describeProvidedError(error, hasBegun), factsOfKind(error.kind).modelErrorCode);
}
