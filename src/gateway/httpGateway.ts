/** The gateway of `domain/ports.ts` over HTTP: one base URL with one key. */
import type { Clock } from "../base/clock";
import { systemClock } from "../base/async/systemClock";
import { definedFields } from "../base/definedFields";
import { readAddress } from "../domain/gateway/address";
import { AppFailure } from "../domain/errors/appError";
import { isKey } from "../domain/gateway/account";
import type { Gateway, Log } from "../domain/ports";
import type { ChatSettings } from "./families/familyDefinitions";
import { type ApiVersion, endpointUrl, pathSegment, readVersion, type HttpRequest } from "./http/httpRequest";
import { HttpClient, type RetryOptions, retryRead } from "./http/httpClient";
import { defaultLimits, type Limits } from "./http/network/wire";
import type { Network } from "./http/network/transport";
import type { HttpResponse } from "./http/response";
import { parseJson } from "../base/jsonValue";
import { parseLooseJson } from "../base/looseJson";
import { createScrub, type Scrub, withSecrets, createStreamScrubs } from "./scrub";
import { readModels } from "./readModels";
import { createStreamChat, type StreamChat } from "./stream/streamChat";
import { downloadAsset } from "./downloadAsset";
import { defaultStylizedImageWord } from "../domain/gateway/modelAccess";
import { isOfOtherTask, readCreatedLocation, readCreatedTask, readTask, readTaskEvents, writeTask } from "./taskBodies";

/** Settings are read for each request: a change counts for the next. */
export interface GatewayEndpoint {
  /** With or without `/v1`. `https:`, or `http:` on this machine; anything else makes every call fail. */
  readonly baseUrl: string;
  readonly key: string;
  /** The task type of stylized images in requests. */
  readonly stylizedImageWord: () => string;
  /** The settings for requests to that model. */
  readonly chat: (model: string) => ChatSettings;
  /** Merged with the defaults. */
  readonly limits: () => Partial<Limits>;
  readonly network: Network;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export function connectGateway(endpoint: GatewayEndpoint): Gateway {
  return new HttpGateway(endpoint);
}

type Call = Omit<HttpRequest, "url" | "withKey"> & { readonly version?: ApiVersion };

/** Its functions are fields, not methods: a gateway can be wrapped by spreading it. */
class HttpGateway implements Gateway {
  readonly streamChat: StreamChat;
  readonly #endpoint: GatewayEndpoint;
  readonly #key: string;
  readonly #scrub: Scrub;
  readonly #http: HttpClient;
  readonly #retry: Pick<RetryOptions, "clock" | "random" | "log">;

  constructor(endpoint: GatewayEndpoint) {
    const { network, clock = systemClock, random = Math.random } = endpoint;
    // A pasted key often has a line end.
    const key = endpoint.key.trim();
    const secrets = (): readonly string[] => network.headerSecrets?.(new URL(endpoint.baseUrl)) ?? [];
    const scrub = withSecrets(createScrub(key), secrets);
    const log = scrub.log(endpoint.log);
    this.#endpoint = endpoint;
    this.#key = key;
    this.#scrub = scrub;
    this.#retry = { clock, random, log };
    this.#http = new HttpClient({ key, scrub, limits: () => this.#limits(), network, log, now: () => clock.now() });
    this.streamChat = createStreamChat({
      scrub,
      createStreamScrub: () => createStreamScrubs([...secrets(), key], scrub),
      prefix: readVersion(endpoint.baseUrl),
      settings: (model) => endpoint.chat(model),
      clock,
      random,
      log,
      send: ({ path, ...route }, recorder, signal) =>
        this.#call(path, { ...route, method: "POST", accept: "text/event-stream", watch: recorder, signal }),
    });
  }

