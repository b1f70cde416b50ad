/**
 * Checks one request against the rules of the service, which are listed at the end of the file: when it arrives, when its body is read, and when
 * its response is sent.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { cutText } from "../base/text/cutText";
import type { Clock } from "../base/clock";
import type { ClientWatch, WatchedRequest } from "./http/requestContext";
import { type RequestHead, familyOf } from "./http/familyErrors";
import { fingerprint } from "./http/fingerprint";
import { BoundedMap } from "../base/boundedMap";

interface WatchServices {
  readonly history: ClientHistory;
  readonly clock: Clock;
  readonly report: (rule: ClientRule, detail: string, taskId: string | undefined) => void;
}

/** Milliseconds between two reads of a task, as the service recommends. */
const shortestInterval = 2_000;
/** Tolerance for timers and network delay. */
const grace = 50;
/** Characters of a task id, which a client can choose. */
const maxIdLength = 80;

/** One later read for a refund, and one for a new link to the result. */
const maxReadsAfterEnd = 2;
const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"] as const;

export class RequestWatch implements ClientWatch {
  readonly #watched: WatchedRequest;
  readonly #services: WatchServices;
  readonly #keyMark: string;
  readonly #taskId: string | undefined;
  #create: SeenCreate | undefined;

  constructor(watched: WatchedRequest, services: WatchServices) {
    this.#watched = watched;
    this.#services = services;
    this.#keyMark = keyMark(watched.request, watched.url);
    const id = watched.params["task_id"];
    this.#taskId = id === undefined ? undefined : cutText(id, maxIdLength);
    this.#checkArrival();
    watched.response.once("close", () => this.#onClose());
  }

  onBody(body: unknown, bytes: Buffer): void {
    const { route, key } = this.#watched;
    if (bytes.includes(key)) this.#report("key-in-wrong-place", "in the body");
    const fields = unknownFields(route, body);
    if (fields.length > 0) this.#report("unknown-field", fields.join(", "));
    if (route === "POST /v1/tasks" && typeof body === "object" && body !== null) this.#checkCreate(body);
  }

  onStatusSent(status: unknown): void {
    const { readsAfterEnd } = this.#services.history;
    const isEnd = typeof status === "number" && status >= 4 && status <= 8;
    if (this.#taskId !== undefined && isEnd && !readsAfterEnd.has(this.#taskId)) readsAfterEnd.set(this.#taskId, 0);
  }

  #checkArrival(): void {
    const { history, clock } = this.#services;
    const { route, key } = this.#watched;
    if (history.refusedKeys.has(this.#keyMark)) this.#report("asked-after-401", "the same key again");
    const misplaced = misplacedKey(this.#watched, key);
    if (misplaced !== undefined) this.#report("key-in-wrong-place", misplaced);
    const until = history.pausedUntil.get(this.#pauseKey);
    const early = (until ?? 0) - clock.now();
    if (early > grace) this.#report("ignored-retry-after", `${early} ms too early`);
    if (this.#taskId === undefined) return;
    if (route === "GET /v1/tasks/{task_id}") this.#checkRead(this.#taskId);
    if (route.endsWith("/cancel") && history.readsAfterEnd.has(this.#taskId)) {
      this.#report("cancelled-after-end", "a read had returned its end");
    }
  }

  #checkRead(taskId: string): void {
    const { history, clock } = this.#services;
    const now = clock.now();
    const interval = now - (history.lastRead.get(taskId) ?? -Infinity);
    if (interval < shortestInterval - grace) this.#report("polled-too-fast", `after ${interval} ms`);
    history.lastRead.set(taskId, now);
    const reads = history.readsAfterEnd.get(taskId);
    if (reads === undefined) return;
    history.readsAfterEnd.set(taskId, reads + 1);
    if (reads >= maxReadsAfterEnd) this.#report("read-after-end", `${reads + 1} reads after its end`);
  }

  #checkCreate(body: object): void {
    const { creates } = this.#services.history;
    const { idempotency_key: given, ...rest }: { idempotency_key?: unknown } = body;
    const idempotencyKey = typeof given === "string" ? given : undefined;
    const mark = fingerprint(rest);
    const earlier = creates.get(mark);
    if (earlier !== undefined && idempotencyKey === undefined) this.#report("resubmitted-without-key", "the same body");
    else if (earlier?.isPending === false && !earlier.isOutcomeKnown && earlier.idempotencyKey !== idempotencyKey) {
      this.#report("resubmitted-with-another-key", "the same body, whose outcome the client did not know");
    }
    this.#create = { idempotencyKey, isOutcomeKnown: false, isPending: true };
    creates.set(mark, this.#create);
  }

  #onClose(): void {
    const { response, refused } = this.#watched;
    const { refusedKeys, pausedUntil } = this.#services.history;
    const { statusCode } = response;
    if (this.#create !== undefined) {
      this.#create.isPending = false;
      this.#create.isOutcomeKnown = response.writableFinished && statusCode < 500 && statusCode !== 408;
    }
    if (!response.headersSent) return;
    if (refused || statusCode === 401) refusedKeys.set(this.#keyMark, true);
    else refusedKeys.delete(this.#keyMark);
    const now = this.#services.clock.now();
    const wait = statusCode < 400 ? undefined : requestedPause(response, now);
    // A success or a shorter pause of a concurrent request does not end a pause.
    const known = pausedUntil.get(this.#pauseKey) ?? -Infinity;
    if (wait !== undefined) pausedUntil.set(this.#pauseKey, Math.max(known, now + wait));
    else if (known <= now) pausedUntil.delete(this.#pauseKey);
  }

  get #pauseKey(): string {
    return `${this.#keyMark} ${this.#watched.route}`;
  }

  #report(rule: ClientRule, detail: string): void {
    this.#services.report(rule, detail, this.#taskId);
  }
}

/** A short hash of the key in the request. */
function keyMark({ headers }: IncomingMessage, url: URL): string {
  const given = [...keyHeaders.map((name) => headers[name]), url.searchParams.get("key")].flatMap((key) => key ?? []);
  return given.length === 0 ? "none" : createHash("sha256").update(given.join("\n")).digest("base64url").slice(0, 16);
}

/** The wrong place of the key, or `undefined`. */
function misplacedKey(head: RequestHead, key: string): string | undefined {
  const { headers } = head.request;
  const family = familyOf(head);
  if (headers["x-api-key"] !== undefined && family !== "messages") return "x-api-key on another family's route";
  if (headers["x-goog-api-key"] !== undefined && family !== "generate-content") {
    return "x-goog-api-key on another family's route";
  }
  const query = head.url.searchParams;
  if (query.has("key") && family !== "generate-content") return "in the query of another family's route";
  if ([...query].some(([name, value]) => name !== "key" && value.includes(key))) return "in the query";
  if (head.url.pathname.includes(key)) return "in the path";
  const other = Object.entries(headers).find(
    ([name, value]) => !keyHeaders.some((known) => known === name) && String(value).includes(key),
  );
  return other === undefined ? undefined : `in the header ${other[0]}`;
}

/** The requested pause in milliseconds, from `retry-after-ms` or from seconds or a date; a date counts from the response's own `date`. */
function requestedPause(response: ServerResponse, now: number): number | undefined {
  const header = (name: string): string => String(response.getHeader(name) ?? "");
  const ms = Number.parseFloat(header("retry-after-ms"));
  if (ms > 0) return ms;
  const value = header("retry-after");
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(header("date"));
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

// Lists the known top-level fields of request bodies, by route.

const chat =
  "model messages stream stream_options tools tool_choice parallel_tool_calls response_format max_completion_tokens " +
  "max_tokens temperature top_p presence_penalty frequency_penalty seed stop reasoning_effort verbosity user " +
  "safety_identifier prompt_cache_key metadata service_tier n logprobs top_logprobs logit_bias functions function_call " +
  "thinking enable_thinking reasoning store modalities prediction web_search_options";
const responses =
  "model input instructions previous_response_id stream stream_options store include tools tool_choice parallel_tool_calls " +
  "max_tool_calls max_output_tokens temperature top_p top_logprobs reasoning text truncation user safety_identifier " +
  "prompt_cache_key prompt_cache_retention metadata client_metadata service_tier background conversation prompt context_management";
const messages =
  "model messages max_tokens system stream tools tool_choice thinking output_config temperature top_p top_k " +
  "stop_sequences metadata service_tier cache_control container context_management mcp_servers";
const generate =
  "contents systemInstruction system_instruction tools toolConfig tool_config generationConfig generation_config " +
  "safetySettings safety_settings cachedContent cached_content continuationToken model";

const byRoute: Readonly<Record<string, string>> = {
  // `rehearsal` is a field of this gateway only.
  "POST /v1/tasks": "task_type public_model prompt idempotency_key input_assets_json metadata_json rehearsal",
  "POST /v1/tasks/{task_id}/cancel": "reason",
  "POST /v1/chat/completions": chat,
  "POST /v1/responses": responses,
  "POST /v1/messages": messages,
  "POST /v1/messages/count_tokens": messages,
  "POST /v1/models/{model}:countTokens": `${generate} generateContentRequest`,
  "POST /v1/models/{model}:generateContent": generate,
  "POST /v1/models/{model}:streamGenerateContent": generate,
};

function unknownFields(route: string, body: unknown): readonly string[] {
  const known = byRoute[route]?.split(" ");
  if (known === undefined || typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.keys(body).filter((name) => !known.includes(name));
}

// Remembers earlier reads, creates, pauses and refused keys, with which requests are compared. The memory is bounded; dropped entries count as
// new.

/** A request that created or tried to create a task. */
interface SeenCreate {
  readonly idempotencyKey: string | undefined;
  /** Whether the client received a response that decides the outcome. */
  isOutcomeKnown: boolean;
  /** Whether no response has been sent yet. */
  isPending: boolean;
}

const maxTasks = 10_000;
const maxRoutes = 1_000;
const maxKeys = 16;

export class ClientHistory {
  /** Time of the last read by task id. */
  readonly lastRead = new BoundedMap<string, number>(maxTasks);
  /** Number of reads since the client received the end, by task id. */
  readonly readsAfterEnd = new BoundedMap<string, number>(maxTasks);
  /** End of a Retry-After by key and route. */
  readonly pausedUntil = new BoundedMap<string, number>(maxRoutes);
  /** Requests to create a task, by the hash of the body without its idempotency key. */
  readonly creates = new BoundedMap<string, SeenCreate>(maxTasks);
  /** Refused keys by `keyMark`. */
  readonly refusedKeys = new BoundedMap<string, true>(maxKeys);
}

// The rules, each with a text that completes "The client …".

export const clientRules = {
  "polled-too-fast": "read the same task again within 2 seconds",
  "ignored-retry-after": "asked the same route again before the time of Retry-After was over",
  "resubmitted-without-key": "sent the same task again without an idempotency key",
  "resubmitted-with-another-key": "sent a task whose outcome it did not know again under another idempotency key",
  "cancelled-after-end": "cancelled a task although a response had carried its end",
  "read-after-end": "went on reading a task after its end, beyond one later look and one for a fresh link",
  "asked-after-401": "asked again with a key that had been refused",
  "unknown-field": "sent a field that the service does not have",
  "key-in-wrong-place": "sent the key where it does not belong",
} as const;
export type ClientRule = keyof typeof clientRules;
