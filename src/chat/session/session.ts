/** One chat: a turn is answer, tool calls, results, answer, until the model makes no more calls (A1). The chat page shows a copy of it. */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { Emitter, type Event } from "../../base/event";
import type { FileReference } from "../../domain/chat/attachmentSchema";
import { type ChoiceEvent, modeOf } from "../../domain/chat/choices";
import { findPlanDocument } from "../../domain/chat/planOfChat";
import { reduceChat } from "../../domain/chat/reduceChat";
import type { ChatMode } from "../../domain/chat/chatMode";
import type { PromptResending, PromptSending } from "../../domain/chat/promptSending";
import type { PlanEdit, PlanPlace } from "../../domain/chat/plan";
import {
  type AnswerEntry,
  type Chat,
  emptyChat,
  isStreaming,
  lastAnswer,
  lastSpoken,
  promptAdded,
  type Rewound,
  type SessionEvent,
  steeringPrompts,
  type SummaryEntry,
  turnStart,
  unfinishedAnswer,
} from "../../domain/chat/chat";
import { AnswerRequests, startAnswer, type SessionOptions } from "./sessionOptions";
import { Approvals } from "../approval/approvals";
import { createExplore } from "./explore";
import { OpenQuestions } from "./openQuestions";
import { nameChat } from "./nameChat";
import type { Resolution } from "./contextRoom";
import { readAttachments } from "./readAttachments";
import { promptContextOf, readEnvironment } from "./workspaceContext";
import { estimateAnswer } from "../request/contextFill";
import { planCoverage, sentInstructions } from "../request/sentEntries";
import { tokensSpent } from "./tokensSpent";
import { TurnRounds } from "./turnRounds";

export class ChatSession {
  readonly approvals = new Approvals();
  readonly questions = new OpenQuestions();
  /** The requests of the answers since this session was opened. */
  readonly requests = new AnswerRequests();
  readonly #options: SessionOptions;
  readonly #emitted = new Emitter<SessionEvent>();
  #chat: Chat;
  #turn: AbortController | undefined;
  /** The request for a title, which is made once. */
  #naming: AbortController | undefined;

