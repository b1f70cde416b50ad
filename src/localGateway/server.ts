/** Starts and stops the local gateway: one HTTP server on 127.0.0.1 with a key, a state folder and a clock. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { isAbort } from "../base/abort";
import { type Clock, systemClock } from "../base/clock";
import { AssetLinks } from "./tasks/assetLinks";
import { checkKey } from "./http/auth";
import { Book } from "./money/book";
import { Charges } from "./money/charges";
import { PromptCache } from "./chat/promptCache";
import { type RelayPorts, usualPorts } from "./chat/relay/probe";
import { Relay } from "./chat/relay/relay";
import { Conduct } from "./conduct/conduct";
import { OneTimeLinks } from "./conduct/onceLinks";
import { type ConnectionLimits, createLimitedServer, type OpenConnections } from "./http/connectionLimits";
import { type Fault, FaultSwitches } from "./faults/faultSwitches";
import { deriveSecrets, loadIdentity, saveIdentity } from "./state/identity";
import { Journal } from "./state/journal";
import type { Balance } from "./money/ledger";
import { RequestLog, type SeenRequest, shownPath } from "./http/requestLog";
import { handleRequest } from "./http/router";
import type { Services } from "./services";
import { lockState, type StateLock } from "./state/stateLock";
import { TaskEngine } from "./tasks/taskEngine";

export interface StartLocalGatewayOptions {
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
  /** Missing ones are the usual. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Offers the models of an Ollama, LM Studio or llama.cpp on this machine too, when one answers; ports only for tests. */
  readonly relay?: boolean | RelayPorts;
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
  /** How many requests came without the key, or from a page of another site. */
  readonly refused: number;
  /** Lines that are open. */
  readonly connections: number;
  readonly faults: FaultSwitches;
  /** What the client did wrong. */
  readonly conduct: Conduct;
  /** Resolves when every change of tasks and money that was begun is on disk. */
  flushed(): Promise<void>;
  /** Resolves when another process has taken the state over; this gateway closes itself then. */
  readonly lost: Promise<unknown>;
  /** Ends open answers, finishes what is being written, frees the port. */
  close(): Promise<void>;
}

export async function startLocalGateway(options: StartLocalGatewayOptions): Promise<LocalGateway> {
  const { stateDir, clock = systemClock, seed = 1, speed = 1, deposit = 100_000 } = options;
  await loadIdentity(stateDir);
  const lock = await lockState(stateDir, () => loadIdentity(stateDir));
  let journal: Journal | undefined;
  let origin = "";
  let tasks: TaskEngine | undefined;
  try {
    const identity = await loadIdentity(stateDir, options.key);
    journal = await Journal.open(join(stateDir, "journal.jsonl"), () => lock.check());
    const book = await Book.open({ journal, clock, deposit });
    const charges = await Charges.open(book, clock);
    tasks = TaskEngine.open({ book, clock, speed });
    let key = identity.key;
    const closing = new AbortController();
    const { server, lines } = createLimitedServer(options.limits);
    const underWay = new Set<AbortController>();
    closing.signal.addEventListener("abort", () => {
      for (const one of underWay) one.abort();
    });
    /** Keys that were replaced, the newest last. */
    let former: readonly string[] = [];
    const secrets = deriveSecrets(identity);
    const away = new Set<Promise<void>>();
    const services: Services = {
      get key() {
        return key;
      },
      isFormerKey: (asked) => former.some((one) => checkKey(asked, one) === undefined),
      secrets,
      closing: closing.signal,
      clock,
      seed,
      pace: {
        tokensPerSecond: (options.tokensPerSecond ?? 60) * speed,
        firstTokenMs: (options.firstTokenMs ?? 250) / speed,
      },
      tasks,
      book,
      charges,
      prompts: new PromptCache(clock),
      ...openRelay(options.relay),
      faults: new FaultSwitches(options.faults),
      assets: new AssetLinks({ secret: secrets.assetLinks, clock, origin: () => origin }),
      log: new RequestLog(),
      conduct: new Conduct(clock, () => key),
      pageLinks: new OneTimeLinks(clock),
      origin: () => origin,
      control: {
        rotateKey(other) {
          former = [...former, key].slice(-mostFormerKeys);
          key = other;
        },
        suspend(ms) {
          const back = interrupt(server, () => clock.delay(ms, closing.signal)).finally(() => away.delete(back));
          away.add(back);
        },
      },
    };
    await services.relay?.probe();
    server.on("request", (request, response) => void handle(request, response, { services, lines, underWay }));
    const port = await listen(server, options.port ?? 0, identity.port);
    origin = `http://127.0.0.1:${port}`;
    if (identity.port !== port) await saveIdentity(stateDir, { ...identity, port });
    return runningGateway({ origin, services, server, lines, closing, lock, journal, away });
  } catch (error) {
    await tasks?.close();
    await journal?.close();
    await lock.release();
    throw error;
  }
}

