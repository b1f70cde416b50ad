/**
 * The tools for tasks as agents outside of the chat call them, in VS Code (V2) and over MCP (V6). A call is prepared first, and then runs once. No
 * rule of the chat covers such a call: each submission and each cancel asks.
 */
import { abortable } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { revealHidden } from "../../base/text/revealHidden";
import { describeAction } from "../../domain/words/describeTool";
import { AppFailure } from "../../domain/errors/appError";
import { moneyOfCapCode, readCapCode } from "../../domain/task/dayCapCode";
import type { Connections } from "../../domain/ports";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { type CallToApprove, type CallEffects, type FreeCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import { describeAsked, type TaskQuestion } from "../../tasks/view/taskQuestion";

/** Characters of all facts together. What can't be shown whole can't be approved. */
const maxFactsLength = 4000;
/** Lines of all facts. More would push the facts below the prompt, and the buttons, off the screen. */
const maxLines = 60;

export interface AgentTaskOptions {
  readonly tools: readonly Tool[];
  readonly connections: Pick<Connections, "ready">;
  /** Whether the workspace is trusted. */
  readonly hasTrust: () => boolean;
}

export interface AgentCall {
  /** Describes what the call does. Names in it are not escaped. */
  readonly title: string;
  /** Missing for a call that only reads. It is a function, because the question shows other tasks as they are when the person is asked. */
  readonly question?: () => TaskQuestion;
  /** Runs the call, once. The text is for the model, and so is each image; rejects with a `ToolRefusal` or with an abort. */
  run(signal: AbortSignal, effects?: AgentEffects): Promise<string>;
}

export type AgentEffects = Pick<CallEffects, "image" | "orderedAs">;

export class AgentTasks {
  readonly #options: AgentTaskOptions;

  constructor(options: AgentTaskOptions) {
    this.#options = options;
  }

  /** Changes nothing and sends nothing. Rejects with a `ToolRefusal`, whose message is for the model, or with an abort. */
  async prepare(name: string, input: unknown, signal: AbortSignal): Promise<AgentCall> {
    this.#refuseRestricted();
    const tool = this.#options.tools.find(({ declaration }) => declaration.name === name);
    if (!tool) throw new ToolRefusal(`There is no tool ${name}.`);
    return forModel(signal, async () => {
      // A list of tasks would be empty before the gateway is known.
      await this.#options.connections.ready(signal);
      const call = await tool.prepare(input, signal);
      const question = call.reasons && questionOf(call);
      let isUsed = false;
      return {
        title: describeAction(call.action),
        ...definedFields({ question }),
        run: (running, effects) => {
          if (isUsed) throw new ToolRefusal("This call was made already.");
          isUsed = true;
          this.#refuseRestricted();
          return forModel(running, () => runToEnd(call, running, effects));
        },
      };
    });
  }

  #refuseRestricted(): void {
    if (this.#options.hasTrust()) return;
    throw new ToolRefusal(
      "The window is in Restricted Mode: agents get no tasks until the person trusts the workspace.",
    );
  }
}

function questionOf({ asked, reasons }: CallToApprove): () => TaskQuestion {
  if (!asked) throw new ToolRefusal("This can't be asked here.");
  const question = describeAsked(asked, reasons);
  const shown = question.facts.reduce((sum, { text }) => sum + revealHidden(text).length, 0);
  const lines = question.facts.flatMap(({ text }) => text.split(/\r\n?|\n/)).length;
  if (shown > maxFactsLength || lines > maxLines) {
    throw new ToolRefusal(
      `Prompt and options have ${shown} characters in ${lines} lines. The person is shown all of them and can be asked about ${maxFactsLength} in ${maxLines} lines at most: make them shorter.`,
    );
  }
  return () => describeAsked(asked, reasons);
}

/** `run` of an asking call may resolve with a next step that asks again; none of the tools for tasks does. */
async function runToEnd(
  call: FreeCall | CallToApprove,
  signal: AbortSignal,
  effects: AgentEffects | undefined,
): Promise<string> {
  const nothing = (): void => undefined;
  const all = effects && { activity: nothing, output: nothing, submitted: nothing, ...effects };
  const result = await abortable(call.run(signal, all), signal);
  if (typeof result !== "string") throw new ToolRefusal("This can't be asked here.");
  return result;
}

async function forModel<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || error instanceof ToolRefusal) throw error;
    throw new ToolRefusal(error instanceof AppFailure ? describeFailure(error) : "The tool failed.", {
      cause: error,
    });
  }
}

function describeFailure({ error }: AppFailure): string {
  if (error.kind === "capped") {
    const { cap: code } = readCapCode(error.code ?? "");
    const most = moneyOfCapCode(code) ? `${code} a day for tasks` : `${code} tasks a day`;
    return `The person allows ${most}, and this would be more than is left of that today. Nothing was submitted.`;
  }
  if (error.kind === "signed-out") {
    return "No API key is set for the gateway. Only the person can set it, with the command Sluice: Set API Key…";
  }
  return `${quoteForeign(error.message)}${error.notSent === true ? " Nothing was submitted." : ""}`;
}

/** Calls in the list. It is bounded, because a refused call stays in it: VS Code does not report a refusal. */
const maxPrepared = 32;

interface Prepared {
  readonly key: string;
  /** The question that the person was shown, as JSON. */
  readonly question: string;
  readonly call: AgentCall;
}

export class PreparedCalls {
  /** Oldest first. */
  #prepared: readonly Prepared[] = [];

  add(name: string, input: unknown, call: AgentCall, question: TaskQuestion): void {
    const prepared = { key: keyOf(name, input), question: JSON.stringify(question), call };
    this.#prepared = [...this.#prepared, prepared].slice(-maxPrepared);
  }

  /**
   * Takes the newest such call, because an older one may have been refused and its files changed since. `undefined` where the questions differ, as
   * after a change of the gateway, because it is not known which of them got the yes.
   */
  take(name: string, input: unknown): AgentCall | undefined {
    const key = keyOf(name, input);
    const same = this.#prepared.filter((prepared) => prepared.key === key);
    const isOneQuestion = new Set(same.map(({ question }) => question)).size === 1;
    const found = isOneQuestion ? same.at(-1) : undefined;
    const used = found ? [found] : same;
    this.#prepared = this.#prepared.filter((prepared) => !used.includes(prepared));
    return found?.call;
  }
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}
