/** Runs the tool calls of one answer in their order: those that need no approval in parallel, the others one after the other. */
import { abortable, isAbort } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { AppFailure } from "../../domain/errors/appError";
import { type ChatMode, isOffered, isReadOnly } from "../../domain/chat/chatMode";
import { isWriting } from "../../domain/tools/grant";
import { type AskingCall, type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import {
  type AnswerEntry,
  type AskReason,
  type Chat,
  isSubmission,
  type SessionEvent,
  steeringPrompts,
  toolCalls,
} from "../../domain/chat/chat";
import { modeOf } from "../../domain/chat/choices";
import { ArgumentRefusal } from "../../tools/base/argumentRules";
import type { Approvals } from "../approval/approvals";
import { CallRepetition, type InvalidCall, InvalidCalls, RepeatedCall } from "./callRepetition";
import { CallQuestion, type JudgedCall } from "./callQuestion";
import type { Guard } from "../approval/guard";
import type { OpenQuestions } from "../modes/openQuestions";
import { withheldText } from "../modes/withheldText";
import type { NestedInstructions } from "../context/nestedInstructions";
import { declaredName, describeUnknownTool } from "../../domain/tools/calledTool";
import type { ToolDeclaration } from "../../domain/chat/message";
import { OpenCall } from "./openCall";
import type { ResultRoom } from "../request/resultRoom";
import type { SessionChanges } from "./sessionPorts";
import type { Explore } from "./turnSession";

/** Calls that run at the same time: each may hold a file and the names of 10,000. */
const parallelCap = 4;

/** So many answers in a row may make repeated calls only: a refusal is enough for most models. */
const repeatedLimit = 3;

/** For the model, of a call that asks: it was not asked about. */
const notBefore = new ToolRefusal(
  "This call was not run: meanwhile the person has sent the message that follows. Read it, then make the call again if it is still right.",
);

/** By name: those that were declared to the model, and those that the mode of the chat withholds. */
export type DeclaredTools = ReadonlyMap<string, Tool>;

export interface ToolRunnerPorts {
  readonly approvals: Approvals;
  readonly questions: OpenQuestions;
  readonly guard: Guard;
  readonly chat: () => Chat;
  readonly emit: (event: SessionEvent) => void;
  readonly explore?: Explore | undefined;
  /** Resolves when the events so far are on the disk. */
  readonly settle: () => Promise<void>;
  readonly changes: SessionChanges;
  readonly nested: NestedInstructions;
  /** For the results of the calls of the last answer. */
  readonly results: () => ResultRoom;
}

/** For one turn: it finds the calls that are repeated in it. */
export class ToolRunner {
  readonly #ports: ToolRunnerPorts;
  readonly #repetition = new CallRepetition();
  readonly #invalid = new InvalidCalls();
  /** Answers in a row of which every call was refused as a repeated one. */
  #repeatedAnswers = 0;
  /** Set once a call was to submit a task beyond the person's cap of that many a day. */
  taskCap?: string;

  constructor(ports: ToolRunnerPorts) {
    this.#ports = ports;
  }

  /** The model makes nothing but calls that were refused as repeated ones: each further request would be paid for nothing. */
  get isStuck(): boolean {
    return this.#repeatedAnswers >= repeatedLimit;
  }

  /** The model makes the same call again and again in a form that can't be read. */
  get invalidCall(): InvalidCall | undefined {
    return this.#invalid.stuck;
  }

  /** Rejects only with an abort, and at once: then every call that had not ended is marked as stopped, and its later reports and result are dropped. */
  async run(answer: AnswerEntry, tools: DeclaredTools, signal: AbortSignal): Promise<void> {
    const results = this.#ports.results();
    const calls = toolCalls(answer).flatMap((block) =>
      block.progress.state === "ready"
        ? [new OpenCall(answer.id, block, block.progress.input, results, this.#ports)]
        : [],
    );
    const parallel = new Set<Promise<void>>();
    let repeated = 0;
    const invalid = toolCalls(answer).flatMap(({ name, argumentText, progress }) =>
      progress.state === "invalid" ? [{ name, text: argumentText }] : [],
    );
    try {
      const { chat, changes } = this.#ports;
      const context = { mode: () => modeOf(chat()), wrote: changes.wrote, chat: chat().id };
      const round = new Round(calls, this.#repetition, tools, context, signal);
      for (let at = 0; at < calls.length;) {
        signal.throwIfAborted();
        const prepared = await round.prepare(at);
        const call = calls[at];
        if (!call) return;
        if (!(prepared instanceof ToolRefusal) && prepared.reasons !== undefined) {
          if (parallel.size > 0) {
            await Promise.all(parallel);
            // That may take minutes, in which the person may have chosen another mode, and files change: it is prepared again.
            continue;
          }
          if (steeringPrompts(this.#ports.chat()).length > 0) {
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
          const running = runPrepared(prepared, call, this.#ports.nested, signal).then(() => {
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

  /** Resolves with how many calls were asked about together, from `at` on. */
  async #askAndRun(round: Round, at: number, first: AskingCall, signal: AbortSignal): Promise<number> {
    const question = new CallQuestion(this.#ports, signal);
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
      // On the disk before the tool runs: after a kill the chat shows a call that may have had effects.
      await this.#ports.settle();
      const next = await runPrepared(step, call, this.#ports.nested, signal, (error) => this.#noteCap(error));
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
  readonly #ports: RoundPorts;
  readonly #signal: AbortSignal;

  constructor(
    calls: readonly OpenCall[],
    repetition: CallRepetition,
    tools: DeclaredTools,
    ports: RoundPorts,
    signal: AbortSignal,
  ) {
    this.#calls = calls;
    this.#repetition = repetition;
    this.#tools = tools;
    this.#ports = ports;
    this.#signal = signal;
  }

  async prepare(at: number, pending?: ReadonlyMap<string, string>): Promise<PreparedCall | ToolRefusal> {
    const call = this.#calls[at];
    const tool = call && this.#tools.get(call.name);
    const mode = this.#ports.mode();
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
          wrote: this.#ports.wrote,
          chat: this.#ports.chat,
          seen: call.seen,
          ...definedFields({ pending }),
        }),
        this.#signal,
      );
      // A call that asks to change something is refused here too, also one of a tool that declares only to read.
      if (isReadOnly(mode) && hasEffect(prepared)) return refuse(new ToolRefusal(withheldText(call.name, mode)));
      return prepared.waits ? prepared : (this.#repetition.refusalOf(call) ?? prepared);
    } catch (error) {
      return refuse(toRefusal(error, this.#signal));
    }
  }

  /**
   * The call at `at` with the edits that directly follow it, if a person can be asked about all of them at once. An edit of
   * a file that an earlier one of them changes is prepared on that one's text. What ends the group is prepared again later.
   */
  async gather(
    at: number,
    first: AskingCall,
    judge: (call: OpenCall, step: AskingCall) => Promise<JudgedCall>,
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

interface RoundPorts {
  /** Of now: the person may change it while calls run. */
  readonly mode: () => ChatMode;
  readonly wrote: SessionChanges["wrote"];
  /** Its id. */
  readonly chat: string;
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

/** The reasons for which a call asks that only reads. */
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

/** An edit for which nothing is to be weighed but its text. */
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

/** Resolves with the next step when there is one. Stop does not wait for a tool that ignores its signal. */
async function runPrepared(
  prepared: PreparedCall,
  call: OpenCall,
  nested: NestedInstructions,
  signal: AbortSignal,
  onError?: (error: unknown) => void,
): Promise<AskingCall | undefined> {
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

/** The error that the model receives; an abort is thrown on. */
function toRefusal(error: unknown, signal: AbortSignal): ToolRefusal {
  if (signal.aborted || isAbort(error)) throw error;
  if (error instanceof ToolRefusal) return error;
  return new ToolRefusal(error instanceof Error ? error.message : "The tool failed.");
}
