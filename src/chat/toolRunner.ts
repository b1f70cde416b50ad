/** Runs the calls of one answer in their order: those that may run side by side, those that ask one after the other. */
import { t } from "@vscode/l10n";
import { abortable, isAbort } from "../base/abort";
import { type AskingCall, type PreparedCall, type Tool, ToolRefusal } from "../domain/tool";
import { type AnswerEntry, type Input, type SessionEvent, toolCalls, type ToolProgress } from "../domain/transcript";
import type { Approvals } from "./approvals";
import { ResultBounds } from "./callBounds";

/** Calls at work at the same time: each may hold a file and the names of 10,000. */
const sideBySideCap = 4;

/** The same call, made so often in a turn, is not run again: its result would not change. */
const sameCallLimit = 3;

/** For one turn: it remembers what was called. */
export class ToolRunner {
  readonly #approvals: Approvals;
  readonly #emit: (event: SessionEvent) => void;
  readonly #made = new Map<string, number>();

  constructor(approvals: Approvals, emit: (event: SessionEvent) => void) {
    this.#approvals = approvals;
    this.#emit = emit;
  }

  /** `tools`: those that the model was told of, by name. Rejects only with an abort; then every call that had not ended is marked as stopped. */
  async run(answer: AnswerEntry, tools: ReadonlyMap<string, Tool>, signal: AbortSignal): Promise<void> {
    const sideBySide = new Set<Promise<void>>();
    const bounds = new ResultBounds();
    const open = new Map<string, { input: Input; title: string }>();
    const tell = (call: string, progress: ToolProgress): void => {
      if ("input" in progress)
        open.set(call, { input: progress.input, title: "title" in progress ? progress.title : "" });
      if (progress.state === "done" || progress.state === "failed" || progress.state === "denied") open.delete(call);
      const isBounded = progress.state === "done" || progress.state === "failed";
      const told = isBounded ? { ...progress, result: bounds.cut(progress.result) } : progress;
      this.#emit({ type: "tool-progress", id: answer.id, call, progress: told });
    };
    try {
      for (const { call, name, progress } of toolCalls(answer)) {
        if (progress.state === "ready") open.set(call, { input: progress.input, title: name });
      }
      for (const { call, name, progress } of toolCalls(answer)) {
        if (progress.state !== "ready") continue;
        signal.throwIfAborted();
        const { input } = progress;
        const prepared = await this.#prepare(tools.get(name), name, input, signal);
        if (prepared instanceof ToolRefusal) {
          tell(call, { state: "failed", input, title: name, result: prepared.message });
        } else if (prepared.ask === undefined) {
          if (sideBySide.size === sideBySideCap) await Promise.race(sideBySide);
          const running = runPrepared(prepared, input, signal, (next) => tell(call, next)).then(() => {
            sideBySide.delete(running);
          });
          // Its failure is an abort, and is heard below; until then it must not count as unhandled.
          running.catch(() => undefined);
          sideBySide.add(running);
        } else {
          await Promise.all(sideBySide);
          await this.#askAndRun(prepared, input, signal, (next) => tell(call, next));
        }
      }
      await Promise.all(sideBySide);
      signal.throwIfAborted();
    } catch (error) {
      for (const [call, { input, title }] of open) {
        this.#emit({ type: "tool-progress", id: answer.id, call, progress: { state: "stopped", input, title } });
      }
      throw error;
    }
  }

  async #prepare(
    tool: Tool | undefined,
    name: string,
    input: Input,
    signal: AbortSignal,
  ): Promise<PreparedCall | ToolRefusal> {
    if (!tool) return new ToolRefusal(`There is no tool ${name}.`);
    const signature = `${name} ${JSON.stringify(input)}`;
    const times = (this.#made.get(signature) ?? 0) + 1;
    this.#made.set(signature, times);
    if (times > sameCallLimit) {
      return new ToolRefusal(
        `This same call was made ${sameCallLimit} times in this turn. Do something else or answer.`,
      );
    }
    try {
      // A disk that does not answer must not hold up a stop.
      return await abortable(tool.prepare(input, signal), signal);
    } catch (error) {
      return refusalOf(error, signal);
    }
  }

  /** Each step has a question of its own; the first no ends the call. */
  async #askAndRun(
    prepared: AskingCall,
    input: Input,
    signal: AbortSignal,
    tell: (progress: ToolProgress) => void,
  ): Promise<void> {
    for (let step: AskingCall | undefined = prepared; step;) {
      const { approval, decision } = this.#approvals.ask(step, signal);
      tell({ state: "waiting", input, approval });
      const { allow, note } = await decision;
      if (!allow) {
        tell({ state: "denied", input, title: step.title, ...(note ? { note } : {}) });
        return;
      }
      step = await runPrepared(step, input, signal, tell);
      signal.throwIfAborted();
    }
  }
}

/** Resolves with the next step when there is one. */
async function runPrepared(
  prepared: PreparedCall,
  input: Input,
  signal: AbortSignal,
  tell: (progress: ToolProgress) => void,
): Promise<AskingCall | undefined> {
  const { title, ask } = prepared;
  tell({ state: "running", input, title });
  try {
    const result = prepared.run(signal);
    // A read is left behind when the turn is stopped; a change that was allowed is waited for, and told as it went.
    const done = ask?.change ? await result : await abortable(result, signal);
    if (typeof done !== "string") return done;
    tell({ state: "done", input, title, result: done });
  } catch (error) {
    tell({ state: "failed", input, title, result: refusalOf(error, signal).message });
  }
  return undefined;
}

/** What the model is told of a failure; an abort goes on up. */
function refusalOf(error: unknown, signal: AbortSignal): ToolRefusal {
  if (signal.aborted || isAbort(error)) throw error;
  if (error instanceof ToolRefusal) return error;
  return new ToolRefusal(error instanceof Error ? error.message : t("The tool failed."));
}
