/** Before each request of a turn: whether the person's cap allows it, and a summary of older entries where the model's context is nearly full (A6, T10). */
import { randomUUID } from "node:crypto";
import { isAbort } from "../base/async/abort";
import { definedFields } from "../base/definedFields";
import { toAppError } from "../domain/errors/appError";
import type { ChatRequest, ToolDeclaration } from "../domain/chat/message";
import type { Model } from "../domain/ports";
import { tokensOfText, unknownContextSize } from "../domain/chat/tokenCount";
import type { AnswerFailure, Chat, SummaryEntry } from "../domain/chat/chat";
import { estimateFill, fillOf } from "./contextFill";
import { streamRequest } from "./requestStream";
import { type Coverage, planCoverage } from "./sentEntries";
import type { SessionPorts } from "./sessionPorts";
import { summaryRequest, summaryTextOf } from "./summaryRequest";
import { environmentText } from "./surroundings/environmentText";
import { systemPromptFor } from "./systemPrompt";
import { tokensOfEntry } from "./tokenEstimate";
import type { TurnSession } from "./turnSession";
import { untrustedIn } from "./untrusted";

/** What the person chose on the card of a turn that was paused, for the rest of the turn. */
export type Resolution = "over-cap" | "summarize" | "leave-out";

/** Shares of the model's context: from which a summary is made, what stays beside it, and the least that is worth one. */
const full = 0.8;
const kept = 0.3;
const least = 0.1;

export class ContextRoom {
  readonly #session: TurnSession;
  readonly #ports: SessionPorts;
  readonly #signal: AbortSignal;
  readonly #isOverCap: boolean;
  #resolution: Resolution | undefined;

  constructor(session: TurnSession, ports: SessionPorts, signal: AbortSignal, resolution?: Resolution) {
    this.#session = session;
    this.#ports = ports;
    this.#signal = signal;
    this.#isOverCap = resolution === "over-cap";
    this.#resolution = resolution;
  }

