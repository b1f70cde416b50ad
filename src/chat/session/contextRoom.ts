/**
 * Runs before each request of a turn: checks whether the person's caps allow it, and makes it fit into the model's context by a summary of older
 * entries or by shorter results (A6, T10).
 */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { type AppError, toAppError } from "../../domain/errors/appError";
import type { ChatRequest, ToolDeclaration } from "../../domain/chat/message";
import type { Model, ReadyConnection } from "../../domain/ports";
import { assumedContextSize, tokensOfText, unknownContextSize } from "../../domain/chat/tokenCount";
import { type AnswerFailure, type Chat, lastAnswer, type SummaryEntry } from "../../domain/chat/chat";
import { tokensOfEntry } from "../request/tokenEstimate";
import { estimateFill, fillOf } from "../request/contextFill";
import { overCap } from "./caps";
import { streamRequest } from "./requestStream";
import { cutResult, ResultRoom, longResults, refusedSize } from "../request/resultRoom";
import { type Coverage, planCoverage } from "../request/sentEntries";
import { isFreeNow, type SessionOptions, type TurnSession } from "./sessionOptions";
import { summaryRequest, summaryTextOf } from "../request/summaryRequest";
import { environmentText } from "../request/environmentText";
import { systemPromptFor } from "../request/systemPrompt";
import { untrustedIn } from "./untrusted";

/** The choice of the person on the card of a paused turn. */
export type Resolution = "over-cap" | "summarize" | "leave-out";

/** A summary is made once the next request fills this share of the model's context. */
const summaryThreshold = 0.8;
/** The newest entries, up to this share of the context, are not summarised. */
const keptShare = 0.3;
/** A summary of entries that take less than this share would save too little. */
const minSummarisedShare = 0.1;
/** A shortened request is sent again if it has at most this share of the tokens of the refused one. */
const retryShare = 0.9;
/** A smaller request is made after at most this many refusals in a row. */
const maxRefusals = 3;

export class ContextRoom {
  readonly #session: TurnSession;
  readonly #options: SessionOptions;
  readonly #signal: AbortSignal;
  readonly #isOverCap: boolean;
  #resolution: Resolution | undefined;
  #model: Model | undefined;
  /** Tokens of the instructions and the tools. */
  #rest = 0;
  /** The size of the model's context according to its refusals in this turn, in tokens as they are counted here. */
  #limit = Infinity;
  #refusals = 0;

  constructor(session: TurnSession, options: SessionOptions, signal: AbortSignal, resolution?: Resolution) {
    this.#session = session;
    this.#options = options;
    this.#signal = signal;
    this.#isOverCap = resolution === "over-cap";
    this.#resolution = resolution;
  }

