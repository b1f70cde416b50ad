/**
 * Submissions that go on after the response to their call (V6), for clients of the extension `io.modelcontextprotocol/tasks`
 * (https://github.com/modelcontextprotocol/ext-tasks, specification/2026-07-28/tasks.md). Until the yes an order is in memory only, because its
 * question ends with the window. From the yes on it consists of tasks on the board, which have its id and survive every process. Ids are signed, so
 * no list of them is stored: once all tasks are read, an id that is ours and has no tasks was never submitted.
 */
import { createHmac, randomBytes } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import type { Clock } from "../../base/clock";
import { isSameSecret } from "../../base/limitedServer";
import { hasSucceeded, phaseOf } from "../../domain/task/phase";
import type { OrderedTask, TaskPort } from "../../domain/task/taskPort";
import type { McpCall, McpResult, McpTask, McpTaskPorts } from "../../domain/tools/mcpTool";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import type { AgentCall } from "../tasks/agentTasks";
import { agentToolNames } from "../tasks/agentToolNames";
import { type McpCalls, refusedResult } from "./mcpCalls";

/** Refusals that are remembered. An older one is only known as an order of which nothing was submitted. */
const maxRefusals = 1000;

export interface McpTasksParts {
  readonly calls: Pick<McpCalls, "call" | "prepare" | "carryOut">;
  /** The tasks that were ordered under an id, and whether all are known. */
  readonly orders: Pick<TaskPort, "ordered" | "knowsAll">;
  /** Signs ids, so that ids from before a new token are not accepted. */
  readonly token: () => string;
  readonly clock: Clock;
}

/** An order that the person is asked about, or whose tasks are being written and sent. */
interface Order {
  readonly question: () => TaskQuestion;
  readonly stop: AbortController;
  /** The client has shown the question to its person and got no refusal, so it is not sent to that client again. */
  isShown: boolean;
  isRefused: boolean;
}

export class McpTasks implements McpTaskPorts {
  readonly #parts: McpTasksParts;
  readonly #open = new Map<string, Order>();
  readonly #refusals = new BoundedMap<string, McpResult>(maxRefusals);
  /** The orders that the person is being asked to cancel, by id. */
  readonly #cancelling = new Map<string, AbortController>();

  constructor(parts: McpTasksParts) {
    this.#parts = parts;
  }

  async begin(call: McpCall, signal: AbortSignal): Promise<McpTask | McpResult> {
    const prepared = await this.#parts.calls.prepare(call, signal);
    if (!("run" in prepared)) return prepared;
    const { question } = prepared;
    if (question === undefined) return this.#parts.calls.carryOut(prepared, call.client, signal);
    const id = this.#createId();
    const order = { question, stop: new AbortController(), isShown: false, isRefused: false };
    this.#open.set(id, order);
    void this.#carryOut(id, order, prepared, call.client);
    return this.#taskOf(id, { status: "working" }, waitsForYes);
  }

