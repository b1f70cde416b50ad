/** The gateway of `domain/ports.ts` over HTTP: one base URL with one key. */
import type { Clock } from "../base/clock";
import { systemClock } from "../base/async/systemClock";
import { definedFields } from "../base/definedFields";
import { readAddress } from "../domain/gateway/address";
import { type AppError, AppFailure } from "../domain/errors/appError";
import { isKey } from "../domain/gateway/account";
import { isFinal } from "../domain/task/task";
import type { Gateway, Log, StatedAmounts, StatedBalance } from "../domain/ports";
import type { Price } from "../domain/prices/priceList";
import type { ChatSettings } from "./families/familyDefinitions";
import { type ApiVersion, endpointUrl, pathSegment, readVersion, type HttpRequest } from "./http/httpRequest";
import { HttpClient, type RetryOptions, retryRead } from "./http/httpClient";
import { defaultLimits, type Limits } from "./http/network/wire";
import type { Network } from "./http/network/transport";
import type { HttpResponse } from "./http/response";
import { asRecord, parseJson } from "../base/jsonValue";
import { parseLooseJson } from "../base/looseJson";
import { createScrub, type Scrub, withSecrets, createStreamScrubs } from "./scrub";
import { balancePlaceOf, type StatedAmount } from "./amounts/dialects";
import { BillChecker } from "./amounts/billChecks";
import type { BillVerdict } from "./bills";
import { GatewayAmounts } from "./amounts/gatewayAmounts";
import type { AccessMemory } from "./learntAccess";
import { readModels } from "./readModels";
import { createStreamChat, type StreamChat } from "./stream/streamChat";
import { downloadAsset } from "./downloadAsset";
import { defaultStylizedImageWord } from "../domain/gateway/modelAccess";
import { isOfOtherTask, readCreatedLocation, readCreatedTask, readTask, readTaskEvents, writeTask } from "./taskBodies";

