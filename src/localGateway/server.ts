/** Starts and stops the local gateway: one HTTP server on 127.0.0.1 with a key, a state folder and a clock. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock";
import { AssetLinks } from "./assets/assetLinks";
import { errorBody, HttpError } from "./errors";
import { type Fault, FaultSwitches } from "./faults";
import { loadIdentity, saveIdentity } from "./identity";
import { Journal } from "./journal";
import type { Balance } from "./ledger";
import { RequestLog, type SeenRequest, shownPath } from "./requestLog";
import { answer } from "./router";
import type { Services } from "./services";
import { lockState, type StateLock } from "./stateLock";
import { TaskEngine } from "./tasks/taskEngine";

export interface LocalGatewayOptions {
  /** Holds key, port, tasks and ledger across restarts. Rejects with `StateInUse` while another gateway works on it. */
  readonly stateDir: string;
  /** 0 or missing: the last one when it is free, else any. A port that is asked for and taken rejects with the system's `EADDRINUSE`. */
  readonly port?: number;
  readonly key?: string;
  /** Tasks, links and the pace of answers go by it; a moved clock also answers to `POST /_local/clock`. */
  readonly clock?: Clock;
  /** Another seed gives other durations, usages, pictures and wordings. */
  readonly seed?: number;
  /** Tasks and answers take 1/speed of their time. */
  readonly speed?: number;
  /** Of the built-in model; `Infinity` is all at once. */
  readonly tokensPerSecond?: number;
  readonly firstTokenMs?: number;
  /** Minor units put in at the first start. */
  readonly deposit?: number;
  readonly faults?: readonly Fault[];
}

export interface LocalGateway {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly clock: Clock;
  readonly balance: Balance;
  readonly openHolds: number;
  /** Oldest first; the last 2,000. */
  readonly requests: readonly SeenRequest[];
  readonly faults: FaultSwitches;
  /** Resolves when every change of tasks and money that was begun is on disk. */
  flushed(): Promise<void>;
  /** Ends open answers, finishes what is being written, frees the port. */
  close(): Promise<void>;
}

const bodyMs = 30_000;
const headersMs = 10_000;
const silentMs = 120_000;

export async function startLocalGateway(options: LocalGatewayOptions): Promise<LocalGateway> {
  const { stateDir, clock = systemClock, seed = 1, speed = 1, deposit = 100_000 } = options;
  await loadIdentity(stateDir);
  const lock = await lockState(stateDir, () => loadIdentity(stateDir));
  let journal: Journal | undefined;
  let origin = "";
  let tasks: TaskEngine | undefined;
  try {
    const identity = await loadIdentity(stateDir, options.key);
    journal = await Journal.open(join(stateDir, "journal.jsonl"));
    tasks = await TaskEngine.open({ journal, clock, speed, deposit });
    const services: Services = {
      key: identity.key,
      secret: identity.secret,
      clock,
      seed,
      pace: {
        tokensPerSecond: (options.tokensPerSecond ?? 60) * speed,
        firstTokenMs: (options.firstTokenMs ?? 250) / speed,
      },
      tasks,
      journal,
      faults: new FaultSwitches(options.faults),
      assets: new AssetLinks({ secret: identity.secret, clock, origin: () => origin }),
      log: new RequestLog(),
    };
    const closing = new AbortController();
    const server = createServer({ requestTimeout: bodyMs, headersTimeout: headersMs, keepAliveTimeout: 65_000 });
    // A line on which nothing moves at all is let go, in either direction.
    server.setTimeout(silentMs);
    server.on("request", (request, response) => void handle(request, response, services, closing.signal));
    const port = await listen(server, options.port ?? 0, identity.port);
    origin = `http://127.0.0.1:${port}`;
    if (identity.port !== port) await saveIdentity(stateDir, { ...identity, port });
    return runningGateway({ origin, services, server, closing, lock });
  } catch (error) {
    await tasks?.close();
    await journal?.close();
    await lock.release();
    throw error;
  }
}

interface Running {
  readonly origin: string;
  readonly services: Services;
  readonly server: Server;
  readonly closing: AbortController;
  readonly lock: StateLock;
}

function runningGateway({ origin, services, server, closing, lock }: Running): LocalGateway {
  const { tasks, journal, log, faults, clock, key } = services;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve));
    closing.abort();
    server.closeAllConnections();
    await ended;
    await tasks.close();
    await journal.close();
    await lock.release();
  };
  return {
    url: origin,
    key,
    clock,
    faults,
    get balance() {
      return tasks.ledger.balance;
    },
    get openHolds() {
      return tasks.ledger.openHolds;
    },
    get requests() {
      return log.requests;
    },
    flushed: () => tasks.flushed(),
    close: () => (closed ??= close()),
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
  closing: AbortSignal,
): Promise<void> {
  const { log } = services;
  const requestId = `req_${randomUUID()}`;
  const begun = performance.now();
  response.setHeader("x-request-id", requestId);
  const hangUp = new AbortController();
  const url = readUrl(request);
  log.add({ at: services.clock.now(), method: request.method ?? "", path: shownPath(url), requestId });
  response.on("close", () => {
    hangUp.abort();
    log.note(requestId, {
      ms: Math.round(performance.now() - begun),
      ...(response.headersSent ? { status: response.statusCode } : {}),
      ...(response.writableFinished ? {} : { aborted: true }),
    });
  });
  // A client that goes away in the middle is no news.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  if (!isOurHost(request)) {
    const error = new HttpError(403, "forbidden_host", "This gateway answers to 127.0.0.1 and localhost only.");
    request.resume();
    response.writeHead(403, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(errorBody(error)));
    return;
  }
  const signal = AbortSignal.any([hangUp.signal, closing]);
  await answer({ request, response, url, requestId, signal }, services);
}

/** Only the path and the query count; whatever else a request line may hold stays a path. */
function readUrl(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  const base = "http://127.0.0.1";
  return URL.canParse(base + path) ? new URL(base + path) : new URL(base);
}

/** A page whose name was pointed at this machine must not reach the gateway with the browser's help. */
function isOurHost({ headers, socket }: IncomingMessage): boolean {
  const port = socket.localPort;
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
}

async function listen(server: Server, asked: number, last: number | undefined): Promise<number> {
  if (asked !== 0 || last === undefined) return listenOn(server, asked);
  try {
    return await listenOn(server, last);
  } catch {
    return listenOn(server, 0);
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("the server has no port"));
    });
  });
}
