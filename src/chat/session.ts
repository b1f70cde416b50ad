/** One chat: a turn is answer, tool calls, results, answer, until the model makes no more calls (A1). The panel shows a copy of it. */
import { randomUUID } from "node:crypto";
import { abortable, isAbort } from "../base/abort";
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { Emitter, type Event } from "../base/event";
import type { Attachment, FileReference } from "../domain/attachmentSchema";
import { type GatewayError, GatewayFailure, toGatewayError } from "../domain/errors";
import type { ChatListener, Connections, Log, Model } from "../domain/ports";
import type { Tool } from "../domain/tool";
import { reduceChat } from "../domain/reduceChat";
import {
  type AnswerEntry,
  type AnswerFailure,
  type Chat,
  emptyChat,
  isPaused,
  type SessionEvent,
} from "../domain/transcript";
import { AnswerRequests } from "./answerRequests";
import { Approvals } from "./approvals";
import { CallBounds, callCap, CallLimitFailure } from "./callBounds";
import { createMessages } from "./history";
import { refusesTools } from "./refusesTools";
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
  /** Reads what a person attached, in order. Rejects with an `AbortError` only. */
  readonly attach?: (references: readonly FileReference[], signal: AbortSignal) => Promise<readonly Attachment[]>;
  /** The model refused a request because of its tools. */
  learnWithoutTools(model: string): void;
  /** Missing where the chat is not stored. */
  readonly storage?: SessionStorage;
}

/** Where the events of the chat are kept. */
export interface SessionStorage {
  /** This window writes the chat; false while another one does. */
  readonly isWritable: boolean;
  /** Makes this window the writer, if it can; the chat has what the former writer has written then. Never rejects. */
  takeOver(): Promise<boolean>;
  /** Resolves when what was emitted is on the disk, or the disk does not take it. Rejects only with an abort. */
  settle(signal: AbortSignal): Promise<void>;
}

/** After so many answers in a row, each with tool calls or paused, the turn ends until the person continues it. */
const roundLimit = 25;

export class ChatSession {
  readonly approvals = new Approvals();
  /** Of the answers since this session was opened. */
  readonly requests = new AnswerRequests();
  readonly #ports: SessionPorts;
  readonly #emitted = new Emitter<SessionEvent>();
  #chat: Chat;
  #turn: AbortController | undefined;

