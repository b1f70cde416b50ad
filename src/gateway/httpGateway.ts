/** The gateway of `domain/ports.ts` over HTTP: one base URL with one key (service-spec 4). */
import { type Clock, systemClock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { readAddress } from "../domain/address";
import { GatewayFailure } from "../domain/errors";
import type { Gateway, Log } from "../domain/ports";
import type { RemoteTask } from "../domain/task";
import { type ApiVersion, endpointUrl, pathSegment, readVersion } from "./http/addresses";
import { downloadAsset } from "./tasks/assets";
import type { ChatSettings } from "./chatRoutes";
import { createHttp, type HttpAnswer, type HttpRequest } from "./http/gatewayHttp";
import { parseJson } from "./http/jsonValue";
import { defaultLimits, type Limits } from "./http/limits";
import { directNetwork, type Network } from "./http/network/transport";
import { retryRead } from "./http/retryRead";
import { createScrub } from "./key/scrub";
import { createStreamChat } from "./stream/streamChat";
import { createStreamScrub } from "./key/streamScrub";
import {
  defaultStylizedImageWord,
  readCreatedTask,
  readModels,
  readTask,
  readTaskEvents,
  writeTask,
} from "./tasks/taskWire";

/** Settings are asked for with each request: a change counts for the next. */
export interface GatewayEndpoint {
  /** With or without `/v1`. `https:`, or `http:` on this machine; anything else makes every call fail. */
  readonly baseUrl: string;
  readonly key: string;
  /** The wire word for stylized-image tasks (service-spec 2.3). */
  readonly stylizedImageWord?: () => string;
  readonly chat?: () => ChatSettings;
  /** The defaults where it names none. */
  readonly limits?: () => Partial<Limits>;
  /** Direct when left out. */
  readonly network?: Network;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export function connectGateway(endpoint: GatewayEndpoint): Gateway {
  const { clock = systemClock, random = Math.random } = endpoint;
  // What is pasted often brings a line end along.
  const key = endpoint.key.trim();
  const scrub = createScrub(key);
  const log = endpoint.log && scrub.log(endpoint.log);
  const word = (): string => endpoint.stylizedImageWord?.() || defaultStylizedImageWord;
  const limits = (): Limits => ({ ...defaultLimits, ...endpoint.limits?.() });
  const network = endpoint.network ?? directNetwork;
  const http = createHttp({ key, scrub, limits, network, log, now: () => clock.now() });

  type Call = Omit<HttpRequest, "url" | "withKey"> & { readonly version?: ApiVersion | undefined };
  /** Every call to the gateway itself. It answers there or not at all: the key follows no redirect. */
  const call = async (path: string, request: Call): Promise<HttpAnswer> => {
    if (key === "") throw new GatewayFailure({ kind: "signed-out", message: "There is no key.", notSent: true });
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new GatewayFailure({ kind: "unauthorized", message: "The key holds what no key holds.", notSent: true });
    }
    const url = endpointUrl(readAddress(endpoint.baseUrl), path, request.version);
    const answer = await http.send({ ...request, url, withKey: true });
    if (answer.status < 300 || answer.status === request.tolerates) return answer;
    await answer.text();
    throw answer.toMalformed(`The gateway redirects elsewhere (status ${answer.status}); its address may be another.`);
  };
  const read = (path: string, signal?: AbortSignal): Promise<HttpAnswer> =>
    call(path, { method: "GET", firstByte: limits().read, signal });
  const taskPath = (taskId: string): string => `/tasks/${pathSegment(taskId)}`;

  return {
    writeTask: (request) => writeTask(request, word()),

    async createTask(body, signal) {
      const answer = await call("/tasks", { method: "POST", body, alone: true, tolerates: 409, signal });
      const text = await answer.text();
      const isKnown = answer.status === 409;
      const replayed = isKnown || answer.headers.get("idempotent-replayed")?.toLowerCase() === "true";
      const { requestId } = answer;
      const facts = { replayed, ...definedFields({ requestId }) };
      const created = readCreatedTask(parseJson(text), facts);
      const clean = scrub.record(created);
      // An id without the key in it would be another task's.
      if (created !== undefined && clean?.taskId === created.taskId) return clean;
      if (isKnown) throw answer.toFailure(text);
      throw answer.toMalformed(
        `The gateway answered with status ${answer.status}, but its answer names no task.`,
        text,
      );
    },

    async getTask(taskId, signal) {
      const answer = await read(taskPath(taskId), signal);
      const text = await answer.text();
      const task = readTask(parseJson(text));
      if (task === undefined) throw answer.toMalformed("The answer does not tell of a task.", text);
      return scrub.record(task);
    },

    async listTaskEvents(taskId, { limit, offset }, signal) {
      const answer = await read(`${taskPath(taskId)}/events?limit=${limit}&offset=${offset}`, signal);
      const text = await answer.text();
      const events = readTaskEvents(parseJson(text));
      if (events === undefined) throw answer.toMalformed("The answer holds no list of events.", text);
      return scrub.record(events);
    },

    async cancelTask(taskId, reason, signal): Promise<RemoteTask | undefined> {
      const body = JSON.stringify({ reason });
      const answer = await call(`${taskPath(taskId)}/cancel`, { method: "POST", body, alone: true, signal });
      return scrub.record(readTask(parseJson(await answer.text())));
    },

    async listModels(signal) {
      const readList = async (): Promise<HttpAnswer> => {
        // Not in the service's document: a gateway without a list is no failure.
        const answer = await call("/models", { method: "GET", firstByte: limits().read, tolerates: 404, signal });
        return answer;
      };
      const answer = await retryRead(readList, { clock, random, log, signal });
      const text = await answer.text();
      if (answer.status === 404) return [];
      const body = parseJson(text);
      if (typeof body !== "object" || body === null)
        throw answer.toMalformed("The answer holds no list of models.", text);
      return scrub.record(readModels(body, word()));
    },

    streamChat: createStreamChat({
      scrub,
      createStreamScrub: () => createStreamScrub(key, scrub),
      prefix: readVersion(endpoint.baseUrl),
      settings: () => endpoint.chat?.() ?? {},
      clock,
      random,
      log,
      send: ({ path, ...route }, signal) =>
        call(path, { ...route, method: "POST", accept: "text/event-stream", signal }),
    }),

    async downloadAsset(url, signal) {
      const { origin } = readAddress(endpoint.baseUrl);
      return retryRead(() => downloadAsset(http, origin, url, signal), { clock, random, log, signal });
    },

    close: () => http.close(),
  };
}
