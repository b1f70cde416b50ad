/**
 * Calls that VS Code has asked the person about, until it makes them. VS Code passes no id from the question to the call, nor the answer: a
 * call is found by its tool and arguments.
 */
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import type { AgentCall } from "./agentTasks";

/** Bounds the list, for what the person refuses stays in it: VS Code does not say so. */
const maxPrepared = 32;

interface Prepared {
  readonly key: string;
  /** What the person was shown, as JSON. */
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
   * The newest, because an older one may have been refused and its files changed since. `undefined` where the questions differ, as after
   * a change of the gateway: which of them had the yes is not known.
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
