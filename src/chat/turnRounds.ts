/** The rounds of one turn: an answer, the tool calls in it, their results, the next answer (A1). */
import { randomUUID } from "node:crypto";
import { isAbort } from "../base/abort";
import { definedFields } from "../base/definedFields";
import { type GatewayError, GatewayFailure, toGatewayError } from "../domain/errors";
import type { ChatListener, Model } from "../domain/ports";
import type { Tool } from "../domain/tool";
import {
  type AnswerEntry,
  type AnswerFailure,
  type Chat,
  isPaused,
  lastAnswer,
  type SessionEvent,
} from "../domain/transcript";
import type { AnswerRequests } from "./answerRequests";
import type { Approvals } from "./approvals";
import { CallBounds, callCap, CallLimitFailure } from "./callBounds";
import { createMessages } from "./history";
import { refusesTools } from "./refusesTools";
import type { SessionPorts } from "./sessionPorts";
import { systemPrompt } from "./systemPrompt";
import { ToolRunner } from "./toolRunner";

/** After so many answers in a row, each with tool calls or paused, the turn ends until the person continues it. */
const roundLimit = 25;

/** The session of the turn. `emit` reduces the chat by an event before it returns. */
export interface TurnSession {
  readonly chat: () => Chat;
  readonly approvals: Approvals;
  readonly requests: AnswerRequests;
  readonly emit: (event: SessionEvent) => void;
}

export class TurnRounds {
  readonly #session: TurnSession;
  readonly #ports: SessionPorts;
  readonly #signal: AbortSignal;

  constructor(session: TurnSession, ports: SessionPorts, signal: AbortSignal) {
    this.#session = session;
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Rejects only with an abort, after what was open was marked as stopped. */
  async run(): Promise<void> {
    const { approvals, emit } = this.#session;
    const runner = new ToolRunner(approvals, emit, () => this.#settle(), this.#ports.filesOf);
    let last: AnswerEntry | undefined;
    for (let round = 0; round < roundLimit; round += 1) {
      const tools = new Map<string, Tool>();
      const before = last;
      last = await this.#answer(tools);
      if (last?.state !== "complete" || last.cut === true) return;
      if (last.finish === "tool-calls") await runner.run(last, tools, this.#signal);
      else if (!isContinued(last, before)) return;
    }
    const id = this.#startAnswer(last);
    this.#endAnswer(id, "failed", { type: "round-limit", rounds: roundLimit });
  }

  /** Streams one answer into the chat and adds the tools that were declared to the model to `tools`. */
  async #answer(tools: Map<string, Tool>): Promise<AnswerEntry | undefined> {
    let model: Model | undefined;
    let id: string | undefined;
    try {
      model = await this.#ports.model(this.#signal);
      id = this.#startAnswer(model && { model: model.id, family: model.family });
      if (model) {
        await this.#stream(id, model, tools);
        this.#endAnswer(id, "complete");
      } else this.#endAnswer(id, "failed", { type: "no-model" });
    } catch (exception) {
      if (this.#signal.aborted || isAbort(exception)) {
        // A turn that was stopped before its request has no answer to mark.
        if (id !== undefined) this.#endAnswer(id, "stopped");
        throw exception;
      }
      const failure = this.#failureOf(exception, tools.size > 0 ? model : undefined);
      this.#endAnswer(id ?? this.#startAnswer(undefined), "failed", failure);
    }
    return lastAnswer(this.#session.chat());
  }

  /** One request. Rejects with what ended its stream early. */
  async #stream(id: string, model: Model, tools: Map<string, Tool>): Promise<void> {
    const { connections, log } = this.#ports;
    const { requests, emit } = this.#session;
    const signal = this.#signal;
    // The answer that was just started has no blocks yet and adds nothing to the history.
    const messages = createMessages(this.#session.chat(), systemPrompt, model.images !== false);
    const { gateway } = await connections.ready(signal);
    for (const tool of this.#ports.tools()) tools.set(tool.declaration.name, tool);
    const declarations = [...tools.values()].map(({ declaration }) => declaration);
    const request = { family: model.family, model: model.id, messages, tools: declarations, options: model };
    const listener: ChatListener = {
      onRetry: ({ error, retry: count, delayMs }) => {
        const retry = { error, ...(count === 0 ? {} : { delayMs }) };
        emit({ type: "answer-retry", id, retry });
      },
      onRequest: (traced) => requests.add(id, traced),
    };
    const bounds = new CallBounds();
    let reported: GatewayError | undefined;
    // What is paid for is on the disk before it is sent.
    await this.#settle();
    for await (const event of gateway.streamChat(request, signal, listener)) {
      // Events after a stop are dropped: the person has stopped reading.
      signal.throwIfAborted();
      if (event.type === "stream-error") reported = event.error;
      if (event.type === "malformed") log.warn("A part of the stream was skipped.", { reason: event.reason });
      emit({ type: "answer-event", id, event: bounds.check(event) });
    }
    signal.throwIfAborted();
    if (reported) throw new GatewayFailure(reported);
  }

  /** `asked`: the model, when tools were declared to it. */
  #failureOf(exception: unknown, asked: Model | undefined): AnswerFailure {
    const { log } = this.#ports;
    if (exception instanceof CallLimitFailure) {
      log.warn("An answer made too many tool calls.", { limit: callCap });
      return { type: "call-limit", calls: callCap };
    }
    const error = toGatewayError(exception);
    log.warn("An answer failed.", { kind: error.kind, status: error.status, requestId: error.requestId });
    if (!asked || !refusesTools(error)) return { type: "gateway", error };
    this.#ports.learnWithoutTools(asked.id);
    return { type: "tools-refused", error };
  }

  /** `of`: the model that answers, when it is known. */
  #startAnswer(of: Pick<AnswerEntry, "model" | "family"> | undefined): string {
    const id = randomUUID();
    const { model = "", family = "chat-completions" } = of ?? {};
    this.#session.emit({ type: "answer-started", id, model, family, at: this.#ports.clock.now() });
    return id;
  }

  #endAnswer(id: string, state: "complete" | "stopped" | "failed", failure?: AnswerFailure): void {
    const at = this.#ports.clock.now();
    this.#session.emit({ type: "answer-ended", id, at, state, ...definedFields({ failure }) });
  }

  async #settle(): Promise<void> {
    await this.#ports.storage?.settle(this.#signal);
  }
}

/** Whether a paused answer is sent back to be continued: not when it is empty or the same as the one before. */
function isContinued(answer: AnswerEntry, before: AnswerEntry | undefined): boolean {
  if (!isPaused(answer) || answer.blocks.length === 0) return false;
  return before === undefined || !isPaused(before) || sentBack(answer) !== sentBack(before);
}

function sentBack({ blocks }: AnswerEntry): string {
  const opaque = blocks.flatMap((block) => (block.type === "opaque" ? [block.data] : []));
  return JSON.stringify(opaque.length > 0 ? opaque : blocks);
}
