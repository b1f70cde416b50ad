/** Runs the tool calls of one answer in their order: those that need no approval in parallel, the others one after the other. */
import { abortable, isAbort } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { AppFailure } from "../../domain/errors/appError";
import { type ChatMode, isOffered, isReadOnly } from "../../domain/chat/chatMode";
import { isWriting } from "../../domain/tools/grant";
import { type CallToApprove, type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import {
  type AnswerEntry,
  type AskReason,
  isSubmission,
  steeringPrompts,
  toolCalls,
  type Allowed,
  partId,
  type WaitingCall,
} from "../../domain/chat/chat";
import { modeOf } from "../../domain/chat/choices";
import { ArgumentRefusal } from "../../tools/base/argumentRules";
import type { ApprovalVerdict } from "../approval/guard";
import { withheldText } from "../request/modeTexts";
import { declaredName, describeUnknownTool } from "../../domain/tools/calledTool";
import type { ToolDeclaration } from "../../domain/chat/message";
import type { ResultRoom } from "../request/resultRoom";
import type { NestedInstructions } from "./workspaceContext";
import { OpenCall, type TurnParts } from "./openCall";
import { readUntrusted } from "./untrusted";

/** Calls that run at the same time. Each may hold a file and the names of 10,000 others in memory, so the number is small. */
const parallelCap = 4;

/** The turn ends after this many answers in a row with nothing but repeated calls. For most models the first refusal is enough. */
const repeatedLimit = 3;

/** The result for a call that needs approval and was not asked about, because the person has sent a message. */
const notBefore = new ToolRefusal(
  "This call was not run: meanwhile the person has sent the message that follows. Read it, then make the call again if it is still right.",
);

/** The tools by name: those that were declared to the model, and those that the mode of the chat withholds. */
export type DeclaredTools = ReadonlyMap<string, Tool>;

export interface ToolRunnerParts extends TurnParts {
  /** Resolves when the events so far are on the disk. */
  readonly flush: () => Promise<void>;
  readonly nested: NestedInstructions;
  /** The room for the results of the calls of the last answer. */
  readonly results: () => ResultRoom;
}

/** Runs the calls of one turn, and refuses those that the model repeats in it. */
export class ToolRunner {
  readonly #options: ToolRunnerParts;
  readonly #repetition = new CallRepetition();
  readonly #invalid = new InvalidCalls();
  /** Answers in a row of which every call was refused as a repeated one. */
  #repeatedAnswers = 0;
  /** The code of the person's cap on tasks, once a call would have submitted a task beyond it. */
  taskCap?: string;

  constructor(options: ToolRunnerParts) {
    this.#options = options;
  }

  /** Whether the model makes only calls that are refused as repeated ones: each further request would cost money for nothing. */
  get isStuck(): boolean {
    return this.#repeatedAnswers >= repeatedLimit;
  }

  /** The call that the model makes again and again in a form that can't be read. */
  get invalidCall(): InvalidCall | undefined {
    return this.#invalid.stuck;
  }

  /**
   * Runs the calls of an answer. Rejects only with an abort, and at once: every call that has not ended is marked as stopped, and its later reports
   * and result are dropped.
   */
  async run(answer: AnswerEntry, tools: DeclaredTools, signal: AbortSignal): Promise<void> {
    const results = this.#options.results();
    const calls = toolCalls(answer).flatMap((block) =>
      block.progress.state === "ready"
        ? [new OpenCall(answer.id, block, block.progress.input, results, this.#options)]
        : [],
    );
    const parallel = new Set<Promise<void>>();
    let repeated = 0;
    const invalid = toolCalls(answer).flatMap(({ name, argumentText, progress }) =>
      progress.state === "invalid" ? [{ name, text: argumentText }] : [],
    );
    try {
      const round = new Round(calls, this.#repetition, tools, this.#options, signal);
      for (let at = 0; at < calls.length;) {
        signal.throwIfAborted();
        const prepared = await round.prepare(at);
        const call = calls[at];
        if (!call) return;
        if (!(prepared instanceof ToolRefusal) && prepared.reasons !== undefined) {
          if (parallel.size > 0) {
            await Promise.all(parallel);
            // Waiting may take minutes in which the person chooses another mode or files change, so the call is prepared again.
            continue;
          }
          if (steeringPrompts(this.#options.chat()).length > 0) {
            call.fail(notBefore);
            at += 1;
            continue;
          }
          at += await this.#askAndRun(round, at, prepared, signal);
          continue;
        }
        if (parallel.size === parallelCap && !(prepared instanceof ToolRefusal)) {
          await Promise.race(parallel);
          continue;
        }
        at += 1;
        if (prepared instanceof ToolRefusal) {
          call.fail(prepared);
          if (prepared instanceof RepeatedCall) repeated += 1;
          else this.#repetition.note(call);
          if (prepared instanceof ArgumentRefusal) invalid.push({ name: call.name, text: JSON.stringify(call.input) });
        } else {
          call.start(prepared.action, factsOf(prepared));
          const running = runPrepared(prepared, call, this.#options.nested, signal).then(() => {
            this.#repetition.note(call);
            parallel.delete(running);
          });
          // It rejects only with an abort, which is thrown below; without a handler it would count as unhandled until then.
          running.catch(() => undefined);
          parallel.add(running);
        }
      }
      await Promise.all(parallel);
      signal.throwIfAborted();
      this.#invalid.noteAnswer(invalid);
      this.#repeatedAnswers = calls.length > 0 && repeated === calls.length ? this.#repeatedAnswers + 1 : 0;
    } catch (error) {
      for (const call of calls) call.stop();
      throw error;
    }
  }

  #noteCap(error: unknown): void {
    if (error instanceof AppFailure && error.error.kind === "capped") this.taskCap = error.error.code ?? "";
  }

  /** Asks about the call at `at` and the edits that follow it, and runs them. Resolves with how many calls were asked about together. */
  async #askAndRun(round: Round, at: number, first: CallToApprove, signal: AbortSignal): Promise<number> {
    const question = new CallQuestion(this.#options, signal);
    const group = await round.gather(at, first, (call, step) => question.judge(call, step));
    await this.#settleGroup(question, group, signal);
    return group.length;
  }

  /** Each step has an approval of its own; the first refusal ends the call. */
  async #settleGroup(question: CallQuestion, group: readonly JudgedCall[], signal: AbortSignal): Promise<void> {
    const allowed = await question.ask(group);
    if (allowed === undefined) {
      for (const { call } of group) this.#repetition.note(call);
      return;
    }
    for (const { call, step } of group) {
      call.start(step.action, { allowed, ...factsOf(step) });
      // The start is on the disk before the tool runs, so that after a kill the chat shows a call that may have had effects.
      await this.#options.flush();
      const next = await runPrepared(step, call, this.#options.nested, signal, (error) => this.#noteCap(error));
      signal.throwIfAborted();
      if (step.reasons.some(isSubmission)) this.#repetition.noteTask(call);
      this.#repetition.note(call);
      if (next) await this.#settleGroup(question, [await question.judge(call, next)], signal);
    }
  }
}

/** The calls of one answer, each prepared when its turn comes. */
class Round {
  readonly #calls: readonly OpenCall[];
  readonly #repetition: CallRepetition;
  readonly #tools: DeclaredTools;
  readonly #turn: TurnParts;
  readonly #signal: AbortSignal;

  constructor(
    calls: readonly OpenCall[],
    repetition: CallRepetition,
    tools: DeclaredTools,
    turn: TurnParts,
    signal: AbortSignal,
  ) {
    this.#calls = calls;
    this.#repetition = repetition;
    this.#tools = tools;
    this.#turn = turn;
    this.#signal = signal;
  }

  async prepare(at: number, pending?: ReadonlyMap<string, string>): Promise<PreparedCall | ToolRefusal> {
    const call = this.#calls[at];
    const tool = call && this.#tools.get(call.name);
    const mode = modeOf(this.#turn.chat());
    const withheld = call && withheldName(call.name, this.#tools, mode);
    if (call === undefined) return new ToolRefusal("There is no such call.");
    const refuse = (refusal: ToolRefusal): ToolRefusal => this.#repetition.refusalOf(call) ?? refusal;
    if (withheld !== undefined) return refuse(new ToolRefusal(withheldText(withheld, mode)));
    if (!tool) return refuse(new ArgumentRefusal(describeUnknownTool(call.name, declarationsOf(this.#tools, mode))));
    call.noteReading(tool.read?.(call.input));
    try {
      // Without `abortable`, a disk that does not respond would delay a stop.
      const prepared = await abortable(
        tool.prepare(call.input, this.#signal, {
          wrote: this.#turn.changes.wrote,
          chat: this.#turn.chat().id,
          seen: call.seen,
          ...definedFields({ pending }),
        }),
        this.#signal,
      );
      // In a mode that only reads, a call that would change something is refused here too, even if its tool declares that it only reads.
      if (isReadOnly(mode) && hasEffect(prepared)) return refuse(new ToolRefusal(withheldText(call.name, mode)));
      return prepared.waits ? prepared : (this.#repetition.refusalOf(call) ?? prepared);
    } catch (error) {
      return refuse(toRefusal(error, this.#signal));
    }
  }

  /**
   * The call at `at` with the edits that directly follow it, if a person can be asked about all of them at once. An edit of
   * a file that an earlier one of them changes is prepared on that one's text. The call that ends the group is prepared again later.
   */
  async gather(
    at: number,
    first: CallToApprove,
    judge: (call: OpenCall, step: CallToApprove) => Promise<JudgedCall>,
  ): Promise<readonly JudgedCall[]> {
    const call = this.#calls[at];
    if (!call) return [];
    const group = [await judge(call, first)];
    const pending = new Map<string, string>();
    for (let last = group[0]; last && isGrouped(last); last = group.at(-1)) {
      const { change } = last.step;
      if (change) pending.set(change.file, change.after);
      const next = this.#calls[at + group.length];
      const prepared = next && (await this.prepare(at + group.length, pending));
      if (!next || !prepared || prepared instanceof ToolRefusal || prepared.reasons === undefined) break;
      const judged = await judge(next, prepared);
      if (!isGrouped(judged)) break;
      group.push(judged);
    }
    return group;
  }
}

function declarationsOf(tools: DeclaredTools, mode: ChatMode): readonly ToolDeclaration[] {
  return [...tools.values()].filter(({ effect }) => isOffered(effect, mode)).map(({ declaration }) => declaration);
}

/** The declared name of the tool that a call means, where the mode does not offer that tool. */
function withheldName(called: string, tools: DeclaredTools, mode: ChatMode): string | undefined {
  const name = declaredName(called, [...tools.keys()]);
  const tool = name === undefined ? undefined : tools.get(name);
  return tool === undefined || isOffered(tool.effect, mode) ? undefined : name;
}

/** The reasons for which a call that only reads may ask. */
const readReasons: ReadonlySet<AskReason> = new Set([
  "secret",
  "ignored",
  "ignore-rules-unreadable",
  "unlisted",
  "hard-link",
]);

function hasEffect({ reasons = [], change, changes }: PreparedCall): boolean {
  return change !== undefined || changes !== undefined || reasons.some((reason) => !readReasons.has(reason));
}

/** Whether the call is an edit of which the person only has to judge the text. */
function isGrouped({ step, judgement: { reasons, rules } }: JudgedCall): boolean {
  return (
    isWriting(step.grant) &&
    step.change !== undefined &&
    rules === undefined &&
    reasons.every((one) => one === "writes-file")
  );
}

function factsOf({ untrusted }: PreparedCall): { readonly untrusted?: string } {
  return definedFields({ untrusted });
}

/** Runs a prepared step, and resolves with the next step when there is one. A stop does not wait for a tool that ignores its signal. */
async function runPrepared(
  prepared: PreparedCall,
  call: OpenCall,
  nested: NestedInstructions,
  signal: AbortSignal,
  onError?: (error: unknown) => void,
): Promise<CallToApprove | undefined> {
  try {
    const result = await abortable(prepared.run(signal, call), signal);
    if (typeof result !== "string") return result;
    call.finish(result, await abortable(nested.of(prepared.action, signal), signal));
  } catch (error) {
    onError?.(error);
    call.fail(toRefusal(error, signal));
  }
  return undefined;
}

/** The error that the model receives; an abort is thrown again. */
function toRefusal(error: unknown, signal: AbortSignal): ToolRefusal {
  if (signal.aborted || isAbort(error)) throw error;
  if (error instanceof ToolRefusal) return error;
  return new ToolRefusal(error instanceof Error ? error.message : "The tool failed.");
}

/** The same call may give the same result this often in a row, and may submit a task this often. */
const sameCallLimit = 3;

interface KnownResult {
  readonly result: string;
  /** How often in a row it was given. */
  readonly times: number;
  /** The value of `#news` when it was given last. */
  readonly news: number;
}

/** Refuses a call that was repeated too often. The text does not count as a result of the call. */
class RepeatedCall extends ToolRefusal {}

/** Counts the repeated calls of one turn. */
class CallRepetition {
  readonly #results = new Map<string, KnownResult>();
  readonly #tasks = new Map<string, number>();
  /** Grows with each result that is new for its call, and with each change of a file: after it the same call may give another result. */
  #news = 0;

  /** The reason for which the call is not run; `undefined` when it may run. */
  refusalOf(call: OpenCall): RepeatedCall | undefined {
    const signature = signatureOf(call);
    if ((this.#tasks.get(signature) ?? 0) >= sameCallLimit) {
      return new RepeatedCall(
        `This same call was made ${sameCallLimit} times in this turn, and each time is paid: it was not made again. Use what it gave, or ask the person.`,
      );
    }
    const known = this.#results.get(signature);
    if (known?.news !== this.#news || known.times < sameCallLimit) return undefined;
    return new RepeatedCall(
      `This same call was made ${sameCallLimit} times with the same result, and nothing new has happened since: it was not run again. Use that result. For another one change the arguments or do something else first; otherwise answer.`,
    );
  }

  /** Called when the call has ended. */
  note(call: OpenCall): void {
    const { result } = call;
    if (result === undefined) return;
    const signature = signatureOf(call);
    const known = this.#results.get(signature);
    const isSame = known?.result === result;
    if (!isSame || call.hasChangedFiles) this.#news += 1;
    const times = isSame && known.news === this.#news ? known.times + 1 : 1;
    this.#results.set(signature, { result, times, news: this.#news });
  }

  /** Counts a call that was to submit a task. */
  noteTask(call: OpenCall): void {
    const signature = signatureOf(call);
    this.#tasks.set(signature, (this.#tasks.get(signature) ?? 0) + 1);
  }
}

/** A call in a form that can't be read, and in how many answers in a row it was made. */
interface InvalidCall {
  readonly name: string;
  readonly times: number;
}

/** Finds a call that a model repeats in one turn although its arguments, or the tool that it means, can't be read. */
class InvalidCalls {
  /** The unreadable calls of the last answer, by their signatures. */
  #counts = new Map<string, InvalidCall>();

  /** The call that ends the turn, because each further request would cost money for nothing. */
  get stuck(): InvalidCall | undefined {
    return [...this.#counts.values()].find(({ times }) => times >= sameCallLimit);
  }

  /** Called once the calls of an answer have ended. `calls`: those of them that could not be read, each with its arguments as text. */
  noteAnswer(calls: readonly { readonly name: string; readonly text: string }[]): void {
    const before = this.#counts;
    this.#counts = new Map();
    for (const { name, text } of calls) {
      const signature = `${name} ${text}`;
      this.#counts.set(signature, { name, times: (before.get(signature)?.times ?? 0) + 1 });
    }
  }
}

function signatureOf({ name, input }: Pick<OpenCall, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** One step of a call that asks, and the guard's judgement on it. */
interface JudgedCall {
  readonly call: OpenCall;
  readonly step: CallToApprove;
  readonly judgement: ApprovalVerdict;
}

function shownOf({ change, changes }: CallToApprove): Pick<WaitingCall, "change" | "changes"> {
  const parts = changes?.map((part) => ({ action: part.action, ...definedFields({ change: part.change?.preview }) }));
  return definedFields({ change: change?.preview, changes: parts });
}

/** Ends a call of which the person refused a step. The steps before it have a result, which becomes that of the call. */
async function endRefused(call: OpenCall, step: CallToApprove, note: string | undefined): Promise<void> {
  if (step.leave === undefined) {
    call.deny(note);
    return;
  }
  if (step.whole) call.did(step.whole);
  const said = note === undefined || note === "" ? "" : `\nThe person says: ${note}`;
  await step.leave().then(
    (result) => call.finish(`${result}${said}`),
    (error: unknown) => call.fail(new ToolRefusal(`${error instanceof Error ? error.message : String(error)}${said}`)),
  );
}

class CallQuestion {
  readonly #turn: TurnParts;
  readonly #signal: AbortSignal;

  constructor(turn: TurnParts, signal: AbortSignal) {
    this.#turn = turn;
    this.#signal = signal;
  }

  async judge(call: OpenCall, step: CallToApprove): Promise<JudgedCall> {
    const { guard, chat } = this.#turn;
    if (step.isConfined) return { call, step, judgement: { reasons: step.reasons, offers: [] } };
    const judged = guard.judge(step, chat(), readUntrusted(chat()));
    return { call, step, judgement: await abortable(judged, this.#signal) };
  }

  /** Resolves with how the calls were allowed; `undefined` when the person refused, and then the calls have ended. Rejects with an abort only. */
  async ask(group: readonly JudgedCall[]): Promise<Allowed | undefined> {
    const { approvals, guard, chat } = this.#turn;
    const [first] = group;
    if (!first) return undefined;
    if (first.step.isConfined) return "sandbox";
    const { rules, offers } = first.judgement;
    if (rules && (await this.#use(first))) return rules[0].scope;
    const changes = new Map(
      group.flatMap(({ call, step }) => [
        [call.id, step.change] as const,
        ...(step.changes ?? []).map(({ change }, at) => [partId(call.id, at), change] as const),
      ]),
    );
    const { id, decision } = approvals.request(changes, this.#signal);
    // A rule is offered only if each call of the group offers it: otherwise it would cover a file for which none may be offered.
    const offered = offers.filter(({ scope: one }) =>
      group.every(({ judgement }) => judgement.offers.some((offer) => offer.scope === one)),
    );
    for (const { call, step, judgement } of group) {
      const { reasons, after, onceAfter, changed, profileEnded } = judgement;
      const longer = offered.length > 0 ? offered : undefined;
      const approval = { id, reasons, ...definedFields({ after, onceAfter, changed, profileEnded, offers: longer }) };
      call.wait(step.action, { approval, ...shownOf(step) });
    }
    const { allow, note, scope } = await decision;
    if (!allow) {
      for (const { call, step } of group) await endRefused(call, step, note);
      return undefined;
    }
    // The other calls leave the state in which they ask, or their card would be shown again while the first one runs.
    for (const { call } of group.slice(1)) call.waitForOthers();
    for (const { judgement } of group)
      if (judgement.changed) await abortable(guard.noteSeen(judgement.changed), this.#signal);
    const chosen = offered.find((offer) => offer.scope === scope);
    if (chosen) await abortable(guard.grant(chosen, chat()), this.#signal);
    return "call";
  }

  /** Counts the use of the rules. A rule that was revoked meanwhile, or whose file can't be written, covers nothing. */
  async #use({ step, judgement: { rules } }: JudgedCall): Promise<boolean> {
    const { guard, chat } = this.#turn;
    if (!rules) return false;
    return abortable(guard.use(rules, step, chat()), this.#signal).catch((error: unknown) => {
      if (this.#signal.aborted) throw error;
      return false;
    });
  }
}
