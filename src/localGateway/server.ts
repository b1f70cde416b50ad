/** Starts and stops the local gateway: one HTTP server on 127.0.0.1 with a key, a state folder and a clock. */
import type { Server } from "node:http";
import type { Clock } from "../base/clock";
import { systemClock } from "../base/async/systemClock";
import type { OpenNative } from "../base/database/runtime";
import { definedFields } from "../base/definedFields";
import { type ConnectionLimits, createLimitedServer, type OpenConnections } from "../base/limitedServer";
import { PromptCache, StoredResponses } from "./chat/chatServices";
import { type RelayPorts, usualPorts, Relay } from "./chat/relay";
import { ClientReport, OneTimeLinks } from "./clientReport";
import { BodyTurns } from "./http/requestContext";
import { KeyRing } from "./http/keyRing";
import { PortListener } from "./http/portListener";
import { RequestIntake } from "./http/router";
import { RequestLog, type SeenRequest } from "./http/requestLog";
import { type Account, listAccounts, prepareAccounts } from "./ledger";
import { Charges } from "./charges";
import { type Balance, mainAccount, type StateDatabase, StateUnusable } from "./state/stateDatabase";
import { routes } from "./routes";
import type { GatewayFaults, Services } from "./services";
import { createKey, deriveSecrets, type Identity, loadIdentity, saveIdentity } from "./state/identity";
import { openState } from "./tasks/gatewayTask";
import type { FileLock } from "../base/database/fileLock";
import { lockState } from "./state/stateLock";
import { type DialectName, dialectOf } from "./demo/spokenDialects";
import { AssetLinks } from "./tasks/resultFiles";
import { TaskEngine } from "./tasks/taskEngine";
import { TaskTypeNames } from "./tasks/taskTypeNames";

export interface StartLocalGatewayOptions {
  /** The folder of key, port, tasks and ledger. The start rejects with `StateInUse` while another gateway uses it, and with `StateUnusable`. */
  readonly stateDir: string;
  /** 0 or missing: the last port if it is free, else any. The start rejects with the system's `EADDRINUSE` if a wanted port is taken. */
  readonly port?: number;
  readonly key?: string;
  /** The clock of tasks, links and the pace of answers. One that can be moved also follows `POST /_local/clock`. */
  readonly clock?: Clock;
  /** Another seed gives other durations, usages, pictures and wordings. */
  readonly seed?: number;
  /** Tasks and answers take 1/speed of their time. */
  readonly speed?: number;
  /** The speed of the built-in model; with `Infinity` the answer is sent at once. */
  readonly tokensPerSecond?: number;
  readonly firstTokenMs?: number;
  /** The value of `task_type` for stylized images; empty for the default. */
  readonly stylizedImageWord?: () => string;
  /** The gateway in whose form costs, prices and the balance are stated; when missing, no response holds an amount. */
  readonly dialect?: DialectName;
  /** Names of further accounts; each is created unless it exists. */
  readonly accounts?: readonly string[];
  /** The task types that are off for the main account; when missing, those that were off before. */
  readonly typesOff?: readonly string[];
  /** Minor units that are paid in at the first start. */
  readonly deposit?: number;
  /** Faults for testing a client; when missing, the gateway has no faults and no endpoint to arm them. */
  readonly injectedFaults?: GatewayFaults;
  /** Missing limits have their defaults. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Whether the models of a running Ollama, LM Studio or llama.cpp on this machine are offered too; ports are only for tests. */
  readonly relay?: boolean | RelayPorts;
  /** Called with the new path of a damaged database, which was replaced by an empty one. */
  readonly onSetAside?: (file: string) => void;
  /** Opens the database; only for tests. */
  readonly openNative?: OpenNative;
}

export interface LocalGateway {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly clock: Clock;
  /** The balance after the last committed change. */
  readonly balance: Balance;
  readonly openHolds: number;
  /** Oldest first; the last 2,000. */
  readonly requests: readonly SeenRequest[];
  /** Number of requests without the key or from a page of another site. */
  readonly refused: number;
  /** Number of open connections. */
  readonly connections: number;
  readonly clientReport: ClientReport;
  /** Resolves when every change of tasks and money that was begun is on disk. */
  flushed(): Promise<void>;
  /** Aborts running answers, completes writes, frees the port. */
  close(): Promise<void>;
}

export async function startLocalGateway(options: StartLocalGatewayOptions): Promise<LocalGateway> {
  const { stateDir } = options;
  // The identity is written before the lock, because a process that finds the folder locked reads key and port of its owner from it.
  await loadIdentity(stateDir).catch((error: unknown) => {
    throw StateUnusable.from(stateDir, error);
  });
  const lock = await lockState(stateDir, () => loadIdentity(stateDir));
  let state: StateDatabase | undefined;
  try {
    const { clock = systemClock, deposit = 100_000 } = options;
    const identity = await loadIdentity(stateDir, options.key);
    const { openNative, onSetAside } = options;
    state = await openState({ stateDir, clock, deposit, ...definedFields({ openNative, onSetAside }) });
    const charges = await Charges.open(state, clock);
    const typeNames = new TaskTypeNames(options.stylizedImageWord ?? (() => ""));
    const { accounts: wanted = [], typesOff } = options;
    const off = typesOff?.map((name) => typeNames.typeOf(name, "--task-type-off"));
    const accounts = await state.change((connection) => {
      prepareAccounts(connection, clock.now(), { wanted, ...definedFields({ off }) });
      return listAccounts(connection);
    });
    return await RunningGateway.start(options, { clock, identity, lock, state, charges, accounts, typeNames });
  } catch (error) {
    await state?.close();
    lock.release();
    throw error;
  }
}