/** Settings are read for each request, so that a change applies to the next one. */
export interface GatewayEndpoint {
  /** The address, with or without `/v1`. It must be `https:`, or `http:` on this machine; otherwise every call fails. */
  readonly baseUrl: string;
  readonly key: string;
  /** The task type of stylized images in requests. */
  readonly stylizedImageWord: () => string;
  /** The settings for requests to a model. */
  readonly chat: (model: string) => ChatSettings;
  /** The limits that replace the defaults. */
  readonly limits: () => Partial<Limits>;
  /** Keeps how the gateway wants requests; missing where nothing outlives the connection. */
  readonly learnt?: AccessMemory;
  readonly network: Network;
  readonly log: Log;
  /** Called with each result of the checks of an answer's counts. */
  readonly bill?: (verdict: BillVerdict) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export function createHttpGateway(endpoint: GatewayEndpoint): Gateway {
  return new HttpGateway(endpoint);
}

/** `url` replaces the URL that is made from the path. */
type Call = Omit<HttpRequest, "url" | "withKey"> & {
  readonly version?: ApiVersion;
  readonly url?: URL | undefined;
};

/** Bytes of a response that states a balance; a longer one is an error. */
const maxBalanceLength = 64 * 1024;
/** The most amounts, one for each currency. */
const maxBalances = 5;

/** Its functions are fields, not methods, so that a gateway can be wrapped by spreading it. */
class HttpGateway implements Gateway {
  readonly streamChat: StreamChat;
  readonly amounts: StatedAmounts;
  readonly #endpoint: GatewayEndpoint;
  readonly #key: string;
  readonly #scrub: Scrub;
  readonly #http: HttpClient;
  readonly #amounts: GatewayAmounts;
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
    const amounts = new GatewayAmounts(endpoint.baseUrl);
    this.#amounts = amounts;
    this.amounts = {
      get name() {
        return amounts.name;
      },
      get hasBalance() {
        return amounts.balancePlace !== undefined;
      },
      listOf: (model) => amounts.listOf(model),
    };
    const { bill } = endpoint;
    const checker = bill && new BillChecker();
    this.streamChat = createStreamChat({
      amounts,
      onCounted: (answer) => {
        for (const verdict of checker?.check(answer) ?? []) bill?.(scrub.record(verdict));
      },
      scrub,
      createStreamScrub: () => createStreamScrubs([...secrets(), key], scrub),
      prefix: readVersion(endpoint.baseUrl),
      settings: (model) => endpoint.chat(model),
      ...definedFields({ learnt: endpoint.learnt }),
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
    // A 409 is about another request, so its `Location` need not be that of this task.
    const created = named ?? (isKnown ? undefined : readCreatedLocation(response.headers.get("location"), facts));
    const clean = this.#scrub.record(created);
    // An id that contains the key can't be used: without the key it would name another task.
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
    const body = this.#bodyAbout(taskId, response, text);
    const task = readTask(body);
    if (task === undefined) throw response.toMalformed("The answer does not tell of a task.", text);
    // The cost is read even for a failed task, so that the person sees a charge for it.
    const cost =
      isFinal(task.state) && task.state !== "refunded" ? this.#amounts.costOfTask(response, body) : undefined;
    return this.#scrub.record({ ...task, ...definedFields({ cost }) });
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
    const models = this.#scrub.record(
      readModels(body, this.#stylizedImageWord(), (model, id) => this.#amounts.pricesOf(model, id)),
    );
    this.#amounts.setListed(models);
    return models;
  };

  readonly readBalance: Gateway["readBalance"] = async (own, signal) => {
    const place = own === undefined ? this.#amounts.balancePlace : balancePlaceOf(own);
    if (place === undefined) return undefined;
    const skip = (): StatedBalance => {
      if (own === undefined) this.#amounts.skipBalancePlace();
      return { left: [] };
    };
    try {
      const base = readAddress(this.#endpoint.baseUrl);
      const url = place.isAtRoot ? new URL(place.path, base) : undefined;
      const response = await this.#call(place.path, { method: "GET", firstByte: this.#limits().read, signal, url });
      const body = asRecord(parseJson(await response.text(maxBalanceLength))) ?? {};
      const left = place.read(body).slice(0, maxBalances).map(statedPrice);
      if (left.length === 0) return skip();
      const [total] = place.spent?.(body) ?? [];
      const spent = total && { ...statedPrice(total), path: place.path };
      return this.#scrub.record({ left, ...definedFields({ spent }) });
    } catch (failure) {
      if (!(failure instanceof AppFailure)) throw failure;
      // A gateway that can't answer now may do so later; one that refuses the request will refuse it again.
      return isRefused(failure.error) ? skip() : { left: [] };
    }
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

  /** The JSON of a response about a task. Throws if it is about another task, whose state, result and money would be stored for this one. */
  #bodyAbout(taskId: string, response: HttpResponse, text: string): unknown {
    const value = parseLooseJson(text);
    if (isOfOtherTask(value, taskId)) throw response.toMalformed("The answer is about another task.", text);
    return value;
  }

  /** Sends a request to the gateway itself. A redirect is an error, because the key must not follow one. */
  async #call(path: string, request: Call): Promise<HttpResponse> {
    this.#checkKey();
    const base = readAddress(this.#endpoint.baseUrl);
    const url = request.url ?? endpointUrl(base, path, request.version);
    // The path may come from a setting, and an absolute URL in it would send the key to another host.
    if (url.origin !== base.origin)
      throw new AppFailure({ kind: "unreachable", message: "Another host.", notSent: true });
    const response = await this.#http.send({ ...request, url, withKey: true });
    this.#amounts.learn(response);
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

function statedPrice(amount: StatedAmount): Price {
  return { ...amount, source: "gateway" };
}

function isRefused({ status, kind }: AppError): boolean {
  return kind === "malformed" || (status !== undefined && status >= 400 && status < 500 && status !== 429);
}

function taskPath(taskId: string): string {
  return `/tasks/${pathSegment(taskId)}`;
}
