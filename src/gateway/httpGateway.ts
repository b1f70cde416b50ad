/** The gateway of `domain/ports.ts` over HTTP: one base URL with one key (service-spec 4, contract.md 0 to 6 and T). */
import { abortReason } from "../base/abort";
import { type Clock, systemClock } from "../base/clock";
import type { ChatEvent, Family } from "../domain/chat";
import { GatewayFailure } from "../domain/errors";
import type { ChatRequest } from "../domain/message";
import type { Gateway, Log } from "../domain/ports";
import type { RemoteTask } from "../domain/task";
import { endpointUrl, pathSegment, readBaseUrl } from "./addresses";
import { downloadAsset } from "./assets";
import { decodeStream } from "./decodeStream";
import { buildChatCompletionsRequest } from "./families/chatCompletionsRequest";
import { createHttp, defaultLimits, type HttpAnswer, type HttpRequest, type Limits } from "./http";
import { parseJson } from "./jsonValue";
import { retryRead } from "./retryRead";
import { createScrub, createTextScrub } from "./scrub";
import { defaultStylizedImageWord, readCreatedTask, readModels, readTask, readTaskEvents, writeTask } from "./wire";

export interface GatewayEndpoint {
  /** With or without `/v1`. `https:`, or `http:` on this machine; anything else makes every call fail. */
  readonly baseUrl: string;
  readonly key: string;
  /** The wire word for stylized-image tasks (service-spec 2.3). */
  readonly stylizedImageWord?: string;
  readonly limits?: Partial<Limits>;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
}

interface ChatRoute {
  readonly path: string;
  readonly build: (request: ChatRequest) => unknown;
}

const chatRoutes: Readonly<Record<Family, ChatRoute | undefined>> = {
  "chat-completions": { path: "/chat/completions", build: buildChatCompletionsRequest },
  messages: undefined,
  "generate-content": undefined,
};

export function connectGateway(endpoint: GatewayEndpoint): Gateway {
  const { key, log, clock = systemClock, random = Math.random } = endpoint;
  const word = endpoint.stylizedImageWord || defaultStylizedImageWord;
  const limits = { ...defaultLimits, ...endpoint.limits };
  const http = createHttp({ key, limits, log, now: () => clock.now() });
  const scrub = createScrub(key);
  const scrubText = createTextScrub(key);

  type Call = Omit<HttpRequest, "url" | "withKey">;
  /** Every call to the gateway itself. It answers there or not at all: the key follows no redirect. */
  const call = async (path: string, request: Call): Promise<HttpAnswer> => {
    if (key === "") throw new GatewayFailure({ kind: "signed-out", message: "There is no key.", notSent: true });
    const url = endpointUrl(readBaseUrl(endpoint.baseUrl), path);
    const answer = await http.send({ ...request, url, withKey: true });
    if (answer.status < 300 || answer.status === request.tolerates) return answer;
    await answer.text();
    throw answer.toMalformed(`The gateway redirects elsewhere (status ${answer.status}); its address may be another.`);
  };
  const read = (path: string, signal?: AbortSignal): Promise<HttpAnswer> =>
    call(path, { method: "GET", firstByte: limits.read, signal });
  const taskPath = (taskId: string): string => `/tasks/${pathSegment(taskId)}`;

  return {
    writeTask: (request) => writeTask(request, word),

    async createTask(body, signal) {
      const answer = await call("/tasks", { method: "POST", body, alone: true, tolerates: 409, signal });
      const text = await answer.text();
      const isKnown = answer.status === 409;
      const replayed = isKnown || answer.headers.get("idempotent-replayed")?.toLowerCase() === "true";
      const { requestId } = answer;
      const facts = { replayed, ...(requestId === undefined ? {} : { requestId }) };
      const created = readCreatedTask(parseJson(text), facts);
      if (created !== undefined) return created;
      if (isKnown) throw answer.toFailure(text);
      throw answer.toMalformed("The gateway accepted the task, but its answer names none.", text);
    },

    async getTask(taskId, signal) {
      const answer = await read(taskPath(taskId), signal);
      const text = await answer.text();
      const task = readTask(parseJson(text));
      if (task === undefined) throw answer.toMalformed("The answer does not tell of a task.", text);
      return task;
    },

    async listTaskEvents(taskId, { limit, offset }, signal) {
      const answer = await read(`${taskPath(taskId)}/events?limit=${limit}&offset=${offset}`, signal);
      const text = await answer.text();
      const events = readTaskEvents(parseJson(text));
      if (events === undefined) throw answer.toMalformed("The answer holds no list of events.", text);
      return events;
    },

    async cancelTask(taskId, reason, signal): Promise<RemoteTask | undefined> {
      const body = JSON.stringify({ reason });
      const answer = await call(`${taskPath(taskId)}/cancel`, { method: "POST", body, alone: true, signal });
      return readTask(parseJson(await answer.text()));
    },

    async listModels(signal) {
      const readList = async (): Promise<HttpAnswer> => {
        // Not in the service's document: a gateway without a list is no failure (contract.md 6).
        const answer = await call("/models", { method: "GET", firstByte: limits.read, tolerates: 404, signal });
        return answer;
      };
      const answer = await retryRead(readList, { clock, random, log, signal });
      const text = await answer.text();
      if (answer.status === 404) return [];
      const body = parseJson(text);
      if (typeof body !== "object" || body === null)
        throw answer.toMalformed("The answer holds no list of models.", text);
      return readModels(body, word);
    },

    async *streamChat(request, signal) {
      const route = chatRoutes[request.family];
      if (route === undefined) {
        const message = `This version can't speak to models of the family ${request.family}.`;
        throw new GatewayFailure({ kind: "rejected", message, notSent: true });
      }
      const body = JSON.stringify(route.build(request));
      const answer = await call(route.path, { method: "POST", body, accept: "text/event-stream", signal });
      const { contentType } = answer;
      const events = decodeStream(request.family, answer.body, {
        ...(signal === undefined ? {} : { signal }),
        ...(contentType === undefined ? {} : { contentType }),
      });
      for await (const event of events) yield withFacts(event, answer);
      if (signal?.aborted) throw abortReason(signal);
    },

    async downloadAsset(url, signal) {
      const { origin } = readBaseUrl(endpoint.baseUrl);
      return retryRead(() => downloadAsset(http, origin, url, signal), { clock, random, log, signal });
    },

    close: () => http.close(),
  };

  /** An error inside the stream with what HTTP knows of it (S4), and nowhere the key. */
  function withFacts(event: ChatEvent, { status, requestId, contentType }: HttpAnswer): ChatEvent {
    if (event.type === "malformed") return { ...event, raw: scrubText(event.raw) };
    if (event.type !== "stream-error") return event;
    const error = {
      ...(requestId === undefined ? {} : { requestId }),
      ...(contentType === undefined ? {} : { contentType }),
      status,
      ...event.error,
    };
    return { ...event, error: scrub(error) };
  }
}
