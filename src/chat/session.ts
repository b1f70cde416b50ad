/** One chat: a turn is answer, tool calls, results, answer, until the model has nothing more to call (A1). The host's truth. */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import { isAbort } from "../base/abort";
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { Emitter, type Event } from "../base/event";
import { describeError, describeNoModel, describeToolsRefused, type ErrorDescription } from "../domain/describeError";
import { type GatewayError, GatewayFailure, toGatewayError } from "../domain/errors";
import type { Connections, Log, Model, Retry } from "../domain/ports";
import type { Tool } from "../domain/tool";
import { type AnswerEntry, type Chat, emptyChat, isPaused, reduceChat, type SessionEvent } from "../domain/transcript";
import { Approvals } from "./approvals";
import { CallBounds } from "./callBounds";
import { createMessages } from "./history";
import { systemPrompt } from "./systemPrompt";
import { ToolRunner } from "./toolRunner";

export interface SessionPorts {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
  /** The model for the next request; waits for a gateway that is starting. Rejects with a `GatewayFailure` or an `AbortError`. */
  model(signal: AbortSignal): Promise<Model | undefined>;
  /** Empty in Restricted Mode, and for a model that takes none. */
  tools(): readonly Tool[];
  /** The model refused a request because of its tools. */
  learnWithoutTools(model: string): void;
}

/** After so many answers in a row, with tool calls or only paused, the person is asked to go on. */
const roundLimit = 25;

export class ChatSession {
  readonly approvals = new Approvals();
  readonly #ports: SessionPorts;
  readonly #emitted = new Emitter<SessionEvent>();
  #chat: Chat = emptyChat(randomUUID());
  #turn: AbortController | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** Each event, after the chat has been reduced by it. */
  readonly onDidEmit: Event<SessionEvent> = this.#emitted.event;

