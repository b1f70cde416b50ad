/** The tools for tasks for agents in VS Code (V2). VS Code asks the person with what is prepared here, and then runs the same call. */
import * as vscode from "vscode";
import { definedFields } from "../../base/definedFields";
import type { ShownImage } from "../../domain/tools/toolPorts";
import { ToolRefusal } from "../../domain/tools/tool";
import { type AgentCall, type AgentTasks, PreparedCalls } from "../tasks/agentTasks";
import { askInDialog, confirmationOf, invocationMessage } from "./showQuestion";

export class VscodeTools {
  readonly #tasks: AgentTasks;
  readonly #prepared = new PreparedCalls();

  constructor(tasks: AgentTasks) {
    this.#tasks = tasks;
  }

  /** Rejects for a call that would be refused, so that no person is asked about it. */
  async prepare(
    name: string,
    { input }: vscode.LanguageModelToolInvocationPrepareOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    const call = await withSignal(token, (signal) => this.#tasks.prepare(name, input, signal));
    const { title } = call;
    const question = call.question?.();
    if (question) this.#prepared.add(name, input, call, question);
    return {
      invocationMessage: invocationMessage(title),
      ...definedFields({ confirmationMessages: question && confirmationOf(question) }),
    };
  }

  async invoke(
    name: string,
    { input }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const images: vscode.LanguageModelDataPart[] = [];
    const onImage = ({ bytes, mimeType }: ShownImage): void =>
      void images.push(vscode.LanguageModelDataPart.image(bytes, mimeType));
    const text = await withSignal(token, async (signal) => {
      const call = this.#prepared.take(name, input) ?? (await this.#askItself(name, input, signal));
      signal.throwIfAborted();
      return call.run(signal, { image: onImage });
    });
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...images]);
  }

  /** Asks for a call that VS Code has not prepared: its arguments were changed after the question, or there was none. */
  async #askItself(name: string, input: unknown, signal: AbortSignal): Promise<AgentCall> {
    const call = await this.#tasks.prepare(name, input, signal);
    const question = call.question?.();
    if (question && (await askInDialog(question.title, question)) !== question.action)
      throw new ToolRefusal("The person said no. Nothing was done.");
    return call;
  }
}

async function withSignal<T>(token: vscode.CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const registration = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw new vscode.CancellationError();
    throw error;
  } finally {
    registration.dispose();
  }
}
