/** Submitting: the intent is on disk before the request, and the same bytes go under the same key each time (T1). */
import { randomUUID } from "node:crypto";
import { isAbort } from "../base/abort";
import type { Clock } from "../base/clock";
import { mayHaveHappened, toGatewayError } from "../domain/errors";
import type { Connections, Log } from "../domain/ports";
import type { Task, TaskIntent, TaskType } from "../domain/task";
import type { TaskBoard } from "./board";

export interface NewTask {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
}

export interface OutboxPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many submissions of a batch are under way at once. */
const atOnce = 4;

export class Outbox {
  readonly #ports: OutboxPorts;
  /** Tasks with a request under way: a second click does not send a second one. */
  readonly #sending = new Set<string>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /**
   * Writes every intent, then sends them. Resolves with their ids when each has an outcome; what became of a task is on
   * the board. Rejects only when there is no gateway to send to or nothing could be written: then nothing was sent.
   */
  async submit(tasks: readonly NewTask[]): Promise<readonly string[]> {
    const { board, connections, clock } = this.#ports;
    const { gateway, home } = await connections.ready();
    const batch = tasks.length > 1 ? randomUUID() : undefined;
    const intents: TaskIntent[] = [];
    for (const { type, model, prompt } of tasks) {
      const idempotencyKey = randomUUID();
      const body = gateway.writeTask({ type, model, prompt, idempotencyKey });
      const intent: TaskIntent = {
        id: randomUUID(),
        idempotencyKey,
        home,
        type,
        model,
        prompt,
        body,
        createdAt: clock.now(),
        ...(batch === undefined ? {} : { batch }),
      };
      try {
        await board.record({ type: "task-intended", intent });
      } catch (failure) {
        // All or nothing: what was written of this batch is shown as not sent, and can be sent from there.
        for (const { id } of intents)
          board.observe({ type: "task-not-accepted", id, at: clock.now(), error: unwritten });
        throw failure;
      }
      intents.push(intent);
    }
    const waiting = intents.values();
    const worker = async (): Promise<void> => {
      for (const intent of waiting) await this.#send(intent);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, intents.length) }, worker));
    return intents.map(({ id }) => id);
  }

  /** Sends a task again that was not accepted or whose outcome is unknown: same bytes, same key. */
  async sendAgain(id: string): Promise<void> {
    const task = this.#ports.board.tasks.get(id);
    if (!task || !canSendAgain(task) || this.#sending.has(id)) return;
    this.#sending.add(id);
    try {
      await this.#ports.board.record({ type: "task-sending", id, at: this.#ports.clock.now() });
      await this.#send(task.intent);
    } finally {
      this.#sending.delete(id);
    }
  }

  async #send(intent: TaskIntent): Promise<void> {
    const { board, connections, clock, log } = this.#ports;
    const { id } = intent;
    try {
      const gateway = await connections.find(intent.home);
      const created = await gateway.createTask(intent.body);
      await board.record({ type: "task-accepted", id, at: clock.now(), created });
    } catch (failure) {
      const error = isAbort(failure)
        ? ({ kind: "unreachable", message: "The request was ended before an answer came." } as const)
        : toGatewayError(failure);
      log.warn("A submission was not answered with a task.", { task: id, kind: error.kind, status: error.status });
      const type = mayHaveHappened(error) ? "task-outcome-unknown" : "task-not-accepted";
      await board.record({ type, id, at: clock.now(), error });
    }
  }
}

const unwritten = {
  kind: "rejected",
  message: "The rest of the batch could not be written to this disk.",
  notSent: true,
} as const;

function canSendAgain({ submission }: Task): boolean {
  return submission.state === "not-accepted" || submission.state === "outcome-unknown";
}