  /** Adds a prompt and runs the turn to its end. False, and nothing happens, for an empty prompt or while a turn runs. Never rejects. */
  async submit(text: string): Promise<boolean> {
    if (text.trim() === "" || this.#turn) return false;
    this.#emit({ type: "prompt-added", id: randomUUID(), text, at: this.#ports.clock.now() });
    await this.#run();
    return true;
  }

  /** Asks again after a failed answer, without adding a prompt. False, and nothing happens, when the last answer did not fail. */
  async retry(): Promise<boolean> {
    const last = this.#chat.entries.at(-1);
    if (this.#turn || last?.type !== "answer" || last.state !== "failed") return false;
    await this.#run();
    return true;
  }

  /** Ends the turn at once: the request, the tools, an open question. */
  stop(): void {
    this.#turn?.abort();
  }

  async #run(): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#emit({ type: "turn-started" });
    try {
      await this.#rounds(turn.signal);
    } catch (error) {
      // Aborts end here; anything else is ours to mend, and the panel must not stay busy.
      if (!isAbort(error)) this.#ports.log.error("A turn ended unexpectedly.", { message: String(error) });
    } finally {
      this.#turn = undefined;
      this.#emit({ type: "turn-ended" });
    }
  }

  async #rounds(signal: AbortSignal): Promise<void> {
    const runner = new ToolRunner(this.approvals, (event) => this.#emit(event));
    let last: AnswerEntry | undefined;
    for (let round = 0; round < roundLimit; round += 1) {
      const tools = new Map<string, Tool>();
      const before = last;
      last = await this.#answer(tools, signal);
      if (last?.state !== "complete" || last.cut === true) return;
      if (last.finish === "tool-calls") await runner.run(last, tools, signal);
      else if (!goesOn(last, before)) return;
    }
    const id = this.#startAnswer(last);
    this.#endAnswer(id, "failed", {
      title: t("The model has answered {0} times in a row without coming to an end.", roundLimit),
      meaning: t("Nothing more was sent."),
      action: { id: "retry", label: t("Go On") },
      details: "",
    });
  }

  /**
   * Streams one answer into the chat and notes in `tools` which ones the model was told of. Rejects only with an abort,
   * after the answer was marked as stopped.
   */
  async #answer(tools: Map<string, Tool>, signal: AbortSignal): Promise<AnswerEntry | undefined> {
    const { connections, log } = this.#ports;
    const messages = createMessages(this.#chat, systemPrompt);
    let model: Model | undefined;
    let id: string | undefined;
    try {
      model = await this.#ports.model(signal);
      id = this.#startAnswer(model && { model: model.id, family: model.family });
      if (!model) {
        this.#endAnswer(id, "failed", describeNoModel());
        return this.#lastAnswer();
      }
      const { gateway } = await connections.ready(signal);
      for (const tool of this.#ports.tools()) tools.set(tool.declaration.name, tool);
      let said: GatewayError | undefined;
      const answer = id;
      const onRetry = ({ error, retry: count, delayMs }: Retry): void => {
        const retry = { reason: describeError(error, "chat").title, ...(count === 0 ? {} : { delayMs }) };
        this.#emit({ type: "answer-retry", id: answer, retry });
      };
      const bounds = new CallBounds();
      const declarations = [...tools.values()].map(({ declaration }) => declaration);
      const request = { family: model.family, model: model.id, messages, tools: declarations, options: model };
      for await (const event of gateway.streamChat(request, signal, onRetry)) {
        // What comes after a stop is not shown: the person has stopped reading it.
        signal.throwIfAborted();
        if (event.type === "stream-error") said = event.error;
        if (event.type === "malformed") log.warn("A piece of the stream was skipped.", { reason: event.reason });
        this.#emit({ type: "answer-event", id, event: bounds.check(event) });
      }
      signal.throwIfAborted();
      if (said) throw new GatewayFailure(said);
      this.#endAnswer(id, "complete");
    } catch (failure) {
      if (signal.aborted || isAbort(failure)) {
        // A turn that was stopped before its request has no answer to mark.
        if (id !== undefined) this.#endAnswer(id, "stopped");
        throw failure;
      }
      id ??= this.#startAnswer(undefined);
      const error = toGatewayError(failure);
      log.warn("An answer failed.", { kind: error.kind, status: error.status, requestId: error.requestId });
      if (model && tools.size > 0 && refusesTools(error)) {
        this.#ports.learnWithoutTools(model.id);
        this.#endAnswer(id, "failed", describeToolsRefused(error));
      } else {
        const hasBegun = (this.#lastAnswer()?.blocks.length ?? 0) > 0;
        this.#endAnswer(id, "failed", describeError(error, hasBegun ? "answer" : "chat"));
      }
    }
    return this.#lastAnswer();
  }

  #lastAnswer(): AnswerEntry | undefined {
    const last = this.#chat.entries.at(-1);
    return last?.type === "answer" ? last : undefined;
  }

  /** `of`: whom it is from, when that is known. */
  #startAnswer(of: Pick<AnswerEntry, "model" | "family"> | undefined): string {
    const id = randomUUID();
    const { model = "", family = "chat-completions" } = of ?? {};
    this.#emit({ type: "answer-started", id, model, family, at: this.#ports.clock.now() });
    return id;
  }

  #endAnswer(id: string, state: "complete" | "stopped" | "failed", error?: ErrorDescription): void {
    const at = this.#ports.clock.now();
    this.#emit({ type: "answer-ended", id, at, state, ...definedFields({ error }) });
  }

  #emit(event: SessionEvent): void {
    this.#chat = reduceChat(this.#chat, event);
    this.#emitted.fire(event);
  }
}

/** A paused answer is gone on with by itself, unless it hands back nothing, or only what went out with the request before. */
function goesOn(answer: AnswerEntry, before: AnswerEntry | undefined): boolean {
  if (!isPaused(answer) || answer.blocks.length === 0) return false;
  return before === undefined || !isPaused(before) || handedBack(answer) !== handedBack(before);
}

function handedBack({ blocks }: AnswerEntry): string {
  const opaque = blocks.flatMap((block) => (block.type === "opaque" ? [block.data] : []));
  return JSON.stringify(opaque.length > 0 ? opaque : blocks);
}

/** Only words that speak of tools as such: a schema that was refused is no reason to go without them. */
function refusesTools({ kind, message }: GatewayError): boolean {
  if (kind !== "rejected" && kind !== "not-found") return false;
  return (
    /\b(not|n't|no)\b[^.]{0,40}\b(support|accept|allow|endpoints?)[^.]{0,40}\b(tools?|function.?call\w*)\b/i.test(
      message,
    ) ||
    /\b(tools?|function.?call\w*)\b[^.]{0,40}\b(not|un|isn't|aren't)\b ?-?(supported|available|enabled|allowed|permitted|recognized)/i.test(
      message,
    )
  );
}
