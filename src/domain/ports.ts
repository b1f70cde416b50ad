/** The interfaces between the folders, and to everything outside the product. */
import type { Event } from "../base/event";
import type { ReadonlyStore } from "../base/store";
import type { LeftOut } from "./chat/chat";
import type { ChatEvent, Family } from "./chat/chatEvent";
import type { AppError } from "./errors/appError";
import type { ChatRequest } from "./chat/message";
import type { ModelOptions } from "./chat/modelOptions";
import type { TracedRequest } from "./chat/requestTrace";
import type { Price, PriceList, TokenCounts } from "./prices/priceList";
import type { BalanceSetting } from "./task/priceSetting";
import type { ListedOptions } from "./task/commonOptions";
import type { CreatedTask, RemoteTask, TaskEvent, TaskHome, TaskOrder, TaskType } from "./task/task";

/** One gateway with one key. Each method rejects with an `AppFailure`, or with an `AbortError` when the signal aborts. */
export interface Gateway {
  /** The JSON of a create request, exactly as it will be sent. */
  writeTask(order: TaskOrder, idempotencyKey: string): string;
  /** Sends a body of `writeTask` once; it is never resent automatically. */
  createTask(body: string, signal?: AbortSignal): Promise<CreatedTask>;
  getTask(taskId: string, signal?: AbortSignal): Promise<RemoteTask>;
  /** Lists the events in the order of the gateway. */
  listTaskEvents(
    taskId: string,
    page: { limit: number; offset: number },
    signal?: AbortSignal,
  ): Promise<readonly ListedEvent[]>;
  /** Resolves with the task when the response holds it; `undefined`: read the task to see its state. */
  cancelTask(taskId: string, reason: string, signal?: AbortSignal): Promise<RemoteTask | undefined>;
  listModels(signal?: AbortSignal): Promise<readonly Model[]>;
  /**
   * Rejects before the first event when the request fails; an error inside the stream is an event. While nothing was
   * produced the request is retried: for about 90 s where the gateway is overloaded, else twice at most, once after an
   * answer with nothing in it.
   */
  streamChat(request: ChatRequest, signal?: AbortSignal, listener?: ChatListener): AsyncIterable<ChatEvent>;
  /** Downloads a result, or the rest of one. The key is sent to the gateway's own origin only. */
  downloadAsset(url: string, signal?: AbortSignal, range?: AssetRange): Promise<Asset>;
  /** The amounts that responses of this gateway have shown. */
  readonly amounts: StatedAmounts;
  /**
   * Reads with one GET the balance that is left; `own` is the person's setting of where it is stated. Resolves with `undefined`, without a request,
   * where the gateway is not known to state a balance, and with no amount (not known) after any failure. Rejects only with an abort.
   */
  readBalance(own: BalanceSetting | undefined, signal?: AbortSignal): Promise<StatedBalance | undefined>;
  /** Ends idle connections. */
  close(): Promise<void>;
}

/** What the response to one GET states of the money of a key or account (T18). */
export interface StatedBalance {
  /** What is left, one amount for each currency; empty when it is not known. */
  readonly left: readonly Price[];
  /** The total that was spent so far, and the path that states it. Totals of two paths can't be compared. */
  readonly spent?: Price & { readonly path: string };
}

/** The facts about a gateway's amounts that are known without asking for them (T18). */
export interface StatedAmounts {
  /** The kind of gateway, once an answer has shown it: `LiteLLM`. */
  readonly name: string | undefined;
  /** Whether a GET would state what is left. */
  readonly hasBalance: boolean;
  /** The prices of a model by the gateway's last list. */
  listOf(model: string): PriceList | undefined;
}

/** An event as a gateway lists it. Not every gateway gives its events ids. */
export type ListedEvent = Omit<TaskEvent, "id"> & Partial<Pick<TaskEvent, "id">>;

/** Callbacks for the HTTP requests behind one chat stream: retries, and a trace of each. */
export interface ChatListener {
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Called for each request that is sent: the first, one of another variant, a retry. */
  readonly onRequest?: (request: TracedRequest) => void;
}

/** A request that is about to be retried. */
export interface Retry {
  /** The number of the retry, from 1; 0 for a request that is sent at once as another variant, because the gateway refused the first. */
  readonly retry: number;
  readonly delayMs: number;
  /** The error that caused the retry. */
  readonly error: AppError;
  /** The option or tool that the other variant omits, because the error named it. */
  readonly leftOut?: LeftOut;
  /** The tokens and the cost of an empty answer that is retried, where they are known. */
  readonly usage?: TokenCounts;
  readonly cost?: Price;
}

export interface Asset {
  readonly mimeType: string;
  /** The offset of the body in the file: 0 unless the requested range is served. */
  readonly offset: number;
  /** The size of the whole file in bytes, where the service names it. */
  readonly size?: number;
  /** The validator for the `AssetRange` of a later download; missing when the response has none that identifies the file. */
  readonly validator?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The rest of a file that was begun. When the file has changed since, the whole of it is sent. */
export interface AssetRange {
  readonly from: number;
  readonly validator: string;
  /** Bytes of the whole file, as the first response reported them. */
  readonly size?: number;
}

/** An unknown capability is absent: it is tried, and a refusal by the service is remembered. */
export interface Model extends ModelOptions {
  readonly id: string;
  readonly family: Family;
  /** A note shown next to the id, for example that it is a demo model. */
  readonly note?: string;
  /** The model is no language model: what it writes about a text means nothing. */
  readonly demoModel?: true;
  /** `text`: it takes no tools, so they are named in the system text, and its calls are read from its answers. */
  readonly tools?: boolean | "text";
  /** `tools` is `text` because the model refused them once; it can be undone. */
  readonly toolsRefused?: true;
  readonly images?: boolean;
  /** The id of the model that is asked where this one produces nothing. */
  readonly fallback?: string;
  /** Tokens. */
  readonly contextSize?: number;
  /** `contextSize` is what a refusal for length has named; it can be undone. */
  readonly contextLearnt?: true;
  readonly taskTypes?: readonly TaskType[];
  readonly taskOptions?: ListedOptions;
  /** The prices of the model by the gateway's list. */
  readonly prices?: PriceList;
}

/** The current gateway. Each change is a new object: compare identity after an `await`. */
export type Connection =
  | { readonly state: "starting" }
  | { readonly state: "signed-out"; readonly origin: string; readonly baseUrl: string }
  | ReadyConnection
  | { readonly state: "failed"; readonly error: AppError };

export interface ReadyConnection {
  readonly state: "ready";
  readonly home: TaskHome;
  /** An id of the key that does not reveal it. An account may have had several keys, and what a gateway counts may be of one of them. */
  readonly keyId: string;
  readonly gateway: Gateway;
  readonly local: boolean;
}

export interface Connections {
  readonly current: ReadonlyStore<Connection>;
  /** Waits while the gateway starts. Rejects with an `AppFailure` that names what is missing, or with an `AbortError`. */
  ready(signal?: AbortSignal): Promise<ReadyConnection>;
  /** The gateway inside, started where it is not running; also while another one is in use. Rejects with an `AppFailure`. */
  local(): Promise<ReadyConnection>;
  /** The gateway of a task's home with the same account. Rejects with an `AppFailure` when there is none. */
  find(home: TaskHome): Promise<Gateway>;
}

/** Structured log lines without secrets: a message and plain values. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether the window has the focus: decides how often tasks are read (T4). */
export interface Attention {
  readonly focused: boolean;
  readonly onDidChange: Event<boolean>;
}