  get #chat(): Chat {
    return this.#session.chat();
  }

  /** Why the next request is not sent; `undefined` when it can be. Rejects with an abort only. */
  async prepare(model: Model, tools: readonly ToolDeclaration[]): Promise<AnswerFailure | undefined> {
    const rest = tokensOfText(systemPromptFor(model) + environmentText(this.#chat) + JSON.stringify(tools));
    const next = this.nextTokens(rest);
    const resolution = this.#resolution;
    this.#resolution = undefined;
    const isAsked = resolution === "summarize" || resolution === "leave-out";
    // The gateway refused a request of this length: a larger context size in the settings is wrong.
    const size = isAsked ? Math.min(model.contextSize ?? next, next) : (model.contextSize ?? Infinity);
    const isFull = next > full * size && this.#isAutomatic;
    const coverage = isFull || isAsked ? planCoverage(this.#chat, kept * size) : undefined;
    if (coverage !== undefined) {
      if (resolution === "leave-out") this.#leaveOut(model, coverage);
      else if (resolution === "summarize" || tokensOf(coverage) >= least * size) {
        const failure = await this.summarize(model, coverage, size);
        if (failure !== undefined) return failure.type === "token-cap" ? failure : { type: "context-full" };
      }
    }
    return this.#overCap(this.nextTokens(rest));
  }

  /** Tokens of the next request: by the last count and what was added since, or by estimate. */
  nextTokens(rest = 0): number {
    return fillOf(this.#chat)?.used ?? estimateFill(this.#chat, rest);
  }

  /** The gateway refused the request for its length. True when the turn goes on with a summary. */
  shouldSummarize(): boolean {
    if (!this.#isAutomatic || planCoverage(this.#chat, kept * this.nextTokens()) === undefined) return false;
    this.#resolution = "summarize";
    return true;
  }

  /** Covers everything, by the person's command. Why there is none is kept in the chat. Rejects with an abort only. */
  async summarizeAll(model: Model | undefined, noModel: AnswerFailure = { type: "no-model" }): Promise<void> {
    const coverage = planCoverage(this.#chat, 0);
    if (coverage === undefined) return;
    const failure = model ? await this.summarize(model, coverage, model.contextSize ?? unknownContextSize) : noModel;
    if (failure === undefined || (model && failure.type === "gateway")) return;
    const id = this.#start(model ?? { id: "", family: "chat-completions" }, coverage);
    this.#session.emit({ type: "answer-ended", id, at: this.#ports.clock.now(), state: "failed", failure });
  }

  /** Resolves with why there is none. Rejects with an abort only. */
  async summarize(model: Model, coverage: Coverage, size: number): Promise<AnswerFailure | undefined> {
    const { emit, chat } = this.#session;
    const request = summaryRequest(model, coverage, size);
    const input = tokensOfText(JSON.stringify(request.messages));
    const capped = this.#overCap(input);
    if (capped !== undefined) return capped;
    const id = this.#start(model, coverage);
    const end = (state: "complete" | "stopped" | "failed", failure?: AnswerFailure): void => {
      const summary = summaryOf(chat(), id);
      const isCounted = summary === undefined || summary.usage !== undefined || summary.blocks.length === 0;
      const estimate = isCounted ? undefined : input + tokensOfEntry(summary);
      emit({ type: "answer-ended", id, at: this.#ports.clock.now(), state, ...definedFields({ failure, estimate }) });
    };
    const failure = await this.#stream(id, request).catch((error: unknown) => {
      end("stopped");
      throw error;
    });
    end(failure === undefined ? "complete" : "failed", failure);
    return failure;
  }

  async #stream(id: string, request: ChatRequest): Promise<AnswerFailure | undefined> {
    try {
      await streamRequest(this.#session, this.#ports, id, request, this.#signal);
    } catch (error) {
      if (this.#signal.aborted || isAbort(error)) throw error;
      return { type: "gateway", error: toAppError(error) };
    }
    const summary = summaryOf(this.#chat, id);
    const isWhole = summary?.cut !== true && (summary?.finish === "stop" || summary?.finish === "length");
    if (summary !== undefined && isWhole && summaryTextOf(summary).trim() !== "") return undefined;
    return { type: "gateway", error: { kind: "malformed", message: "There is no whole summary in it." } };
  }

  /** The person agreed that the model does not get these. */
  #leaveOut(model: Model, coverage: Coverage): void {
    const id = this.#start(model, coverage, true);
    this.#session.emit({ type: "answer-ended", id, at: this.#ports.clock.now(), state: "complete" });
  }

  #start({ id: model, family }: Model, { until, before, entries }: Coverage, isLeftOut = false): string {
    const id = randomUUID();
    const untrusted = isLeftOut ? undefined : (untrustedIn(entries) ?? before?.untrusted);
    const leftOut = isLeftOut ? (true as const) : undefined;
    const at = this.#ports.clock.now();
    this.#session.emit({
      type: "summary-started",
      id,
      model,
      family,
      at,
      until,
      ...definedFields({ untrusted, leftOut }),
    });
    return id;
  }

  /** Not after the person undid the last one. */
  get #isAutomatic(): boolean {
    const last = this.#chat.entries.findLast((entry) => entry.type === "summary");
    return this.#ports.summarizes() && !(last?.type === "summary" && last.undone);
  }

  #overCap(next: number): AnswerFailure | undefined {
    const cap = this.#ports.tokensPerChat();
    const used = this.#chat.tokens ?? 0;
    if (cap <= 0 || this.#isOverCap || used + next <= cap) return undefined;
    return { type: "token-cap", cap, used, next };
  }
}

function tokensOf({ entries }: Coverage): number {
  return entries.reduce((sum, entry) => sum + (entry.type === "summary" ? 0 : tokensOfEntry(entry)), 0);
}

function summaryOf({ entries }: Chat, id: string): SummaryEntry | undefined {
  return entries.findLast((entry) => entry.type === "summary" && entry.id === id) as SummaryEntry | undefined;
}
