/** Builders for tests: tasks, a scripted gateway, connections to it, a recorded log. */
import type { Price } from "../../src/domain/prices/priceList";
import { Store } from "../../src/base/store";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import { AppFailure } from "../../src/domain/errors/appError";
import type { ChatRequest } from "../../src/domain/chat/message";
import type { Connection, Connections, Facts, Gateway, Log } from "../../src/domain/ports";
import { KeyAccounts } from "../../src/gateway/connections";
import type { CreatedTask, RemoteTask, SavedResult, Task, TaskHome, TaskIntent } from "../../src/domain/task/task";

export const home: TaskHome = {
  origin: "https://gateway.example",
  baseUrl: "https://gateway.example/v1",
  account: "a1",
};

export function makeIntent(change: Partial<TaskIntent> = {}): TaskIntent {
  const id = change.id ?? "11111111-1111-4111-8111-111111111111";
  return {
    id,
    idempotencyKey: `key-${id}`,
    home,
    type: "video",
    model: "model-x",
    prompt: "a lighthouse at dusk",
    body: `{"idempotency_key":"key-${id}"}`,
    createdAt: 0,
    ...change,
  };
}

export function makeRemote(change: Partial<RemoteTask> = {}): RemoteTask {
  return { state: "created", rawStatus: "1", ...change };
}

export function makeCreated(change: Partial<CreatedTask> = {}): CreatedTask {
  return {
    taskId: "task-1",
    holdId: "hold-1",
    requestId: "request-1",
    remote: makeRemote(),
    replayed: false,
    ...change,
  };
}

export function makeTask(change: { intent?: Partial<TaskIntent>; submission?: Task["submission"] } = {}): Task {
  return { intent: makeIntent(change.intent), submission: change.submission ?? { state: "sending" } };
}

export function accepted(
  remote: Partial<RemoteTask>,
  change: Partial<Extract<Task["submission"], { state: "accepted" }>> = {},
): Task["submission"] {
  return { state: "accepted", at: 0, checkedAt: 0, taskId: "task-1", remote: makeRemote(remote), ...change };
}

/** The facts of a saved result except its place. */
export const savedFacts = { mimeType: "image/png", size: 1 };

export function savedAt(path: string): SavedResult {
  return { path, at: 0, ...savedFacts };
}

/** A method that the test did not give throws. */
export function makeGateway(methods: Partial<Gateway>): Gateway {
  const missing = (name: string) => (): never => {
    throw new Error(`the test did not expect ${name}`);
  };
  return {
    writeTask: (order, idempotencyKey) => JSON.stringify({ ...order, idempotencyKey }),
    createTask: missing("createTask"),
    getTask: missing("getTask"),
    listTaskEvents: missing("listTaskEvents"),
    cancelTask: missing("cancelTask"),
    listModels: missing("listModels"),
    streamChat: missing("streamChat"),
    downloadAsset: missing("downloadAsset"),
    amounts: { name: undefined, hasBalance: false, listOf: () => undefined },
    readBalance: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
    ...methods,
  };
}

export function connectTo(
  gateway: Gateway,
  to: TaskHome = home,
): Connections & { readonly current: Store<Connection> } {
  const current = new Store<Connection>({ state: "ready", home: to, keyId: "k1", gateway, local: false });
  return {
    current,
    ready: () =>
      current.current.state === "ready"
        ? Promise.resolve(current.current)
        : Promise.reject(new AppFailure({ kind: "signed-out", message: "No key is set.", notSent: true })),
    local: () => Promise.resolve({ state: "ready", home: to, keyId: "k1", gateway, local: true }),
    find: (wanted) =>
      wanted.account === to.account
        ? Promise.resolve(gateway)
        : Promise.reject(new AppFailure({ kind: "signed-out", message: "another account", notSent: true })),
  };
}

/** The accounts of keys, in memory. */
export function keptAccounts(): KeyAccounts {
  const kept = new Map<string, unknown>();
  return new KeyAccounts({
    read: (origin) => Promise.resolve(kept.get(origin)),
    write: (origin, memory) => Promise.resolve(void kept.set(origin, memory)),
  });
}

/** Streams the given events, one answer a call, and keeps the requests. */
export function answersOf(...answers: readonly (readonly ChatEvent[])[]): {
  readonly streamChat: Gateway["streamChat"];
  readonly requests: ChatRequest[];
} {
  const requests: ChatRequest[] = [];
  const left = [...answers];
  return {
    requests,
    async *streamChat(request, signal) {
      requests.push(request);
      for (const event of left.shift() ?? []) {
        signal?.throwIfAborted();
        // Each event comes in its own turn of the event loop, as bytes would.
        await Promise.resolve();
        yield event;
      }
    },
  };
}

/** The events of a complete text answer. */
export function textAnswer(text: string): readonly ChatEvent[] {
  return [
    { type: "message-start" },
    { type: "text-delta", block: 0, text },
    { type: "message-end", finish: "stop", cut: false },
  ];
}

/** The events of an answer that calls tools, each with its arguments. */
export function callingAnswer(
  ...calls: readonly { name: string; input: Record<string, unknown> }[]
): readonly ChatEvent[] {
  return [
    { type: "message-start" },
    ...calls.flatMap(({ name, input }, block): ChatEvent[] => [
      { type: "tool-call-start", block, call: `call-${block}`, wireId: `wire-${block}`, name },
      { type: "tool-call-delta", call: `call-${block}`, text: JSON.stringify(input) },
    ]),
    ...calls.map(({ input }, block): ChatEvent => ({ type: "tool-call-end", call: `call-${block}`, input })),
    { type: "message-end", finish: "tool-calls", cut: false },
  ];
}

export function keptLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, facts?: Facts): void => void lines.push(`${message} ${JSON.stringify(facts ?? {})}`);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

/** Turns of the event loop in which work of this process usually goes on; what takes longer waits for a disk, a socket or a timer. */
const turnsAtOnce = 100;

/**
 * Checks the condition until it holds: in each turn of the event loop, after a while each millisecond, because a loop without a pause takes the
 * processor from the tests that run next to it. Rejects after 60 s.
 */
export async function until(condition: () => boolean): Promise<void> {
  const giveUp = Date.now() + 60_000;
  for (let turn = 0; !condition(); turn += 1) {
    if (Date.now() > giveUp) throw new Error(`never held: ${condition.toString()}`);
    await new Promise((resolve) => (turn < turnsAtOnce ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
}

/** An amount by the person's own price list. */
export function yours(amount: number, currency = "USD"): Price {
  return { amount, currency, source: "your-list" };
}