function openRelay(relay: StartLocalGatewayOptions["relay"]): Pick<Services, "relay"> {
  if (relay === undefined || relay === false) return {};
  return { relay: new Relay(relay === true ? usualPorts : relay) };
}

const mostFormerKeys = 8;

interface Listening {
  readonly services: Services;
  readonly lines: OpenConnections;
  /** Requests that have no whole answer yet. */
  readonly underWay: Set<AbortController>;
}

interface Running {
  readonly origin: string;
  readonly services: Services;
  readonly server: Server;
  readonly lines: OpenConnections;
  readonly closing: AbortController;
  readonly lock: StateLock;
  readonly journal: Journal;
  /** Times of absence that have not ended. */
  readonly away: ReadonlySet<Promise<void>>;
}

function runningGateway({ origin, services, server, lines, closing, lock, journal, away }: Running): LocalGateway {
  const { tasks, book, log, faults, clock, conduct } = services;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all(away);
    const ended = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await ended;
    await tasks.close();
    await journal.close();
    await lock.release();
  };
  void lock.lost.then(() => (closed ??= close()));
  return {
    url: origin,
    lost: lock.lost,
    get key() {
      return services.key;
    },
    clock,
    faults,
    conduct,
    get balance() {
      return book.ledger.balance;
    },
    get openHolds() {
      return book.ledger.openHolds;
    },
    get requests() {
      return log.requests;
    },
    get refused() {
      return log.refused;
    },
    get connections() {
      return lines.open;
    },
    flushed: () => book.flushed(),
    close: () => (closed ??= close()),
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, running: Listening): Promise<void> {
  const { services, lines, underWay } = running;
  const { log, clock } = services;
  const requestId = `req_${randomUUID()}`;
  const begun = performance.now();
  response.setHeader("x-request-id", requestId);
  const url = readUrl(request);
  // A client that goes away in the middle is no news.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  const admit = (): AbortSignal => {
    // Not `AbortSignal.any` with the gateway's own: that keeps a little of each request for as long as the gateway runs.
    const ended = new AbortController();
    underWay.add(ended);
    lines.markKnown(request.socket);
    log.add({ at: clock.now(), method: request.method ?? "", path: shownPath(url), requestId });
    response.on("close", () => {
      underWay.delete(ended);
      ended.abort();
      log.note(requestId, {
        ms: Math.round(performance.now() - begun),
        ...(response.headersSent ? { status: response.statusCode } : {}),
        ...(response.writableFinished ? {} : { aborted: true }),
      });
    });
    return ended.signal;
  };
  await handleRequest({ request, response, url, requestId, admit }, services);
}

/** Only the path and the query count; whatever else a request line may hold stays a path. */
function readUrl(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  const base = "http://127.0.0.1";
  return URL.canParse(base + path) ? new URL(base + path) : new URL(base);
}

/** Frees the port and takes it again after the wait; when the gateway ends meanwhile it stays free. */
async function interrupt(server: Server, wait: () => Promise<void>): Promise<void> {
  const address = server.address();
  if (typeof address !== "object" || address === null) return;
  const ended = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await ended;
  for (let isBack = false; !isBack;) {
    try {
      await wait();
    } catch (error) {
      if (isAbort(error)) return;
      throw error;
    }
    // Somebody else may sit on the port now; whoever knew the old address can only be waited for.
    isBack = await listenOn(server, address.port).then(
      () => true,
      () => false,
    );
  }
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
