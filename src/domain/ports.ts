/** Where the parts meet: what the product needs from outside, as interfaces only. */
import type { Event } from "../base/event";
import type { ReadonlyStore } from "../base/store";
import type { ChatEvent, Family } from "./chat";
import type { GatewayError } from "./errors";
import type { ChatRequest } from "./message";
import type { ModelOptions } from "./modelOptions";
import type { CreatedTask, RemoteTask, TaskEvent, TaskHome, TaskType } from "./task";

/** One gateway with one key. Each method rejects with a `GatewayFailure`, or with an `AbortError` when the signal aborts. */
export interface Gateway {
  /** The JSON of a create request, exactly as it will be sent. */
  writeTask(request: TaskRequest): string;
  /** Sends a body of `writeTask` once; it is never sent again by itself. */
  createTask(body: string, signal?: AbortSignal): Promise<CreatedTask>;
  getTask(taskId: string, signal?: AbortSignal): Promise<RemoteTask>;
  /** Oldest first. */
  listTaskEvents(
    taskId: string,
    page: { limit: number; offset: number },
    signal?: AbortSignal,
  ): Promise<readonly TaskEvent[]>;
  /** Resolves with the task when the answer told it, else with nothing: read the task to know. */
  cancelTask(taskId: string, reason: string, signal?: AbortSignal): Promise<RemoteTask | undefined>;
  listModels(signal?: AbortSignal): Promise<readonly Model[]>;
  /**
   * Rejects before the first event for what went wrong before the stream; what goes wrong inside it is an event. While
   * nothing was produced it is tried again, twice at most: `onRetry` is told before each wait.
   */
  streamChat(request: ChatRequest, signal?: AbortSignal, onRetry?: (retry: Retry) => void): AsyncIterable<ChatEvent>;
  /** The bytes behind a result's URL. The key goes along only to the gateway's own origin. */
  downloadAsset(url: string, signal?: AbortSignal): Promise<Asset>;
  /** Ends idle connections. */
  close(): Promise<void>;
}

/** A request that is about to be sent again. */
export interface Retry {
  /** 1 or 2; 0 for a request that is sent at once in another form, because the gateway does not take the first. */
  readonly retry: number;
  readonly delayMs: number;
  /** Why. */
  readonly error: GatewayError;
}

export interface TaskRequest {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  readonly idempotencyKey: string;
}

export interface Asset {
  readonly mimeType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What is not known of a capability is left out: it is tried, and what the service says is remembered. */
export interface Model extends ModelOptions {
  readonly id: string;
  readonly family: Family;
  /** Shown beside the id: what makes this model other than it seems, for example that it is a demonstrator. */
  readonly note?: string;
  readonly tools?: boolean;
  readonly images?: boolean;
  /** Tokens. */
  readonly contextSize?: number;
  readonly taskTypes?: readonly TaskType[];
}

/** Who is spoken to right now. Each change is a new object: compare identity after an `await`. */
export type Connection =
  | { readonly state: "starting" }
  | { readonly state: "signed-out"; readonly origin: string; readonly baseUrl: string }
  | ReadyConnection
  | { readonly state: "failed"; readonly error: GatewayError };

export interface ReadyConnection {
  readonly state: "ready";
  readonly home: TaskHome;
  readonly gateway: Gateway;
  readonly local: boolean;
}

export interface Connections {
  readonly current: ReadonlyStore<Connection>;
  /** Waits while it starts. Rejects with a `GatewayFailure` that says what is missing, or with an `AbortError`. */
  ready(signal?: AbortSignal): Promise<ReadyConnection>;
  /** The gateway of a task's home with the same account, or why there is none. Never another account's. */
  find(home: TaskHome): Promise<Gateway>;
}

/** Structured lines without secrets: a message and plain facts. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether someone looks: decides how often the tasks are read (T4). */
export interface Attention {
  readonly focused: boolean;
  readonly onDidChange: Event<boolean>;
}
