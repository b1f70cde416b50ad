/** The referee: watches what a client asks for and tells what it did wrong, by the rules of the service (service-spec 5, 8). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { BoundedMap } from "../../base/boundedMap";
import { cutText } from "../../base/cutText";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { fingerprint } from "../http/fingerprint";
import { keyMark, misplacedKey } from "./keyPlaces";
import { unknownFields } from "./knownFields";

export const conductRules = {
  "polled-too-fast": "read the same task again within 2 seconds",
  "ignored-retry-after": "asked the same route again before the time of Retry-After was over",
  "resubmitted-without-key": "sent the same task again without an idempotency key",
  "resubmitted-with-another-key": "sent a task whose outcome it did not know again under another idempotency key",
  "cancelled-after-end": "cancelled a task although it had been told of its end",
  "read-after-end": "went on reading a task after its end, beyond one later look",
  "asked-after-401": "asked again with a key that had been refused",
  "unknown-field": "sent a field that the service does not have",
  "key-in-wrong-place": "sent the key where it does not belong",
} as const;
export type ConductRule = keyof typeof conductRules;

export interface ConductFinding {
  readonly rule: ConductRule;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly route: string;
  /** What exactly; never holds a key. */
  readonly detail: string;
  readonly taskId?: string;
}

/** A request as it comes in. */
export interface WatchedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly requestId: string;
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  /** The key check said no: it was replaced. Requests with a key that was never right do not come this far. */
  readonly refused: boolean;
}

/** What the handlers tell of a request while they work on it. */
export interface ConductWatch {
  onBody(body: unknown, bytes: Buffer): void;
  /** The status of the task that the client is being told. */
  onStatusSent(status: unknown): void;
}

export const unwatched: ConductWatch = { onBody: () => undefined, onStatusSent: () => undefined };

interface SeenCreate {
  readonly key: string | undefined;
  /** The client has heard what became of it. */
  known: boolean;
  /** Its answer is still under way. */
  open: boolean;
}

const fastest = 2_000;
/** Clocks and lines are not that exact. */
const grace = 50;
const kept = 500;
/** Ten times as many as a person has in sight; what is forgotten is judged as if it were new. */
const mostTasks = 10_000;
const mostRoutes = 1_000;
const mostKeys = 16;
/** What a client sends is kept with what is found of it. */
const longestText = 300;
const longestId = 80;

export class Conduct {
  readonly #clock: Clock;
  readonly #key: () => string;
  #findings: ConductFinding[] = [];
  #counts = new Map<ConductRule, number>();
  #requests = 0;
  readonly #lastRead = new BoundedMap<string, number>(mostTasks);
  /** Reads since the client was told the end. */
  readonly #readsAfterEnd = new BoundedMap<string, number>(mostTasks);
  readonly #pausedUntil = new BoundedMap<string, number>(mostRoutes);
  readonly #creates = new BoundedMap<string, SeenCreate>(mostTasks);
  readonly #refusedKeys = new BoundedMap<string, true>(mostKeys);

  constructor(clock: Clock, key: () => string) {
    this.#clock = clock;
    this.#key = key;
  }

  /** Oldest first; the last 500. */
  get findings(): readonly ConductFinding[] {
    return this.#findings;
  }

  /** Of all, also of those that are not kept. */
  count(rule: ConductRule): number {
    return this.#counts.get(rule) ?? 0;
  }

  /** Requests under /v1 so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Forgets the findings, not what it knows of tasks and keys. */
  clear(): void {
    this.#findings = [];
    this.#counts = new Map();
    this.#requests = 0;
  }

