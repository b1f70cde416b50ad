/** Calls over MCP (V6): each that would submit or cancel waits for the person's yes in the window, for as long as its client waits. */
import type { MonotonicClock } from "../../base/clock";
import type { ShownImage } from "../../domain/tools/toolPorts";
import type { McpCall, McpImage, McpResult, McpTool } from "../../domain/tools/mcpTool";
import { ToolRefusal, type Tool } from "../../domain/tools/tool";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import { type AgentToolName, agentToolNames } from "../tasks/agentToolNames";
import type { AgentCall, AgentTasks } from "../tasks/agentTasks";
import { definedFields } from "../../base/definedFields";

/** Asks the person. `client`: what the program calls itself. Rejects with an abort. */
export type AskForClient = (question: () => TaskQuestion, client: string, signal: AbortSignal) => Promise<boolean>;

/** Questions that wait at once. */
const maxWaiting = 8;
/** This many questions in a row without a yes lead to a pause, which doubles after each further one. Pauses are in milliseconds. */
const maxUnansweredQuestions = 3;
const firstPause = 30_000;
const longestPause = 3_600_000;

export class McpCalls {
  readonly #tasks: Pick<AgentTasks, "prepare">;
  readonly #ask: AskForClient;
  readonly #clock: MonotonicClock;
  #waiting = 0;
  /** Questions since the last yes that were refused or withdrawn; those that waited at the same time count as one. */
  #refusals = 0;
  /** A moment of the monotonic clock. */
  #pausedUntil = -Infinity;
  #isSilenced = false;

  constructor(tasks: Pick<AgentTasks, "prepare">, ask: AskForClient, clock: MonotonicClock) {
    this.#tasks = tasks;
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Refuses all questions, until they are allowed again. */
  silence(): void {
    this.#isSilenced = true;
  }

  /** Ends the pause and the silence. */
  allowQuestions(): void {
    this.#isSilenced = false;
    this.#endPause();
  }

  /** Rejects with an abort only. */
  async call(call: McpCall, signal: AbortSignal): Promise<McpResult> {
    const prepared = await this.prepare(call, signal);
    return "run" in prepared ? this.carryOut(prepared, call.client, signal) : prepared;
  }

  /** Prepares the call, or resolves with why there is none. Nobody is asked yet. */
  async prepare({ name, input }: McpCall, signal: AbortSignal): Promise<AgentCall | McpResult> {
    try {
      return await this.#tasks.prepare(name, input, signal);
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Asks if the call needs a yes, and runs it. `orderedAs`: an id that is stored with the tasks that it submits. */
  async carryOut(call: AgentCall, client: string, signal: AbortSignal, orderedAs?: string): Promise<McpResult> {
    try {
      if (call.question && !(await this.#isAllowed(call.question, client, signal))) return refusedResult;
      signal.throwIfAborted();
      const images: McpImage[] = [];
      const image = ({ bytes, mimeType }: ShownImage): void =>
        void images.push({ mimeType, data: Buffer.from(bytes).toString("base64") });
      const text = await call.run(signal, { image, ...definedFields({ orderedAs }) });
      return { text, isError: false, ...(images.length === 0 ? {} : { images }) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async #isAllowed(...asked: Parameters<AskForClient>): Promise<boolean> {
    this.#refuseMore();
    const before = this.#refusals;
    let isAllowed = false;
    this.#waiting += 1;
    try {
      isAllowed = await this.#ask(...asked);
      return isAllowed;
    } finally {
      this.#waiting -= 1;
      if (isAllowed) this.#endPause();
      else if (this.#refusals === before) this.#pause();
    }
  }

  #refuseMore(): void {
    if (this.#isSilenced) {
      throw new ToolRefusal(
        "The person wants no more questions over MCP in this window, so nothing was done. Only they can change that: Sluice: Copy MCP Configuration.",
      );
    }
    if (this.#waiting === maxWaiting)
      throw new ToolRefusal(`${maxWaiting} questions wait for the person already. Wait for these.`);
    const seconds = Math.ceil((this.#pausedUntil - this.#clock.monotonic()) / 1000);
    if (seconds > 0) {
      throw new ToolRefusal(
        `The last ${this.#refusals} questions got no yes, so this one was not asked and nothing was done. The next one can be asked in ${seconds} seconds. Find out first what the person wants.`,
      );
    }
  }

  #endPause(): void {
    this.#refusals = 0;
    this.#pausedUntil = -Infinity;
  }

  #pause(): void {
    this.#refusals += 1;
    if (this.#refusals < maxUnansweredQuestions) return;
    const pause = Math.min(firstPause * 2 ** (this.#refusals - maxUnansweredQuestions), longestPause);
    this.#pausedUntil = this.#clock.monotonic() + pause;
  }
}

/** The result that the model gets after a no. */
export const refusedResult: McpResult = {
  text: "The person said no: nothing was done. Don't ask again unless they tell you to.",
  isError: true,
};

/** The result for a refusal. Any other error is thrown. */
function refusalOf(error: unknown): McpResult {
  if (!(error instanceof ToolRefusal)) throw error;
  return { text: error.message, isError: true };
}

export function mcpToolsOf(tools: readonly Tool[]): readonly McpTool[] {
  return tools.map(({ declaration: { name, description, parameters } }) => {
    const isReadOnly = reading.has(name);
    return {
      name,
      title: titles[name] ?? name,
      description,
      inputSchema: parameters,
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: name === agentToolNames.cancel,
        idempotentHint: name !== agentToolNames.submit,
        // The gateway is outside of this machine.
        openWorldHint: name === agentToolNames.submit || name === agentToolNames.cancel,
      },
    };
  });
}

const reading: ReadonlySet<string> = new Set([
  agentToolNames.get,
  agentToolNames.list,
  agentToolNames.compare,
  agentToolNames.models,
]);

/** The titles are English, as everything for models. */
const titles: Readonly<Record<string, string>> = {
  [agentToolNames.submit]: "Submit a paid image or video task",
  [agentToolNames.get]: "Get a task",
  [agentToolNames.cancel]: "Cancel a task",
  [agentToolNames.list]: "List tasks",
  [agentToolNames.compare]: "Compare results",
  [agentToolNames.save]: "Save a result into the project",
  [agentToolNames.models]: "List models for tasks",
} satisfies Readonly<Record<AgentToolName, string>>;
