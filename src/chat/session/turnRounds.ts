/** Runs the rounds of one turn: an answer, its tool calls, their results, prompts of the person meanwhile, the next answer (A1, A11). */
import { isDeepStrictEqual } from "node:util";
import { isAbort } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { mayBeModels, toAppError } from "../../domain/errors/appError";
import { homeMark } from "../../domain/task/sameHome";
import type { ChatRequest, ToolDeclaration } from "../../domain/chat/message";
import type { Model } from "../../domain/ports";
import type { TaskHome } from "../../domain/task/task";
import { isOffered } from "../../domain/chat/chatMode";
import type { Tool } from "../../domain/tools/tool";
import {
  type AnswerEntry,
  type AnswerFailure,
  isPaused,
  lastAnswer,
  promptAdded,
  type QueuedPrompt,
  steeringPrompts,
  toolCalls,
} from "../../domain/chat/chat";
import { choiceOf, modeOf } from "../../domain/chat/choices";
import { callCap, CallLimitFailure } from "../../domain/chat/callBounds";
import { startAnswer, type SessionOptions, type TurnSession } from "./sessionOptions";
import { estimateAnswer } from "../request/contextFill";
import { ContextRoom, type Resolution } from "./contextRoom";
import { Guard } from "../approval/guard";
import { createMessages } from "../request/history";
import { hasLongPauses } from "../request/longPauses";
import { NestedInstructions } from "./workspaceContext";
import { tellOutcomes } from "./tellOutcomes";
import { refusesCallsWithoutTools, refusesTools } from "../../domain/chat/refusesTools";
import { readAttachments } from "./readAttachments";
import { streamRequest } from "./requestStream";
import type { ResultRoom } from "../request/resultRoom";
import { sentInstructions } from "../request/sentEntries";
import { systemPromptFor } from "../request/systemPrompt";
import { ToolRunner } from "./toolRunner";
import { withToolsAsText, hasUnreadCall, takeWrittenCalls } from "./textCalls";

/** The parts of the next request. */
interface Prepared {
  readonly model: Model | undefined;
  readonly declarations: readonly ToolDeclaration[];
  /** Why the request is not sent; `undefined` when it is. */
  readonly paused: AnswerFailure | undefined;
}

export class TurnRounds {
  readonly #session: TurnSession;
  readonly #options: SessionOptions;
  readonly #signal: AbortSignal;
  readonly #room: ContextRoom;
  /** The fallback that this turn asks in place of the model `of`. A turn that changed between the two would pay for its beginning twice. */
  #fallback: { readonly of: string; readonly model: Model } | undefined;
  /**
   * The gateway and account that were asked for the answer, because the person may choose others before it ends. `undefined` while none was reached.
   */
  #home: TaskHome | undefined;

  constructor(session: TurnSession, options: SessionOptions, signal: AbortSignal, resolution?: Resolution) {
    this.#room = new ContextRoom(session, options, signal, resolution);
    this.#session = session;
    this.#options = options;
    this.#signal = signal;
  }

