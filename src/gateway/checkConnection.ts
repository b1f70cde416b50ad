/** Checks the connection to a gateway step by step (C3): one connection without a request and two reads, so it costs and creates nothing. */
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import { readAddress } from "../domain/gateway/address";
import {
  type AddressAnswer,
  type CheckConnection,
  type CheckEndpoint,
  type CheckName,
  type CheckReport,
  checkNames,
  type CheckStep,
  emptyReport,
  type ProbeAddress,
  type ProxyFacts,
} from "../domain/gateway/connectionCheck";
import { type AppError, AppFailure } from "../domain/errors/appError";
import { isKey } from "../domain/gateway/account";
import type { Log } from "../domain/ports";
import { endpointUrl, pathSegment } from "./http/httpRequest";
import { HttpClient } from "./http/httpClient";
import type { Limits } from "./http/network/wire";
import type { HttpResponse } from "./http/response";
import { probeConnect, probeTls } from "./http/network/probeConnection";
import { chooseProxy, explainProxy, hostAndPort } from "./http/network/proxyChoice";
import type { Network } from "./http/network/transport";
import { readTransportError } from "./http/network/transportError";
import { parseJson } from "../base/jsonValue";
import { createScrub, withSecrets } from "./scrub";
import { readModels } from "./readModels";

export { defaultLimits } from "./http/network/wire";

export interface ConnectionCheckOptions {
  readonly network: Network;
  readonly limits: () => Limits;
  readonly stylizedImageWord: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function createConnectionCheck(options: ConnectionCheckOptions): CheckConnection {
  return (endpoint, onProgress, signal) => new Check(options, endpoint, onProgress, signal).run();
}

export function createAddressProbe({ network, limits, log, clock }: ConnectionCheckOptions): ProbeAddress {
  return async (baseUrl, signal): Promise<AddressAnswer> => {
    const now = (): number => clock.now();
    const http = new HttpClient({ key: "", scrub: createScrub(""), limits, network, log, now });
    try {
      const url = endpointUrl(readAddress(baseUrl), "/models");
      const wait = { firstByte: limits().connect, signal };
      const { isPage } = await answeredBy(
        http.send({ method: "GET", url, withKey: false, tolerates: 404, ...wait }),
        now,
      );
      return isPage ? "page" : "answers";
    } catch (failure) {
      signal.throwIfAborted();
      return silences[failure instanceof AppFailure ? (failure.error.code ?? "") : ""] ?? "silent";
    } finally {
      await http.close();
    }
  };
}

/** The answers by the error code of the system. */
const silences: Readonly<Record<string, AddressAnswer>> = {
  ENOTFOUND: "unknown-host",
  ECONNREFUSED: "not-listening",
};

const extraCertificates = "NODE_EXTRA_CA_CERTS";

/** No gateway has a task with this id: a read of it gives *not found* if the key is accepted. */
const impossibleTask = "sluice-connection-check";

type FactsOf<Name extends CheckName> = Extract<CheckReport[Name], { state: "passed" }>["facts"];

class Check {
  readonly #options: ConnectionCheckOptions;
  readonly #endpoint: CheckEndpoint;
  readonly #onProgress: (report: CheckReport) => void;
  readonly #signal: AbortSignal;
  #report: CheckReport = emptyReport;

  constructor(
    options: ConnectionCheckOptions,
    endpoint: CheckEndpoint,
    onProgress: (report: CheckReport) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async run(): Promise<CheckReport> {
    const { remembered, settings, environment } = this.#options.network;
    const url = await this.#step(
      "address",
      () => readAddress(this.#endpoint.baseUrl),
      ({ href }) => ({ url: href }),
    );
    if (url) {
      const editorFetchSince = remembered?.read(url.origin);
      const trust = {
        system: settings.current.systemCertificates,
        extra: environment[extraCertificates] !== undefined,
      };
      this.#report = { ...this.#report, trust, ...definedFields({ editorFetchSince }) };
      await this.#step(
        "proxy",
        () => this.#proxy(url),
        (facts) => facts,
      );
      await this.#connection(url);
      // The requests are tried even without a connection of our own, because VS Code's fetch may reach the gateway.
      await this.#requests(url);
    }
    this.#skipTheRest();
    return this.#report;
  }