  readonly writeTask: Gateway["writeTask"] = (order, idempotencyKey) => {
    return writeTask(order, idempotencyKey, this.#stylizedImageWord());
  };

  readonly createTask: Gateway["createTask"] = async (body, signal) => {
    const response = await this.#call("/tasks", { method: "POST", body, alone: true, tolerates: 409, signal });
    const text = await response.text();
    const isKnown = response.status === 409;
    const replayed = isKnown || response.headers.get("idempotent-replayed")?.toLowerCase() === "true";
    const { requestId } = response;
    const facts = { replayed, ...definedFields({ requestId }) };
    const named = readCreatedTask(parseLooseJson(text), facts);
    // A 409 is about another request: its Location need not be of this task.
    const created = named ?? (isKnown ? undefined : readCreatedLocation(response.headers.get("location"), facts));
    const clean = this.#scrub.record(created);
    // An id that contains the key is useless without it: it would name another task.
    if (created !== undefined && clean?.taskId === created.taskId) return clean;
    if (isKnown) throw response.toFailure(text);
    throw response.toMalformed(
      `The gateway answered with status ${response.status}, but its answer names no task.`,
      text,
    );
  };

  readonly getTask: Gateway["getTask"] = async (taskId, signal) => {
    const response = await this.#read(taskPath(taskId), signal);
    const text = await response.text();
    const task = readTask(this.#bodyAbout(taskId, response, text));
    if (task === undefined) throw response.toMalformed("The answer does not tell of a task.", text);
    return this.#scrub.record(task);
  };

  readonly listTaskEvents: Gateway["listTaskEvents"] = async (taskId, { limit, offset }, signal) => {
    const response = await this.#read(`${taskPath(taskId)}/events?limit=${limit}&offset=${offset}`, signal);
    const text = await response.text();
    const events = readTaskEvents(this.#bodyAbout(taskId, response, text));
    if (events === undefined) throw response.toMalformed("The answer holds no list of events.", text);
    return this.#scrub.record(events);
  };

  readonly cancelTask: Gateway["cancelTask"] = async (taskId, reason, signal) => {
    const body = JSON.stringify({ reason });
    const response = await this.#call(`${taskPath(taskId)}/cancel`, { method: "POST", body, alone: true, signal });
    return this.#scrub.record(readTask(this.#bodyAbout(taskId, response, await response.text())));
  };

  readonly listModels: Gateway["listModels"] = async (signal) => {
    // The list is optional: a gateway without it answers 404.
    const request: Call = { method: "GET", firstByte: this.#limits().read, tolerates: 404, signal };
    const response = await retryRead(() => this.#call("/models", request), { ...this.#retry, signal });
    const text = await response.text();
    if (response.status === 404) return [];
    const body = parseJson(text);
    if (typeof body !== "object" || body === null) {
      throw response.toMalformed("The answer holds no list of models.", text);
    }
    return this.#scrub.record(readModels(body, this.#stylizedImageWord()));
  };

  readonly downloadAsset: Gateway["downloadAsset"] = async (url, signal, range) => {
    const own = readAddress(this.#endpoint.baseUrl);
    return retryRead(() => downloadAsset(this.#http, own, url, { signal, range }), { ...this.#retry, signal });
  };

  readonly close: Gateway["close"] = () => {
    return this.#http.close();
  };

  #limits(): Limits {
    return { ...defaultLimits, ...this.#endpoint.limits() };
  }

  #stylizedImageWord(): string {
    return this.#endpoint.stylizedImageWord() || defaultStylizedImageWord;
  }

  #read(path: string, signal: AbortSignal | undefined): Promise<HttpResponse> {
    return this.#call(path, { method: "GET", firstByte: this.#limits().read, signal });
  }

  /** The JSON of a response about one task. Throws where it is about another one, whose state, result and money would be stored as this one's. */
  #bodyAbout(taskId: string, response: HttpResponse, text: string): unknown {
    const value = parseLooseJson(text);
    if (isOfOtherTask(value, taskId)) throw response.toMalformed("The answer is about another task.", text);
    return value;
  }

  /** Sends a request to the gateway itself. A redirect is an error: the key follows none. */
  async #call(path: string, request: Call): Promise<HttpResponse> {
    this.#checkKey();
    const url = endpointUrl(readAddress(this.#endpoint.baseUrl), path, request.version);
    const response = await this.#http.send({ ...request, url, withKey: true });
    const { status } = response;
    if (status < 300 || status === request.tolerates) return response;
    await response.text();
    throw response.toMalformed(`The gateway redirects elsewhere (status ${status}); its address may be another.`);
  }

  #checkKey(): void {
    if (this.#key === "") {
      throw new AppFailure({ kind: "signed-out", message: "There is no key.", notSent: true });
    }
    if (!isKey(this.#key)) {
      throw new AppFailure({ kind: "unauthorized", message: "The key holds what no key holds.", notSent: true });
    }
  }
}

function taskPath(taskId: string): string {
  return `/tasks/${pathSegment(taskId)}`;
}