  /** Has all messages summarised, by the person's command. Rejects with an abort only. */
  async summarize(): Promise<void> {
    let model: Model | undefined;
    let failure: AnswerFailure | undefined;
    try {
      model = await this.#options.model(choiceOf(this.#session.chat()), this.#signal);
    } catch (error) {
      if (this.#signal.aborted || isAbort(error)) throw error;
      failure = { type: "gateway", error: toAppError(error) };
    }
    await this.#room.summarizeAll(model, failure);
  }

  /** Rejects only with an abort, after what was open was marked as stopped. */
  async run(): Promise<void> {
    const { emit, chat, roundCap = Infinity } = this.#session;
    const guard = new Guard(this.#options.guard);
    const { changes, workspaceContext } = this.#options;
    const nested = new NestedInstructions(workspaceContext, chat, () => sentInstructions(chat()), emit);
    const flush = (): Promise<void> => this.#flush();
    const results = (): ResultRoom => this.#room.results();
    const runner = new ToolRunner({ ...this.#session, guard, changes, flush, nested, results });
    const limit = Math.min(roundCap, this.#options.settings.get("caps.roundsPerTurn") || Infinity);
    let last: AnswerEntry | undefined;
    await this.#steer();
    let rounds = 0;
    while (rounds < limit) {
      rounds += 1;
      const tools = new Map<string, Tool>();
      const before = last;
      await tellOutcomes(chat, changes, emit, this.#signal);
      last = await this.#answer(tools);
      if (last?.failure?.type === "context-full" && last.failure.isSentAgain) continue;
      if (last?.failure?.type === "gateway" && last.failure.fallback !== undefined) {
        // The answer of the fallback belongs to the same round.
        rounds -= 1;
        continue;
      }
      if (last?.state !== "complete" || last.cut === true) return;
      // Without a call the next request would be the same one again.
      if (last.finish === "tool-calls" && toolCalls(last).length > 0) {
        await runner.run(last, tools, this.#signal);
        if (runner.taskCap !== undefined) {
          this.#endAnswer(this.#startAnswer(last), "failed", { type: "task-cap", cap: runner.taskCap });
          return;
        }
      } else if (isContinued(last, before)) continue;
      else if (steeringPrompts(chat()).length === 0) return;
      // A message of the person resets the count of rounds.
      if (await this.#steer()) rounds = 0;
      else if (runner.invalidCall !== undefined) {
        this.#endAnswer(this.#startAnswer(last), "failed", { type: "invalid-calls", ...runner.invalidCall });
        return;
      } else if (runner.isStuck) break;
    }
    const id = this.#startAnswer(last);
    this.#endAnswer(id, "failed", { type: "round-limit", rounds });
  }

  /** Adds the prompts that the person wants the model to read now. Resolves with whether there were any. Rejects with an abort only. */
  async #steer(): Promise<boolean> {
    const { chat, emit } = this.#session;
    const next = (): QueuedPrompt | undefined => steeringPrompts(chat())[0];
    const hasAny = next() !== undefined;
    for (let prompt = next(); prompt; prompt = next()) {
      emit({ ...promptAdded(prompt), steers: true });
      await readAttachments(chat, this.#options, emit, this.#signal);
    }
    return hasAny;
  }

  /** Streams one answer into the chat and adds all tools to `tools`, also those that were not declared to the model. */
  async #answer(tools: Map<string, Tool>): Promise<AnswerEntry | undefined> {
    let model: Model | undefined;
    let id: string | undefined;
    this.#home = undefined;
    try {
      const prepared = await this.#prepare(tools);
      const { declarations, paused } = prepared;
      model = prepared.model;
      id = this.#startAnswer(model && { model: model.id, family: model.family });
      if (paused) this.#endAnswer(id, "failed", paused);
      else if (model) {
        await this.#stream(id, model, declarations);
        this.#room.accept();
        const isUnread = this.#takeWritten([...tools.keys()]);
        if (isUnread) this.#endAnswer(id, "failed", { type: "unread-call" });
        else this.#endAnswer(id, "complete");
      } else this.#endAnswer(id, "failed", { type: "no-model" });
    } catch (exception) {
      if (this.#signal.aborted || isAbort(exception)) {
        // A turn that was stopped before its request has no answer to mark.
        if (id !== undefined) this.#endAnswer(id, "stopped");
        throw exception;
      }
      const failure = this.#withFallback(this.#failureOf(exception), model);
      this.#endAnswer(id ?? this.#startAnswer(undefined), "failed", failure);
    }
    return lastAnswer(this.#session.chat());
  }

  /**
   * Resolves with the model and the tools that are offered to it, after the request was made to fit. A summary takes a while in which the person may
   * choose another model or mode, so both are read again then. Empties and fills `tools`.
   */
  async #prepare(tools: Map<string, Tool>): Promise<Prepared> {
    for (;;) {
      const choice = choiceOf(this.#session.chat());
      const mode = modeOf(this.#session.chat());
      const chosen = await this.#options.model(choice, this.#signal);
      const model = chosen && this.#askedInstead(chosen);
      tools.clear();
      if (model === undefined) return { model, declarations: [], paused: undefined };
      for (const tool of this.#options.tools(model)) tools.set(tool.declaration.name, tool);
      const offered = [...tools.values()].filter(
        ({ effect, isFor }) => isOffered(effect, mode) && (isFor?.(model.id) ?? true),
      );
      const declarations = offered.map(({ declaration }) => declaration);
      const paused = await this.#room.prepare(model, declarations);
      const { chat } = this.#session;
      if (paused || (modeOf(chat()) === mode && isDeepStrictEqual(choiceOf(chat()), choice)))
        return { model, declarations, paused };
    }
  }

  /** The fallback, once this turn has asked it for that model. It is read again, because its last request may have shown that it takes no tools. */
  #askedInstead(chosen: Model): Model {
    if (chosen.id !== this.#fallback?.of) return chosen;
    const { model } = this.#fallback;
    const now = this.#options.fallbackOf(chosen);
    return now?.id === model.id ? now : model;
  }

  /** Sends one request and, if the service refuses its tools, or calls without tools, another with both as text. Rejects with the error that ended the stream early. */
  async #stream(id: string, model: Model, tools: readonly ToolDeclaration[]): Promise<void> {
    const { family, id: name, images, tools: taken } = model;
    // The answer that was just started has no blocks yet and adds nothing to the history.
    const messages = createMessages(this.#session.chat(), systemPromptFor(model), images !== false);
    const isLong = hasLongPauses(this.#session.chat());
    const hasFallback = this.#options.fallbackOf(model) && this.#fallback?.model.id !== model.id;
    const common = {
      ...{ family, model: name, options: model },
      ...(isLong ? { keepsLong: true as const } : {}),
      ...(hasFallback ? { hasFallback: true as const } : {}),
    };
    const connection = this.#options.connections.ready(this.#signal);
    const { home } = await connection;
    this.#home = home;
    const send = (request: ChatRequest): Promise<void> =>
      streamRequest(this.#session, this.#options, id, request, this.#signal, connection);
    const sendAsText = (): Promise<void> => send({ ...common, messages: withToolsAsText(messages, tools), tools: [] });
    if (taken === "text" || taken === false) return sendAsText();
    try {
      await send({ ...common, messages, tools });
    } catch (exception) {
      const error = this.#signal.aborted || isAbort(exception) ? undefined : toAppError(exception);
      const isEmpty = lastAnswer(this.#session.chat())?.blocks.length === 0;
      const hasTools = tools.length > 0;
      // A reader that has to answer and a chat in Restricted Mode have calls in their history and no tools.
      const hasCalls = messages.some(({ role }) => role === "tool");
      const refuses = hasTools ? refusesTools : refusesCallsWithoutTools;
      if (error === undefined || !isEmpty || !(hasTools || hasCalls) || !refuses(error)) throw exception;
      if (hasTools) this.#options.learnWithoutTools(name, home.origin);
      this.#session.emit({ type: "answer-retry", id, retry: { error } });
      await sendAsText();
    }
  }

  /** Turns calls that the model wrote as text into tool calls. Returns whether the answer ends with a call that can't be read. */
  #takeWritten(declared: readonly string[]): boolean {
    const chat = this.#session.chat();
    const answer = lastAnswer(chat);
    const written = answer && takeWrittenCalls(chat, answer, declared);
    if (written) this.#session.emit(written);
    return answer !== undefined && declared.length > 0 && !written && hasUnreadCall(chat, answer, declared);
  }

  #failureOf(exception: unknown): AnswerFailure {
    const { log, connections } = this.#options;
    if (exception instanceof CallLimitFailure) {
      log.warn("An answer made too many tool calls.", { limit: callCap });
      return { type: "call-limit", calls: callCap };
    }
    const error = toAppError(exception);
    log.warn("An answer failed.", { kind: error.kind, status: error.status, requestId: error.requestId });
    if (error.kind === "too-large") return this.#room.refuse(error, this.#home?.origin);
    const connection = connections.current.current;
    const home = this.#home ?? (connection.state === "ready" ? connection.home : undefined);
    return { type: "gateway", error, ...(home ? { home: homeMark(home) } : {}) };
  }

  /** Puts the fallback that the next round asks into the failure, if nothing was produced and the person has set a fallback. */
  #withFallback(failure: AnswerFailure, model: Model | undefined): AnswerFailure {
    if (failure.type !== "gateway" || model?.fallback === undefined || this.#fallback?.model.id === model.id)
      return failure;
    const isEmpty = lastAnswer(this.#session.chat())?.blocks.length === 0;
    const other = this.#options.fallbackOf(model);
    if (!isEmpty || other === undefined || !mayBeModels(failure.error)) return failure;
    this.#fallback = { of: model.id, model: other };
    return { ...failure, fallback: other.id };
  }

  /** `of`: the model that answers, when it is known. */
  #startAnswer(of: Pick<AnswerEntry, "model" | "family"> | undefined): string {
    const started = startAnswer(this.#options, of);
    this.#session.emit(started);
    return started.id;
  }

  #endAnswer(id: string, state: "complete" | "stopped" | "failed", failure?: AnswerFailure): void {
    const at = this.#options.clock.now();
    const chat = this.#session.chat();
    const last = lastAnswer(chat);
    const estimate = last && estimateAnswer(chat, last);
    this.#session.emit({ type: "answer-ended", id, at, state, ...definedFields({ failure, estimate }) });
  }

  async #flush(): Promise<void> {
    await this.#options.storage.flush(this.#signal);
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