  /** Continues a stored chat, or begins an empty one. */
  constructor(ports: SessionPorts, stored: Chat = emptyChat(randomUUID())) {
    this.#ports = ports;
    this.#chat = stored;
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** Each event, after the chat has been reduced by it. */
  readonly onDidEmit: Event<SessionEvent> = this.#emitted.event;

  /** A turn runs in this window. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Ends a turn that never ended, because its window was closed or killed: what was open in it is marked as interrupted. */
  interrupt(): void {
    if (this.#chat.running && !this.#turn) this.#emit({ type: "turn-interrupted" });
  }

  /** An event of the window that writes this chat. */
  receive(event: SessionEvent): void {
    this.#emit(event);
  }

  /**
   * Adds a prompt and runs its turn, and those of the prompts that are queued meanwhile, to the end. While a turn runs it
   * is queued, which resolves at once. False, and nothing happens, for an empty prompt or while another window writes the
   * chat. Never rejects.
   */
  async submit(text: string, references?: readonly FileReference[]): Promise<boolean> {
    if (text.trim() === "") return false;
    if (!this.#turn && !(await this.#mayBegin())) return false;
    const prompt = { id: randomUUID(), text, at: this.#ports.clock.now(), ...definedFields({ references }) };
    if (this.#turn) this.#emit({ type: "prompt-queued", ...prompt });
    else {
      this.#emit({ type: "prompt-added", ...prompt });
      await this.#runTurns();
    }
    return true;
  }

  /** Sends the prompts that are still queued after a turn was stopped, failed or was interrupted. False when there are none, or while a turn runs. */
  async sendQueued(): Promise<boolean> {
    if (!(await this.#mayBegin())) return false;
    const [first] = this.#chat.queue ?? [];
    if (first === undefined) return false;
    this.#emit({ type: "prompt-added", ...first });
    await this.#runTurns();
    return true;
  }

  /** Takes a prompt out of the queue. False when it is not in it: it was sent or removed. */
  removeQueued(id: string): boolean {
    if (!this.#isWriter || !this.#chat.queue?.some((prompt) => prompt.id === id)) return false;
    this.#emit({ type: "prompt-unqueued", id });
    return true;
  }

  /**
   * Sends an edited prompt in place of one of the chat; it and all after it become the other branch. False, and nothing
   * happens, for an empty text, an unknown prompt or while a turn runs.
   */
  async resend(replaces: string, text: string): Promise<boolean> {
    if (text.trim() === "" || !(await this.#mayBegin())) return false;
    const known = this.#chat.entries.find(({ id }) => id === replaces);
    if (known?.type !== "user") return false;
    const { references } = known;
    const at = this.#ports.clock.now();
    this.#emit({ type: "prompt-added", id: randomUUID(), text, at, replaces, ...definedFields({ references }) });
    await this.#runTurns();
    return true;
  }

  /** Asks for another answer to the last prompt; the one there is becomes the other branch. False when there is none, or while a turn runs. */
  async regenerate(): Promise<boolean> {
    if (!(await this.#mayBegin())) return false;
    const { entries } = this.#chat;
    const from = entries[entries.findLastIndex(({ type }) => type === "user") + 1]?.id;
    if (from === undefined) return false;
    this.#emit({ type: "entries-replaced", from });
    await this.#runTurns();
    return true;
  }

  /** Undoes `resend` or `regenerate`, or that undo. False when there is nothing to undo, or while a turn runs. */
  switchBranch(): boolean {
    if (this.#turn || !this.#isWriter || this.#chat.otherBranch === undefined) return false;
    this.#emit({ type: "branch-switched" });
    return true;
  }

  /** Asks again after a failed answer, without adding a prompt. False, and nothing happens, when the last answer did not fail. */
  async retry(): Promise<boolean> {
    if (!(await this.#mayBegin())) return false;
    const last = this.#chat.entries.at(-1);
    if (last?.type !== "answer" || last.state !== "failed") return false;
    await this.#runTurns();
    return true;
  }

  /** Goes on with a turn that was interrupted, by a new request. False, and nothing happens, when the last turn was not. */
  async continueTurn(): Promise<boolean> {
    // A turn that a former writer left open is interrupted when this window takes over.
    if (!(await this.#mayBegin())) return false;
    if (this.#chat.interrupted !== true) return false;
    await this.#runTurns();
    return true;
  }

  /** Ends the turn at once: the request, the tools, an open question. */
  stop(): void {
    this.#turn?.abort();
  }

  get #isWriter(): boolean {
    return this.#ports.storage?.isWritable !== false;
  }

  /** No turn runs, and this window writes the chat; it becomes the writer where the former one is gone. */
  async #mayBegin(): Promise<boolean> {
    if (this.#turn) return false;
    if (this.#isWriter) return true;
    return (await this.#ports.storage?.takeOver()) === true && this.#turn === undefined;
  }

  /** A turn, then one for each queued prompt in order. A turn that was stopped or failed keeps the rest in the queue. */
  async #runTurns(): Promise<void> {
    for (;;) {
      const isStopped = await this.#run();
      const [next] = this.#chat.queue ?? [];
      // A listener of `turn-ended` may have begun another turn.
      if (next === undefined || isStopped || this.#turn || this.#lastAnswer()?.state !== "complete") return;
      this.#emit({ type: "prompt-added", ...next });
    }
  }

  /** Resolves with whether the turn was stopped. Never rejects. */
  async #run(): Promise<boolean> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#emit({ type: "turn-started" });
    try {
      await this.#readAttachments(turn.signal);
      await this.#rounds(turn.signal);
    } catch (error) {
      // An abort ends the turn; any other exception is a fault of ours, and the panel must not stay busy for it.
      if (!isAbort(error)) this.#ports.log.error("A turn ended unexpectedly.", { message: String(error) });
    } finally {
      this.#turn = undefined;
      this.#emit({ type: "turn-ended" });
    }
    return turn.signal.aborted;
  }

  /** For the last prompt, unless they were read: a second answer to it gets the same. */
  async #readAttachments(signal: AbortSignal): Promise<void> {
    const prompt = this.#chat.entries.findLast((entry) => entry.type === "user");
    const { attach } = this.#ports;
    if (prompt?.references === undefined || prompt.attachments !== undefined || attach === undefined) return;
    const attachments = await abortable(attach(prompt.references, signal), signal);
    this.#emit({ type: "attachments-read", id: prompt.id, attachments: [...attachments] });
  }

  async #rounds(signal: AbortSignal): Promise<void> {
    const settle = (): Promise<void> => this.#settle(signal);
    const runner = new ToolRunner(this.approvals, (event) => this.#emit(event), settle);
    let last: AnswerEntry | undefined;
    for (let round = 0; round < roundLimit; round += 1) {
      const tools = new Map<string, Tool>();
      const before = last;
      last = await this.#answer(tools, signal);
      if (last?.state !== "complete" || last.cut === true) return;
      if (last.finish === "tool-calls") await runner.run(last, tools, signal);
      else if (!isContinued(last, before)) return;
    }
    const id = this.#startAnswer(last);
    this.#endAnswer(id, "failed", { type: "round-limit", rounds: roundLimit });
  }

  /**
   * Streams one answer into the chat and adds the tools that were declared to the model to `tools`. Rejects only with an
   * abort, after the answer was marked as stopped.
   */
  async #answer(tools: Map<string, Tool>, signal: AbortSignal): Promise<AnswerEntry | undefined> {
    let model: Model | undefined;
    let id: string | undefined;
    try {
      model = await this.#ports.model(signal);
      id = this.#startAnswer(model && { model: model.id, family: model.family });
      if (model) {
        await this.#stream(id, model, tools, signal);
        this.#endAnswer(id, "complete");
      } else this.#endAnswer(id, "failed", { type: "no-model" });
    } catch (exception) {
      if (signal.aborted || isAbort(exception)) {
        // A turn that was stopped before its request has no answer to mark.
        if (id !== undefined) this.#endAnswer(id, "stopped");
        throw exception;
      }
      const failure = this.#failureOf(exception, tools.size > 0 ? model : undefined);
      this.#endAnswer(id ?? this.#startAnswer(undefined), "failed", failure);
    }
    return this.#lastAnswer();
  }

  /** One request. Rejects with what ended its stream early. */
  async #stream(id: string, model: Model, tools: Map<string, Tool>, signal: AbortSignal): Promise<void> {
    const { connections, log } = this.#ports;
    // The answer that was just started has no blocks yet and adds nothing to the history.
    const messages = createMessages(this.#chat, systemPrompt);
    const { gateway } = await connections.ready(signal);
    for (const tool of this.#ports.tools()) tools.set(tool.declaration.name, tool);
    const declarations = [...tools.values()].map(({ declaration }) => declaration);
    const request = { family: model.family, model: model.id, messages, tools: declarations, options: model };
    const listener: ChatListener = {
      onRetry: ({ error, retry: count, delayMs }) => {
        const retry = { error, ...(count === 0 ? {} : { delayMs }) };
        this.#emit({ type: "answer-retry", id, retry });
      },
      onRequest: (traced) => this.requests.add(id, traced),
    };
    const bounds = new CallBounds();
    let reported: GatewayError | undefined;
    // What is paid for is on the disk before it is sent.
    await this.#settle(signal);
    for await (const event of gateway.streamChat(request, signal, listener)) {
      // Events after a stop are dropped: the person has stopped reading.
      signal.throwIfAborted();
      if (event.type === "stream-error") reported = event.error;
      if (event.type === "malformed") log.warn("A part of the stream was skipped.", { reason: event.reason });
      this.#emit({ type: "answer-event", id, event: bounds.check(event) });
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

  #lastAnswer(): AnswerEntry | undefined {
    const last = this.#chat.entries.at(-1);
    return last?.type === "answer" ? last : undefined;
  }

  /** `of`: the model that answers, when it is known. */
  #startAnswer(of: Pick<AnswerEntry, "model" | "family"> | undefined): string {
    const id = randomUUID();
    const { model = "", family = "chat-completions" } = of ?? {};
    this.#emit({ type: "answer-started", id, model, family, at: this.#ports.clock.now() });
    return id;
  }

  #endAnswer(id: string, state: "complete" | "stopped" | "failed", failure?: AnswerFailure): void {
    const at = this.#ports.clock.now();
    this.#emit({ type: "answer-ended", id, at, state, ...definedFields({ failure }) });
  }

  async #settle(signal: AbortSignal): Promise<void> {
    await this.#ports.storage?.settle(signal);
  }

  #emit(event: SessionEvent): void {
    this.#chat = reduceChat(this.#chat, event);
    this.#emitted.fire(event);
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
