/** Runs the tool calls of one answer in their order: those that need no approval in parallel, the others one after the other. */
import { abortable, isAbort } from "../base/abort";
import { definedFields } from "../base/definedFields";
import { type AskingCall, type PreparedCall, type Tool, ToolRefusal } from "../domain/tool";
import { type AnswerEntry, type SessionEvent, toolCalls } from "../domain/transcript";
import type { Approvals } from "./approvals";
import { ResultBounds } from "./callBounds";
import { OpenCall } from "./openCall";
import type { FilesOfCall } from "./sessionPorts";

/** Calls that run at the same time: each may hold a file and the names of 10,000. */
const parallelCap = 4;

/** An identical call, made so often in a turn, is not run again: its result would not change. */
const sameCallLimit = 3;

/** The tools that were declared to the model, by name. */
export type DeclaredTools = ReadonlyMap<string, Tool>;

/** For one turn: it counts identical calls. */
export class ToolRunner {
  readonly #approvals: Approvals;
  readonly #emit: (event: SessionEvent) => void;
  readonly #settle: () => Promise<void>;
  readonly #filesOf: FilesOfCall | undefined;
  readonly #made = new Map<string, number>();

  /** `settle` resolves when the events so far are on the disk. */
  constructor(
    approvals: Approvals,
    emit: (event: SessionEvent) => void,
    settle: () => Promise<void>,
    filesOf?: FilesOfCall,
  ) {
    this.#filesOf = filesOf;
    this.#approvals = approvals;
    this.#emit = emit;
    this.#settle = settle;
  }

  /** Rejects only with an abort, and at once: then every call that had not ended is marked as stopped, and its later reports and result are dropped. */
  async run(answer: AnswerEntry, tools: DeclaredTools, signal: AbortSignal): Promise<void> {
    const bounds = new ResultBounds();
    const calls = toolCalls(answer).flatMap((block) =>
      block.progress.state === "ready"
        ? [new OpenCall(answer.id, block, block.progress.input, bounds, this.#emit, this.#filesOf)]
        : [],
    );
    const parallel = new Set<Promise<void>>();
    try {
      for (const call of calls) {
        signal.throwIfAborted();
        const prepared = await this.#prepare(tools.get(call.name), call, signal);
        if (prepared instanceof ToolRefusal) call.fail(prepared);
        else if (prepared.reasons === undefined) {
          if (parallel.size === parallelCap) await Promise.race(parallel);
          call.start(prepared.action);
          const running = runPrepared(prepared, call, signal).then(() => {
            parallel.delete(running);
          });
          // It rejects only with an abort, which is thrown below; without a handler it would count as unhandled until then.
          running.catch(() => undefined);
          parallel.add(running);
        } else {
          await Promise.all(parallel);
          await this.#askAndRun(prepared, call, signal);
        }
      }
      await Promise.all(parallel);
      signal.throwIfAborted();
    } catch (error) {
      for (const call of calls) call.stop();
      throw error;
    }
  }

  async #prepare(
    tool: Tool | undefined,
    { name, input }: OpenCall,
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
      // Without `abortable`, a disk that does not respond would delay a stop.
      return await abortable(tool.prepare(input, signal), signal);
    } catch (error) {
      return toRefusal(error, signal);
    }
  }

  /** Each step has an approval of its own; the first refusal ends the call. */
  async #askAndRun(prepared: AskingCall, call: OpenCall, signal: AbortSignal): Promise<void> {
    for (let step: AskingCall | undefined = prepared; step;) {
      const { action, change } = step;
      const { approval, decision } = this.#approvals.request(step, signal);
      call.wait(action, { approval, ...definedFields({ change: change?.preview }) });
      const { allow, note } = await decision;
      if (!allow) {
        call.deny(note);
        return;
      }
      call.start(action);
      // On the disk before the tool runs: after a kill the chat shows a call that may have had effects.
      await this.#settle();
      step = await runPrepared(step, call, signal);
      signal.throwIfAborted();
    }
  }
}

/** Resolves with the next step when there is one. Stop does not wait for a tool that ignores its signal. */
async function runPrepared(
  prepared: PreparedCall,
  call: OpenCall,
  signal: AbortSignal,
): Promise<AskingCall | undefined> {
  try {
    const result = await abortable(prepared.run(signal, call), signal);
    if (typeof result !== "string") return result;
    call.finish(result);
  } catch (error) {
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