  #proxy(url: URL): ProxyFacts {
    const { settings, environment } = this.#options.network;
    const choice = explainProxy(url, settings.current, environment);
    if (choice.state === "excepted") return { use: "direct", reason: "excepted", source: choice.source };
    if (choice.state !== "proxy") return { use: "direct", reason: choice.state };
    const proxy = chooseProxy(url, settings.current, environment) ?? url;
    return { use: "proxy", host: hostAndPort(proxy), source: choice.source };
  }

  async #connection(url: URL): Promise<void> {
    const { network, limits } = this.#options;
    const timeout = AbortSignal.timeout(limits().connect);
    const signal = AbortSignal.any([this.#signal, timeout]);
    const options = { settings: network.settings.current, environment: network.environment, signal };
    const connected = await this.#step(
      "connect",
      () => probeConnect(url, options),
      ({ facts }) => facts,
    );
    if (!connected) return;
    if (url.protocol === "https:")
      await this.#step(
        "tls",
        () => probeTls(connected.socket, url, options),
        (facts) => facts,
      );
    connected.socket.destroy();
  }

  async #requests(url: URL): Promise<void> {
    const { key = "" } = this.#endpoint;
    const isUsable = await this.#step(
      "key",
      () => checkKey(key.trim()),
      () => undefined,
    );
    if (!isUsable) return;
    const { network, limits, log, clock } = this.#options;
    const scrub = withSecrets(createScrub(key.trim()), () => network.headerSecrets?.(url) ?? []);
    const http = new HttpClient({ key: key.trim(), scrub, limits, network, log, now: () => clock.now() });
    const read = (path: string): Promise<HttpResponse> =>
      http.send({
        method: "GET",
        url: endpointUrl(url, path),
        withKey: true,
        tolerates: 404,
        firstByte: limits().read,
        signal: this.#signal,
      });
    try {
      await this.#reads(read, endpointUrl(url, "/models").href);
    } finally {
      await http.close();
    }
  }

  async #reads(read: (path: string) => Promise<HttpResponse>, asked: string): Promise<void> {
    const { clock, stylizedImageWord } = this.#options;
    const now = (): number => clock.now();
    const start = now();
    const models = await this.#step(
      "answer",
      () => answeredBy(read("/models"), now),
      ({ status, at, date, isPage }) => ({
        status,
        asked,
        isPage,
        firstByteMs: at - start,
        // The response's date is compared with the middle of the round trip.
        ...definedFields({ clockAheadMs: date === undefined ? undefined : (start + at) / 2 - date }),
      }),
    );
    if (!models) return;
    await this.#step(
      "key",
      async () => proofOf(models, await answeredBy(read(`/tasks/${pathSegment(impossibleTask)}`), now)),
      (proof) => ({ proof }),
    );
    await this.#step(
      "models",
      () => {
        if (models.failure) throw models.failure;
        const list = parseJson(models.text ?? "");
        const isList = models.status !== 404 && typeof list === "object" && list !== null;
        return isList ? readModels(list, stylizedImageWord).length : 0;
      },
      (count) => ({ count, isListed: models.status !== 404 }),
    );
  }

  /** Runs one step; `undefined` when it has failed. */
  async #step<Name extends CheckName, T>(
    name: Name,
    work: () => T | Promise<T>,
    factsOf: (value: T) => FactsOf<Name> | undefined,
  ): Promise<T | undefined> {
    this.#set(name, { state: "running" });
    try {
      const value = await work();
      this.#signal.throwIfAborted();
      const facts = factsOf(value);
      if (facts !== undefined) this.#set(name, { state: "passed", facts });
      return value;
    } catch (failure) {
      this.#signal.throwIfAborted();
      this.#set(name, { state: "failed", error: errorOf(failure) });
      return undefined;
    }
  }

  #set(name: CheckName, step: CheckStep<unknown>): void {
    this.#report = { ...this.#report, [name]: step };
    this.#onProgress(this.#report);
  }

  #skipTheRest(): void {
    for (const name of checkNames) {
      const { state } = this.#report[name];
      if (state === "waiting" || state === "running") this.#set(name, { state: "skipped" });
    }
  }
}