  readonly #emit = (event: SessionEvent): void => {
    this.#chat = reduceChat(this.#chat, event);
    this.#emitted.fire(event);
  };

  /** Continues a stored chat, or begins an empty one. */
  constructor(options: SessionOptions, stored: Chat = emptyChat(randomUUID())) {
    this.#options = options;
    this.#chat = stored;
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** Fires with each event, after the chat has been reduced by it. */
  readonly onDidEmit: Event<SessionEvent> = this.#emitted.event;

  /** Whether a turn runs in this window. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /**
   * Ends a turn that never ended, because its window was closed or killed: what was open in it is marked as interrupted. What the gateway had not
   * reported is estimated, because it settles a request that was cut.
   */
  interrupt(): void {
    if (!this.#chat.running || this.#turn) return;
    const { entries } = this.#chat;
    const cut = entries.slice(turnStart(entries)).filter(isStreaming);
    for (const event of cut.flatMap((entry) => spentByCut(this.#chat, entry))) this.#emit(event);
    this.#emit({ type: "turn-interrupted" });
  }

  /** Applies an event of the window that writes this chat. */
  receive(event: SessionEvent): void {
    this.#emit(event);
  }

  /**
   * Adds a prompt and runs its turn, and those of the prompts that are queued meanwhile, to the end. While a turn runs it
   * is queued, which resolves at once. False, and nothing happens, for an empty prompt or
   * while another window writes the chat. Never rejects.
   */
  async submit(
    text: string,
    references?: readonly FileReference[],
    { untrusted, started, mode, isNow = false }: PromptSending = {},
  ): Promise<boolean> {
    if (text.trim() === "") return false;
    const add = async (): Promise<true> => {
      const prompt = {
        id: randomUUID(),
        text,
        at: this.#options.clock.now(),
        ...definedFields({
          references,
          started,
          untrusted,
          mode,
          context: promptContextOf(this.#options.workspaceContext),
        }),
      };
      if (this.#turn) {
        this.#emit({ type: "prompt-queued", ...prompt, ...(isNow ? { now: true } : {}) });
        if (isNow) this.#passOver();
      } else {
        this.#emit({ type: "prompt-added", ...prompt });
        await this.#runTurns();
      }
      return true;
    };
    return (this.isRunning || this.#isWriter || (await this.#options.storage.takeOver())) && add();
  }

  /**
   * Adds tasks that were submitted from this chat, also while a turn runs. `untrusted` as in `submit`. False, and nothing happens, while another
   * window writes the chat.
   */
  async addTasks(text: string, tasks: readonly string[], untrusted?: string): Promise<boolean> {
    const source = definedFields({ untrusted });
    return this.#add(() => ({
      type: "task-added",
      id: randomUUID(),
      text,
      at: this.#options.clock.now(),
      tasks,
      ...source,
    }));
  }

  /** Sends the prompts that are still queued after a turn was stopped, failed or was interrupted. False when there are none, or while a turn runs. */
  async sendQueued(): Promise<boolean> {
    return this.#begin(async () => {
      const [first] = this.#chat.queue ?? [];
      if (first === undefined) return false;
      this.#releaseQueue();
      this.#emit(promptAdded(first));
      await this.#runTurns();
      return true;
    });
  }

  /**
   * Has a queued prompt sent in the turn that runs (`isNow`), or at its end again. It is sent after the calls that run, in place of answers to open
   * approvals and questions. False when it is not in the queue or no turn runs.
   */
  reschedule(id: string, isNow: boolean): boolean {
    if (!this.isRunning || !this.#chat.queue?.some((prompt) => prompt.id === id)) return false;
    this.#emit({ type: "prompt-rescheduled", id, now: isNow });
    if (isNow) this.#passOver();
    return true;
  }

  /** Takes a prompt out of the queue. False when it is not in it: it was sent or removed. */
  async removeQueued(id: string): Promise<boolean> {
    const isQueued = (): boolean => this.#chat.queue?.some((prompt) => prompt.id === id) === true;
    return this.#add(() => (isQueued() ? { type: "prompt-unqueued", id } : undefined));
  }

  /**
   * Sends an edited prompt in place of one of the chat; it and all after it become the other branch. False, and nothing
   * happens, for an empty text, an unknown prompt or while a turn runs. `started` and `untrusted` as in `submit`. Attachments go
   * along but for those in `without`.
   */
  async resend(
    replaces: string,
    text: string,
    { started, untrusted, without = [] }: PromptResending = {},
  ): Promise<boolean> {
    if (text.trim() === "") return false;
    return this.#begin(async () => {
      const known = this.#chat.entries.find(({ id }) => id === replaces);
      if (known?.type !== "user") return false;
      const kept = known.references?.filter((_, index) => !without.includes(index));
      const [references, at] = [kept?.length === 0 ? undefined : kept, this.#options.clock.now()];
      const context = promptContextOf(this.#options.workspaceContext);
      this.#emit({
        type: "prompt-added",
        id: randomUUID(),
        text,
        at,
        replaces,
        ...definedFields({ references, context, started, untrusted }),
      });
      await this.#runTurns();
      return true;
    });
  }

  /** Asks for another answer to the last prompt; the one there is becomes the other branch. False when there is none, or while a turn runs. */
  async regenerate(): Promise<boolean> {
    return this.#begin(async () => {
      const { entries } = this.#chat;
      const prompt = entries.findLastIndex(({ type }) => type === "user");
      const from = entries.find(({ type }, index) => index > prompt && type === "answer")?.id;
      if (from === undefined) return false;
      this.#emit({ type: "entries-replaced", from });
      await this.#runTurns();
      return true;
    });
  }

  /**
   * Takes a message and all entries after it out of the chat. They become the other branch. `rewound`: what became of the files. False for an
   * unknown message, or while a turn runs.
   */
  async rewind(from: string, rewound?: Rewound): Promise<boolean> {
    const isThere = (): boolean => this.#chat.entries.some(({ id, type }) => id === from && type === "user");
    const event = { type: "entries-replaced", from, ...definedFields({ rewound }) } as const;
    return this.#begin(() => this.#emitIf(isThere() ? event : undefined));
  }

  /** Undoes `resend`, `regenerate` or `rewind`, or that undo. False when there is nothing to undo, or while a turn runs. */
  async switchBranch(): Promise<boolean> {
    return this.#begin(() => this.#emitIf(this.#chat.otherBranch && { type: "branch-switched" }));
  }

  /**
   * Asks again after a failed answer, without adding a prompt. `resolution`: the choice of the person where the turn was paused. False, and nothing
   * happens, when the last answer did not fail.
   */
  async retry(resolution?: Resolution): Promise<boolean> {
    return this.#begin(async () => {
      if (lastAnswer(this.#chat)?.state !== "failed") return false;
      this.#releaseQueue();
      await this.#runTurns((rounds) => rounds.run(), resolution);
      return true;
    });
  }

  /** Has the model summarise all messages so far. False, and nothing happens, when there are none that no summary covers, or while a turn runs. */
  async summarize(): Promise<boolean> {
    return this.#begin(async () => {
      if (planCoverage(this.#chat, 0) === undefined) return false;
      const { interrupted } = this.#chat;
      const last = lastSpoken(this.#chat)?.id;
      await this.#runTurns((rounds) => rounds.summarize());
      // The turn before the summary can still be continued.
      const isCut = interrupted === true && !this.#turn && lastSpoken(this.#chat)?.id === last;
      if (isCut) this.#emit({ type: "turn-interrupted" });
      return true;
    });
  }

  /** Chooses whether requests hold what a summary covers (`undone`), or the summary. False for an unknown one, or while a turn runs. */
  async switchSummary(id: string, undone: boolean): Promise<boolean> {
    const isThere = (): boolean => this.#chat.entries.some((entry) => entry.type === "summary" && entry.id === id);
    return this.#begin(() => this.#emitIf(isThere() ? { type: "summary-switched", id, undone } : undefined));
  }

  /** A pinned message is sent as it is, also when a summary covers it. False for an unknown one. */
  async pin(id: string, pinned: boolean): Promise<boolean> {
    const isThere = (): boolean => this.#chat.entries.some((entry) => entry.type === "user" && entry.id === id);
    return this.#add(() => (isThere() ? { type: "message-pinned", id, pinned } : undefined));
  }

  /** Sets which tools are offered from now on, also in a turn that runs. False while another window writes the chat. */
  async setMode(mode: ChatMode): Promise<boolean> {
    return modeOf(this.#chat) === mode || this.#add(() => ({ type: "mode-set", mode }));
  }

  /** Sets the model, or how much it thinks, in the same way. */
  async choose(choice: Exclude<ChoiceEvent, { readonly type: "mode-set" }>): Promise<boolean> {
    return this.#add(() => choice);
  }

  /**
   * Applies the person's edit of the plan. The model gets it with the next prompt, or when it changes the plan itself. False while another window
   * writes the chat.
   */
  async editPlan(edit: PlanEdit): Promise<boolean> {
    return this.#add(() => ({ type: "plan-edited", edit }));
  }

  /**
   * Stores the document of a plan as the person has edited it; `isTold`: the prompt that follows has it in its text. False, and nothing happens,
   * for an unknown call, and while another window writes the chat.
   */
  async writePlan({ answer: id, call }: PlanPlace, text: string, isTold = false): Promise<boolean> {
    const known = findPlanDocument(this.#chat, { answer: id, call });
    if (known?.text === text && !isTold) return true;
    const event = { type: "plan-written", id, call, text, ...(isTold ? { isSent: true as const } : {}) } as const;
    return this.#add(() => (known === undefined ? undefined : event));
  }

  /** Leaves instructions out of the requests of this chat. False for unknown ones. */
  async removeInstructions(path: string): Promise<boolean> {
    return this.#add(() =>
      sentInstructions(this.#chat).has(path) ? { type: "instructions-removed", path } : undefined,
    );
  }

  /** Lets a file that was only offered guide the model. False for an unknown one, and for one that can't be read any more. */
  async allowInstructions(path: string): Promise<boolean> {
    if (!this.#isWriter && !(await this.#takeOver())) return false;
    const isOffered = (): boolean => this.#chat.environment?.offered?.includes(path) === true;
    if (!isOffered()) return false;
    const known = sentInstructions(this.#chat);
    const instructions = await this.#options.workspaceContext.allowInstructions(path, known);
    if (instructions === undefined || !this.#isWriter || !isOffered()) return false;
    this.#emit({ type: "instructions-added", instructions });
    return true;
  }

  /**
   * Continues a turn that was interrupted, or an unfinished answer, with a new request. False, and nothing happens, when the last turn has neither.
   */
  async continueTurn(): Promise<boolean> {
    // A turn that a former writer left open is interrupted when this window takes over.
    return this.#begin(async () => {
      const unfinished = unfinishedAnswer(this.#chat);
      if (unfinished === undefined && this.#chat.interrupted !== true) return false;
      this.#releaseQueue();
      if (unfinished !== undefined) this.#emit({ type: "answer-continued", id: unfinished.id });
      await this.#runTurns();
      return true;
    });
  }

  /** How many approvals and questions wait for the person. */
  get waitingCount(): number {
    return this.approvals.count + this.questions.count;
  }

  /** Declines open approvals and leaves open questions, because the person sent a message instead of an answer. */
  #passOver(): void {
    this.approvals.declineAll();
    this.questions.leaveAll();
  }

  /** Ends the turn at once: the request, the tools, an open question. `reason`: an error that `isAbort` accepts; missing if the person stops the turn. */
  stop(reason?: Error): void {
    this.#turn?.abort(reason);
    this.#naming?.abort(reason);
  }

  /** Emits the event. False where there is none, and while another window writes the chat. */
  async #add(event: () => SessionEvent | undefined): Promise<boolean> {
    if (!this.#isWriter && !(await this.#takeOver())) return false;
    return this.#emitIf(event());
  }

  #emitIf(event: SessionEvent | undefined): boolean {
    if (event) this.#emit(event);
    return event !== undefined;
  }

  get #isWriter(): boolean {
    return this.#options.storage.isWritable;
  }

  /**
   * Does the work once no turn runs and this window writes the chat, else resolves with false. Where the window writes it
   * already, the work starts in this tick: of two calls in one tick only the first may begin.
   */
  async #begin(work: () => boolean | Promise<boolean>): Promise<boolean> {
    const canBegin = !this.isRunning && this.#isWriter;
    if (!canBegin && !(await this.#takeOver())) return false;
    return work();
  }

  /** Makes this window the writer where the former one is gone. Resolves with whether a turn can begin now. */
  async #takeOver(): Promise<boolean> {
    return !this.isRunning && (await this.#options.storage.takeOver()) && !this.isRunning;
  }

  /** Releases prompts that a stopped or failed turn held in the queue: they wait for the end of the turn that begins now. */
  #releaseQueue(): void {
    if (this.#chat.queue?.some(({ held }) => held === true)) this.#emit({ type: "queue-released" });
  }

  /** Runs a turn, then one for each prompt that was queued meanwhile, in order. A turn that was stopped or failed holds the rest in the queue. */
  async #runTurns(first: TurnWork = (rounds) => rounds.run(), resolution?: Resolution): Promise<void> {
    for (let work = first, choice = resolution; ; work = (rounds) => rounds.run(), choice = undefined) {
      const isStopped = await this.#run(work, choice);
      const [steering] = steeringPrompts(this.#chat);
      const next = steering ?? this.#chat.queue?.find(({ held }) => held !== true);
      // A listener of `turn-ended` may have begun another turn.
      if (next === undefined || isStopped || this.#turn || lastAnswer(this.#chat)?.state !== "complete") return;
      this.#emit(promptAdded(next));
    }
  }

  /** Resolves with whether the turn was stopped. Never rejects. */
  async #run(work: TurnWork, resolution: Resolution | undefined): Promise<boolean> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#emit({ type: "turn-started" });
    try {
      const chat = (): Chat => this.#chat;
      await readEnvironment(chat, this.#options.workspaceContext, this.#emit, turn.signal);
      await readAttachments(chat, this.#options, this.#emit, turn.signal);
      await work(this.#rounds(turn.signal, resolution));
    } catch (error) {
      // An abort ends the turn. Any other exception is a bug, and must not leave the chat page busy.
      if (isAbort(error)) this.#markStopped();
      else this.#options.log.error("A turn ended unexpectedly.", { message: String(error) });
    } finally {
      this.#turn = undefined;
      this.#emit({ type: "turn-ended" });
    }
    if (!turn.signal.aborted) this.#name();
    return turn.signal.aborted;
  }

  /** Adds an empty stopped answer for a turn that was stopped before its request began. */
  #markStopped(): void {
    if (this.#chat.entries.at(-1)?.type !== "user") return;
    const started = startAnswer(this.#options);
    this.#emit(started);
    this.#emit({ type: "answer-ended", id: started.id, at: started.at, state: "stopped" });
  }

  #name(): void {
    if (this.#naming) return;
    const naming = (this.#naming = new AbortController());
    void nameChat(this.#chat, this.#options, this.#emit, naming.signal).then((isAsked) => {
      if (!isAsked) this.#naming = undefined;
    });
  }

  #rounds(signal: AbortSignal, resolution: Resolution | undefined): TurnRounds {
    const { approvals, questions, requests } = this;
    const chat = (): Chat => this.#chat;
    const explore = createExplore(chat, this.#emit, this.#options);
    const turn = { chat, approvals, questions, requests, emit: this.#emit, explore };
    return new TurnRounds(turn, this.#options, signal, resolution);
  }
}

/** The estimated tokens of an answer that was cut, counted for the day on which it was asked for. An imported answer was paid by others. */
function spentByCut(chat: Chat, cut: AnswerEntry | SummaryEntry): readonly SessionEvent[] {
  const { model, startedAt: at, isFree } = cut;
  const tokens = cut.type === "answer" && cut.untrusted !== undefined ? undefined : estimateAnswer(chat, cut);
  if (tokens === undefined) return [];
  return [tokensSpent(model, { input: tokens }, at, { isFree })];
}

/** The work of a turn: its rounds, or a summary. */
type TurnWork = (rounds: TurnRounds) => Promise<void>;