  watch(arrived: WatchedRequest): ConductWatch {
    const { route, params, request, response, requestId } = arrived;
    if (!route.includes(" /v1/")) return unwatched;
    this.#requests += 1;
    const taskId = cutId(params["task_id"]);
    const mark = keyMark(request, arrived.url);
    const now = this.#clock.now();
    const find = (rule: ConductRule, detail: string): void => {
      const finding = {
        rule,
        at: now,
        requestId,
        route,
        detail: cutText(detail, longestText),
        ...definedFields({ taskId }),
      };
      this.#findings = [...this.#findings.slice(1 - kept), finding];
      this.#counts.set(rule, this.count(rule) + 1);
    };
    if (this.#refusedKeys.has(mark)) find("asked-after-401", "the same key again");
    const misplaced = misplacedKey(arrived, this.#key());
    if (misplaced !== undefined) find("key-in-wrong-place", misplaced);
    this.#checkPause(`${mark} ${route}`, now, find);
    if (taskId !== undefined && route === "GET /v1/tasks/{task_id}") this.#checkRead(taskId, now, find);
    if (taskId !== undefined && route.endsWith("/cancel") && this.#readsAfterEnd.has(taskId)) {
      find("cancelled-after-end", "it had been told");
    }
    let create: SeenCreate | undefined;
    response.once("close", () => {
      const whole = response.writableFinished;
      if (create !== undefined) {
        create.open = false;
        create.known = whole && response.statusCode < 500 && response.statusCode !== 408;
      }
      if (!response.headersSent) return;
      this.#noteKey(mark, arrived.refused || response.statusCode === 401);
      this.#notePause(`${mark} ${route}`, response);
    });
    return {
      onBody: (body, bytes) => {
        if (bytes.includes(this.#key())) find("key-in-wrong-place", "in the body");
        const fields = unknownFields(route, body);
        if (fields.length > 0) find("unknown-field", fields.join(", "));
        if (route === "POST /v1/tasks") create = this.#checkCreate(body, find);
      },
      onStatusSent: (status) => {
        const isEnd = typeof status === "number" && status >= 4 && status <= 8;
        if (taskId !== undefined && isEnd && !this.#readsAfterEnd.has(taskId)) this.#readsAfterEnd.set(taskId, 0);
      },
    };
  }

  #checkRead(taskId: string, now: number, find: (rule: ConductRule, detail: string) => void): void {
    const gap = now - (this.#lastRead.get(taskId) ?? -Infinity);
    if (gap < fastest - grace) find("polled-too-fast", `after ${gap} ms`);
    this.#lastRead.set(taskId, now);
    const reads = this.#readsAfterEnd.get(taskId);
    if (reads === undefined) return;
    this.#readsAfterEnd.set(taskId, reads + 1);
    if (reads >= 1) find("read-after-end", `${reads + 1} reads after its end`);
  }

  #checkCreate(body: unknown, find: (rule: ConductRule, detail: string) => void): SeenCreate | undefined {
    if (typeof body !== "object" || body === null) return undefined;
    const { idempotency_key: given, ...rest }: { idempotency_key?: unknown } = body;
    const key = typeof given === "string" ? given : undefined;
    const mark = fingerprint(rest);
    const earlier = this.#creates.get(mark);
    if (earlier !== undefined && key === undefined) find("resubmitted-without-key", "the same body");
    else if (earlier !== undefined && !earlier.open && !earlier.known && earlier.key !== key) {
      find("resubmitted-with-another-key", "the same body, whose outcome it did not know");
    }
    const create: SeenCreate = { key, known: false, open: true };
    this.#creates.set(mark, create);
    return create;
  }

  #checkPause(place: string, now: number, find: (rule: ConductRule, detail: string) => void): void {
    const until = this.#pausedUntil.get(place);
    if (until !== undefined && now < until - grace) find("ignored-retry-after", `${until - now} ms too early`);
  }

  #noteKey(mark: string, refused: boolean): void {
    if (refused) this.#refusedKeys.set(mark, true);
    else this.#refusedKeys.delete(mark);
  }

  #notePause(place: string, response: ServerResponse): void {
    const wait = retryAfter(response, this.#clock.now());
    if (wait === undefined || response.statusCode < 400) this.#pausedUntil.delete(place);
    else this.#pausedUntil.set(place, this.#clock.now() + wait);
  }
}

const cutId = (id: string | undefined): string | undefined => (id === undefined ? undefined : cutText(id, longestId));

/** Milliseconds, from `retry-after-ms`, seconds or a date; a date counts from the answer's own `date` when it has one. */
function retryAfter(response: ServerResponse, now: number): number | undefined {
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