  get #chat(): Chat {
    return this.#session.chat();
  }

  /** The size of the model's context; `Infinity` where it is not known. */
  get #size(): number {
    return Math.min(this.#model?.contextSize ?? Infinity, this.#limit);
  }

  /** Resolves with why the next request is not sent; `undefined` when it can be sent. Rejects with an abort only. */
  async prepare(model: Model, tools: readonly ToolDeclaration[]): Promise<AnswerFailure | undefined> {
    if (model.id !== this.#model?.id) this.#limit = Infinity;
    this.#model = model;
    this.#rest = tokensOfText(systemPromptFor(model) + environmentText(this.#chat) + JSON.stringify(tools));
    const resolution = this.#resolution;
    this.#resolution = undefined;
    const isAsked = resolution === "summarize" || resolution === "leave-out";
    if (isAsked && this.#limit === Infinity) this.#limit = this.#pausedSize();
    const size = this.#size;
    if (this.nextTokens() > size) this.#shortenResults();
    const isFull = this.nextTokens() > summaryThreshold * size && this.#isAutomatic;
    const coverage = isFull || isAsked ? this.#planCoverage() : undefined;
    if (coverage !== undefined) {
      if (resolution === "leave-out") this.#leaveOut(model, coverage);
      else if (resolution === "summarize" || tokensOf(coverage) >= minSummarisedShare * size) {
        const failure = await this.summarize(model, coverage, size);
        if (failure !== undefined) return isCap(failure) ? failure : { type: "context-full" };
      }
    }
    return this.#overCap(model, this.nextTokens());
  }

  /** Tokens of the next request: the last count plus what was added since, or an estimate. */
  nextTokens(): number {
    return fillOf(this.#chat)?.used ?? estimateFill(this.#chat, this.#rest);
  }

  /** The room for the results of the calls that the last answer has made. */
  results(): ResultRoom {
    const used = this.nextTokens();
    const size = this.#size === Infinity ? assumedContextSize(used) : this.#size;
    return new ResultRoom(size - used, this.#options.keepResult);
  }

  /** Called when the service has answered a request. */
  accept(): void {
    this.#refusals = 0;
  }

  /**
   * Takes a lower limit for the next request, because the gateway refused this one as too long. The returned failure says whether a shorter request is
   * sent (`isSentAgain`) or the turn pauses. `origin`: that of the gateway that refused.
   */
  refuse(error: AppError, origin: string | undefined): AnswerFailure {
    const refused = this.nextTokens();
    this.#limit = Math.min(this.#limit, refusedSize(error, refused));
    this.#refusals += 1;
    if (this.#model !== undefined && error.contextSize !== undefined && origin !== undefined)
      this.#options.learnContextSize(this.#model.id, error.contextSize, origin);
    const isRepeated = this.#refusals <= maxRefusals;
    if (isRepeated) this.#shortenResults();
    const canCover = this.#planCoverage() !== undefined;
    const isSummarized =
      isRepeated && canCover && this.#isAutomatic && this.nextTokens() > summaryThreshold * this.#limit;
    if (isSummarized) this.#resolution = "summarize";
    if (isSummarized || this.nextTokens() <= retryShare * refused)
      return { type: "context-full", error, isSentAgain: true };
    const canShrink = canCover || this.#longResults().length > 0;
    return { type: "context-full", error, ...(canShrink ? {} : { isAllNeeded: true }) };
  }

  /** The size of the context by the refusal for which the turn was paused, or the size of the request where that was not sent. */
  #pausedSize(): number {
    const failure = lastAnswer(this.#chat)?.failure;
    const next = this.nextTokens();
    return failure?.type === "context-full" && failure.error ? refusedSize(failure.error, next) : next;
  }

  /** Covers the entries that are older than the newest ones, or all entries if the newest ones alone fill the context. */
  #planCoverage(): Coverage | undefined {
    const older = planCoverage(this.#chat, keptShare * this.#size);
    const covered = older === undefined ? 0 : tokensOf(older);
    return this.nextTokens() - covered > this.#size ? planCoverage(this.#chat, 0) : older;
  }

  #longResults(): ReturnType<typeof longResults> {
    return longResults(this.#chat, this.#size - this.#rest);
  }

  /** Cuts results that the model has not read yet. Each gets a note in its row, and is stored whole for `read_result`. */
  #shortenResults(): void {
    for (const { answer, block, room } of this.#longResults()) {
      const { call, name, progress } = block;
      if (progress.state !== "done" && progress.state !== "failed") continue;
      const { result: text, untrusted, cutFrom } = progress;
      const cut = cutResult({ tool: name, text, ...definedFields({ untrusted }) }, room, this.#options.keepResult);
      const whole = cutFrom === undefined ? {} : { cutFrom };
      this.#session.emit({ type: "tool-progress", id: answer.id, call, progress: { ...progress, ...cut, ...whole } });
    }
  }

  /** Summarises everything, by the person's command. If that fails, the reason is kept in the chat. Rejects with an abort only. */
  async summarizeAll(model: Model | undefined, noModel: AnswerFailure = { type: "no-model" }): Promise<void> {
    const coverage = planCoverage(this.#chat, 0);
    if (coverage === undefined) return;
    const failure = model ? await this.summarize(model, coverage, model.contextSize ?? unknownContextSize) : noModel;
    if (failure === undefined || (model && failure.type === "gateway")) return;
    const id = this.#start(model ?? { id: "", family: "chat-completions" }, coverage);
    this.#session.emit({ type: "answer-ended", id, at: this.#options.clock.now(), state: "failed", failure });
  }

  /** Requests a summary. Resolves with why there is none; `undefined` when there is one. Rejects with an abort only. */
  async summarize(model: Model, coverage: Coverage, size: number): Promise<AnswerFailure | undefined> {
    const { emit, chat } = this.#session;
    let request = summaryRequest(model, coverage, size);
    let input = tokensOfText(JSON.stringify(request.messages));
    const capped = this.#overCap(model, input);
    if (capped !== undefined) return capped;
    const id = this.#start(model, coverage);
    const end = (state: "complete" | "stopped" | "failed", failure?: AnswerFailure): void => {
      const summary = summaryOf(chat(), id);
      const isCounted = summary === undefined || summary.usage !== undefined || summary.blocks.length === 0;
      const estimate = isCounted ? undefined : input + tokensOfEntry(summary);
      emit({ type: "answer-ended", id, at: this.#options.clock.now(), state, ...definedFields({ failure, estimate }) });
    };
    const connection = this.#options.connections.ready(this.#signal);
    const ask = (): Promise<AnswerFailure | undefined> =>
      this.#stream(id, request, connection).catch((error: unknown) => {
        end("stopped");
        throw error;
      });
    let failure = await ask();
    // The request for a summary may be too long as well.
    for (let refusals = 1, room = size; refusals <= maxRefusals && isTooLong(failure); refusals += 1) {
      emit({ type: "answer-retry", id, retry: { error: failure.error } });
      room = Math.min(room, refusedSize(failure.error, input)) / 2;
      request = summaryRequest(model, coverage, room);
      input = tokensOfText(JSON.stringify(request.messages));
      failure = await ask();
    }
    end(failure === undefined ? "complete" : "failed", failure);
    return failure;
  }

  async #stream(
    id: string,
    request: ChatRequest,
    connection: Promise<ReadyConnection>,
  ): Promise<AnswerFailure | undefined> {
    try {
      await streamRequest(this.#session, this.#options, id, request, this.#signal, connection);
    } catch (error) {
      if (this.#signal.aborted || isAbort(error)) throw error;
      return { type: "gateway", error: toAppError(error) };
    }
    const summary = summaryOf(this.#chat, id);
    const isWhole = summary?.cut !== true && (summary?.finish === "stop" || summary?.finish === "length");
    if (summary !== undefined && isWhole && summaryTextOf(summary).trim() !== "") return undefined;
    return { type: "gateway", error: { kind: "malformed", message: "There is no whole summary in it." } };
  }

  /** Leaves these entries out of requests without a summary, because the person agreed to that. */
  #leaveOut(model: Model, coverage: Coverage): void {
    const id = this.#start(model, coverage, true);
    this.#session.emit({ type: "answer-ended", id, at: this.#options.clock.now(), state: "complete" });
  }

  #start({ id: model, family }: Model, { until, before, entries }: Coverage, isLeftOut = false): string {
    const id = randomUUID();
    const untrusted = isLeftOut ? undefined : (untrustedIn(entries) ?? before?.untrusted);
    const leftOut = isLeftOut ? (true as const) : undefined;
    const at = this.#options.clock.now();
    this.#session.emit({
      type: "summary-started",
      id,
      model,
      family,
      at,
      until,
      ...definedFields({ untrusted, leftOut, isFree: isFreeNow(this.#options.connections) }),
    });
    return id;
  }

  /** Whether to summarise without being asked: not after the person undid the last summary. */
  get #isAutomatic(): boolean {
    const last = this.#chat.entries.findLast((entry) => entry.type === "summary");
    return this.#options.settings.get("summarizeChats") && !(last?.type === "summary" && last.undone);
  }

  /** `input`: tokens of the next request. What the last counted answer read from the cache or wrote into it is expected to be read from there. */
  #overCap(model: Model, input: number): AnswerFailure | undefined {
    if (this.#isOverCap) return undefined;
    const last = this.#chat.entries.findLast((entry) => entry.type === "answer" && entry.usage?.input !== undefined);
    const counted = last?.type === "answer" ? last.usage : undefined;
    const cacheRead = Math.min(input, (counted?.cacheRead ?? 0) + (counted?.cacheWrite ?? 0));
    return overCap(this.#chat, this.#options, model, { input, cacheRead });
  }
}

function isCap({ type }: AnswerFailure): boolean {
  return type === "token-cap" || type === "money-cap";
}

function isTooLong(failure: AnswerFailure | undefined): failure is Extract<AnswerFailure, { type: "gateway" }> {
  return failure?.type === "gateway" && failure.error.kind === "too-large";
}

function tokensOf({ entries }: Coverage): number {
  return entries.reduce((sum, entry) => sum + (entry.type === "summary" ? 0 : tokensOfEntry(entry)), 0);
}

function summaryOf({ entries }: Chat, id: string): SummaryEntry | undefined {
  return entries.findLast((entry) => entry.type === "summary" && entry.id === id) as SummaryEntry | undefined;
}