/** Throws the failure of a request without a usable key. */
function checkKey(key: string): true {
  if (key === "") throw new AppFailure({ kind: "signed-out", message: "There is no key.", notSent: true });
  if (!isKey(key)) {
    throw new AppFailure({ kind: "unauthorized", message: "The key holds what no key holds.", notSent: true });
  }
  return true;
}

/** A response of the gateway, whatever its status. */
interface CheckedResponse {
  readonly status: number;
  /** The time of the first byte, and the response's own date; milliseconds since 1970. */
  readonly at: number;
  readonly date?: number;
  readonly isPage: boolean;
  /** The text of status 200 or 404. */
  readonly text?: string;
  /** The failure of any other status. */
  readonly failure?: AppFailure;
}

/** Rejects when there was no response. */
async function answeredBy(sent: Promise<HttpResponse>, now: () => number): Promise<CheckedResponse> {
  try {
    const response = await sent;
    const at = now();
    const date = Date.parse(response.headers.get("date") ?? "");
    const { status } = response;
    const text = await response.text();
    return {
      status,
      at,
      text,
      isPage: isPage(response.headers.get("content-type"), text),
      ...definedFields({ date: Number.isNaN(date) ? undefined : date }),
    };
  } catch (failure) {
    if (failure instanceof AppFailure && failure.error.status !== undefined) {
      const { status, contentType, firstBytes } = failure.error;
      return { status, at: now(), failure, isPage: isPage(contentType, firstBytes) };
    }
    throw failure;
  }
}

/** Throws the failure that refuses the key, or that leaves open whether it is accepted. */
function proofOf(models: CheckedResponse, task: CheckedResponse): FactsOf<"key">["proof"] {
  for (const { failure } of [models, task]) {
    if (failure && ["unauthorized", "forbidden"].includes(failure.error.kind)) throw failure;
  }
  // Some gateways list their models to anybody, so only the read of the missing task proves the key.
  const isTaskUnknown =
    task.status === 404 ? isJson(task.text) : task.status === 410 || (task.status === 400 && namesTask(task));
  const isListed = models.status < 300 && isJson(models.text);
  if (isTaskUnknown) return isListed ? "models-and-task" : "task";
  if (isListed) return "models";
  throw models.failure ?? task.failure ?? new AppFailure(foreignServer);
}

/** Whether a 400 is about the task: a gateway that requires a header or another body may give a 400 for every request. */
function namesTask({ text = "", failure }: CheckedResponse): boolean {
  const words = `${text} ${failure?.error.message ?? ""} ${failure?.error.code ?? ""}`.replaceAll("_", " ");
  return /\btask|not.?found|no such|does not exist|\b(?:uu)?id\b/i.test(words) && !/\bheader/i.test(words);
}

const foreignServer: AppError = {
  kind: "not-found",
  message: "This server has neither models nor tasks below this address",
};

function isPage(contentType: string | null | undefined, text = ""): boolean {
  return contentType?.startsWith("text/html") === true || /^\s*<(!doctype|html)/i.test(text);
}

function isJson(text: string | undefined): boolean {
  const value = parseJson(text ?? "");
  return typeof value === "object" && value !== null;
}

function errorOf(failure: unknown): AppError {
  return failure instanceof AppFailure ? failure.error : { ...readTransportError(failure), notSent: true };
}