interface OpenedState {
  readonly clock: Clock;
  readonly identity: Identity;
  readonly lock: FileLock;
  readonly state: StateDatabase;
  readonly charges: Charges;
  readonly accounts: readonly Account[];
  readonly typeNames: TaskTypeNames;
}

class RunningGateway implements LocalGateway {
  readonly #closing: AbortController;
  readonly #connections: OpenConnections;
  readonly #lock: FileLock;
  readonly #services: Services;
  #closed: Promise<void> | undefined;

  private constructor(
    options: StartLocalGatewayOptions,
    server: Server,
    connections: OpenConnections,
    opened: OpenedState,
  ) {
    this.#closing = new AbortController();
    this.#connections = connections;
    this.#lock = opened.lock;
    const listener = new PortListener(server, opened.clock, this.#closing.signal);
    this.#services = createServices(options, opened, { listener, closing: this.#closing.signal });
    const intake = new RequestIntake(
      this.#services,
      [...routes, ...(options.injectedFaults?.routes ?? [])],
      connections,
    );
    server.on("request", (request, response) => void intake.accept(request, response));
  }

  /** When it rejects, it does not release the state and the lock, which belong to the caller until it has resolved. */
  static async start(options: StartLocalGatewayOptions, opened: OpenedState): Promise<RunningGateway> {
    const { server, connections } = createLimitedServer(options.limits);
    const gateway = new RunningGateway(options, server, connections, opened);
    const { relay, listener, tasks, keys } = gateway.#services;
    const { port: last } = opened.identity;
    const { stateDir, port: wanted = 0 } = options;
    try {
      await relay?.probe();
      await listener.listen(wanted, last);
      const { port } = listener;
      // Clients send their key to the last port, and another program listens there now. A key that was given is kept: the caller chose it.
      const isTaken = wanted === 0 && last !== undefined && last !== port;
      if (isTaken && options.key === undefined) keys.replace(createKey(), mainAccount);
      if (last !== port) await saveIdentity(stateDir, { ...opened.identity, key: keys.current, port });
    } catch (error) {
      await tasks.close();
      throw error;
    }
    return gateway;
  }

  get url(): string {
    return this.#services.listener.origin;
  }

  get key(): string {
    return this.#services.keys.current;
  }

  get clock(): Clock {
    return this.#services.clock;
  }

  get balance(): Balance {
    return this.#services.state.balance;
  }

  get openHolds(): number {
    return this.#services.state.openHolds;
  }

  get requests(): readonly SeenRequest[] {
    return this.#services.log.requests;
  }

  get refused(): number {
    return this.#services.log.refused;
  }

  get connections(): number {
    return this.#connections.open;
  }

  get clientReport(): ClientReport {
    return this.#services.clientReport;
  }

  flushed(): Promise<void> {
    return this.#services.state.flushed();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { listener, tasks, state } = this.#services;
    this.#closing.abort();
    await listener.close();
    await tasks.close();
    await state.close();
    this.#lock.release();
  }
}

function createServices(
  options: StartLocalGatewayOptions,
  { clock, identity, state, charges, accounts, typeNames }: OpenedState,
  running: Pick<Services, "listener" | "closing">,
): Services {
  const { seed = 1, speed = 1, tokensPerSecond = 60, firstTokenMs = 250, relay = false } = options;
  const dialect = dialectOf(options.dialect);
  const secrets = deriveSecrets(identity);
  const keys = new KeyRing(identity.key);
  for (const { id, key } of accounts) if (key !== undefined) keys.add(key, id);
  return {
    ...running,
    keys,
    secrets,
    clock,
    seed,
    pace: { tokensPerSecond: tokensPerSecond * speed, firstTokenMs: firstTokenMs / speed },
    state,
    tasks: new TaskEngine({ state, clock, speed, nameOf: (type) => typeNames.nameOf(type) }),
    typeNames,
    dialect,
    moreHeaders: dialect.headers,
    bodyTurns: new BodyTurns(),
    charges,
    prompts: new PromptCache(clock),
    responses: new StoredResponses(),
    ...definedFields({ relay: relay === false ? undefined : new Relay(relay === true ? usualPorts : relay) }),
    ...definedFields({ injectedFaults: options.injectedFaults }),
    assets: new AssetLinks({ secret: secrets.assetLinks, clock, origin: () => running.listener.origin }),
    log: new RequestLog(),
    clientReport: new ClientReport(clock),
    pageLinks: new OneTimeLinks(clock),
  };
}