  async get(id: string, signal: AbortSignal): Promise<McpTask | undefined> {
    if (!this.#isOurs(id)) return undefined;
    const tasks = this.#parts.orders.ordered(id);
    const order = this.#open.get(id);
    if (tasks.length > 0) {
      // Of several tasks some may have ended before the last one is sent.
      if (order !== undefined || !tasks.every(({ isDone }) => isDone))
        return this.#taskOf(id, { status: "working" }, progressOf(tasks));
      if (tasks.every(({ task }) => ["cancelled", "withdrawn"].includes(phaseOf(task))))
        return this.#taskOf(id, { status: "cancelled" }, "It was cancelled.");
      return this.#taskOf(id, { status: "completed", result: await this.#resultOf(tasks, signal) });
    }
    if (order !== undefined) {
      if (order.isShown) return this.#taskOf(id, { status: "working" }, waitsForYes);
      return this.#taskOf(id, { status: "asked", question: wordsOf(order.question()) }, waitsForYes);
    }
    const result = this.#refusals.get(id);
    if (result !== undefined) return this.#taskOf(id, { status: "completed", result });
    // Right after its start a window has read the newest tasks only, and it may be unable to read any.
    const knowsAll = await this.#parts.orders.knowsAll();
    if (this.#parts.orders.ordered(id).length > 0) return this.get(id, signal);
    if (!knowsAll) return this.#taskOf(id, { status: "working" }, isNotKnown);
    return this.#taskOf(id, { status: "cancelled" }, "Its question ended without a yes, so nothing was submitted.");
  }

  answer(id: string, answer: "no" | "seen" | "other"): boolean {
    if (!this.#isOurs(id)) return false;
    const order = this.#open.get(id);
    if (order === undefined || answer === "other") return true;
    order.isShown = true;
    // After the yes a refusal does not withdraw tasks that are being sent.
    if (answer === "no" && this.#parts.orders.ordered(id).length === 0) {
      order.isRefused = true;
      order.stop.abort();
    }
    return true;
  }

  cancel(id: string, client: string): boolean {
    if (!this.#isOurs(id)) return false;
    const tasks = this.#parts.orders.ordered(id);
    if (tasks.length === 0) this.#open.get(id)?.stop.abort();
    else if (!this.#cancelling.has(id)) void this.#askToCancel(id, tasks, client);
    return true;
  }

  withdrawAll(): void {
    for (const { stop } of this.#open.values()) stop.abort();
    for (const stop of this.#cancelling.values()) stop.abort();
  }

  async #carryOut(id: string, order: Order, call: AgentCall, client: string): Promise<void> {
    try {
      const result = await this.#parts.calls.carryOut(call, client, order.stop.signal, id);
      if (result.isError) this.#refusals.set(id, result);
    } catch {
      // The order was withdrawn.
      if (order.isRefused) this.#refusals.set(id, refusedResult);
    } finally {
      this.#open.delete(id);
    }
  }

  async #askToCancel(id: string, tasks: readonly OrderedTask[], client: string): Promise<void> {
    const stop = new AbortController();
    this.#cancelling.set(id, stop);
    try {
      for (const { task, isDone } of tasks)
        if (!isDone)
          await this.#parts.calls.call(
            { name: agentToolNames.cancel, input: { id: task.intent.id, reason: cancelReason }, client },
            stop.signal,
          );
    } catch {
      // The question was withdrawn, and the tasks go on.
    } finally {
      this.#cancelling.delete(id);
    }
  }

  /** The reports of all tasks, with their pictures and links to their files. */
  async #resultOf(tasks: readonly OrderedTask[], signal: AbortSignal): Promise<McpResult> {
    const results: McpResult[] = [];
    for (const { task } of tasks) {
      const call = { name: agentToolNames.get, input: { id: task.intent.id }, client: "" };
      results.push(await this.#parts.calls.call(call, signal));
    }
    const isError = tasks.every(({ task }) => phaseOf(task) !== "succeeded");
    return {
      text: results.map(({ text }) => text).join("\n\n"),
      images: results.flatMap(({ images = [] }) => images),
      links: tasks.flatMap(({ task }) => linkOf(task)),
      isError,
    };
  }

  #taskOf(id: string, state: McpTask["state"], message?: string): McpTask {
    const createdAt = createdAtOf(id);
    const ended = this.#parts.orders.ordered(id).flatMap(({ task: { submission } }) => {
      return submission.state === "accepted" ? [submission.checkedAt] : [];
    });
    const changedAt = Math.max(createdAt, ...ended);
    return { id, createdAt, changedAt, state, ...(message === undefined ? {} : { message }) };
  }

  /** The time, a random part and the signature of both. */
  #createId(): string {
    const text = `${this.#parts.clock.now().toString(36)}.${randomBytes(12).toString("base64url")}`;
    return `${text}.${this.#sign(text)}`;
  }

  #isOurs(id: string): boolean {
    const at = id.lastIndexOf(".");
    return at > 0 && id.length < 100 && isSameSecret(id.slice(at + 1), this.#sign(id.slice(0, at)));
  }

  #sign(text: string): string {
    return createHmac("sha256", `mcp task ${this.#parts.token()}`).update(text).digest("base64url").slice(0, 22);
  }
}

/** `tasks/cancel` has no field for a reason, and the tool needs one: it is shown in the question, and sent to the gateway. */
const cancelReason = "The agent cancelled it.";
const waitsForYes = "The person is asked in the VS Code window. Nothing is submitted before their yes.";

const isNotKnown =
  "The list of tasks can't be read whole in the VS Code window, so it is not known whether it was submitted. Don't submit it again: the person can find out in the Tasks view.";

const isOnItsWay =
  "It has succeeded. Its file is on its way into the project. Don't submit it again: the person sees in the Tasks view what is in the way.";

function createdAtOf(id: string): number {
  return parseInt(id.split(".", 1)[0] ?? "", 36);
}

function progressOf(tasks: readonly OrderedTask[]): string {
  const unknown = tasks.some(({ task }) => task.submission.state === "outcome-unknown");
  if (unknown)
    return "It is not known whether the gateway has taken it. Don't submit it again: the person can find out in the Tasks view.";
  const ended = tasks.filter(({ isDone }) => isDone).length;
  if (tasks.length > 1) return `${ended} of ${tasks.length} have ended.`;
  return tasks.some(({ task }) => hasSucceeded(task)) ? isOnItsWay : "The gateway makes it.";
}

function linkOf({ submission, intent }: OrderedTask["task"]): { uri: string; name: string }[] {
  const placement = submission.state === "accepted" ? submission.placement : undefined;
  if (placement?.state !== "placed") return [];
  const name = decodeURIComponent(placement.file.slice(placement.file.lastIndexOf("/") + 1));
  return [{ uri: placement.file, name: name === "" ? intent.id : name }];
}

/** The whole question, for a client that shows it to its person. */
function wordsOf({ title, facts, notes }: TaskQuestion): string {
  const lines = facts.map(({ name, text }) => `${name}: ${text}`);
  return [
    title,
    ...lines,
    ...notes,
    "Only the yes in the VS Code window submits it. Declining here withdraws it.",
  ].join("\n");
}
