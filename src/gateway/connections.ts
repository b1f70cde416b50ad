/** Connects to the gateway of the settings with the key of its origin, and to the gateways of earlier tasks (C1, C2). */
import { createHash } from "node:crypto";
import { abortable } from "../base/abort";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { readOrigin } from "../domain/address";
import { GatewayFailure, toGatewayError } from "../domain/errors";
import type { Connection, Connections, Gateway, Log, ReadyConnection } from "../domain/ports";
import type { TaskHome } from "../domain/task";

/** The origin of the local gateway in a task's home. */
const localOrigin = "local";

export interface ConnectionPorts {
  /** The setting; empty means the local gateway. */
  readonly baseUrl: ReadonlyStore<string>;
  readonly keys: {
    /** One key per origin. */
    read(origin: string): Promise<string | undefined>;
    /** Fires with the origin, also for a change in another window. */
    readonly onDidChange: Event<string>;
  };
  readonly local: {
    /** Starts it unless it is running; concurrent calls share one promise. Rejects when it can't start. */
    start(): Promise<{ readonly url: string; readonly key: string }>;
    readonly onDidExit: Event<void>;
  };
  /** A promise where the gateway's code is loaded with the first connection. */
  readonly connect: (endpoint: { readonly baseUrl: string; readonly key: string }) => Gateway | Promise<Gateway>;
  readonly log: Log;
}

export class GatewayConnections implements Connections, Disposable {
  readonly current = new Store<Connection>({ state: "starting" });
  readonly #ports: ConnectionPorts;
  readonly #registrations = new DisposableStore();
  /** By base URL and account: a gateway keeps its connections open between requests. */
  readonly #gateways = new Map<string, Gateway | Promise<Gateway>>();
  #attempt = 0;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#registrations.add(
      ports.baseUrl.onDidChange(() => {
        // From now on nothing is sent to the previous gateway.
        this.current.set({ state: "starting" });
        void this.refresh();
      }),
    );
    this.#registrations.add(ports.keys.onDidChange(() => void this.refresh()));
    this.#registrations.add(ports.local.onDidExit(() => void this.refresh()));
  }

  /** Connects to the gateway of the current settings. Never rejects: a failure becomes the state. */
  async refresh(): Promise<void> {
    const attempt = ++this.#attempt;
    const connection = await this.#open().catch((failure: unknown): Connection => ({
      state: "failed",
      error: toGatewayError(failure),
    }));
    // A newer attempt replaces this one.
    if (attempt !== this.#attempt || sameConnection(this.current.current, connection)) return;
    this.#ports.log.info("Connection changed.", { state: connection.state });
    this.current.set(connection);
  }

  async ready(signal?: AbortSignal): Promise<ReadyConnection> {
    for (;;) {
      const connection = this.current.current;
      switch (connection.state) {
        case "ready":
          return connection;
        case "failed":
          throw new GatewayFailure(connection.error);
        case "signed-out":
          throw new GatewayFailure({ kind: "signed-out", message: "No key is set.", notSent: true });
        case "starting":
          await nextChange(this.current, signal);
      }
    }
  }

  async find(home: TaskHome): Promise<Gateway> {
    const { keys, local } = this.#ports;
    if (home.origin === localOrigin) {
      const { url, key } = await local.start().catch((failure: unknown) => {
        throw localFailure(failure);
      });
      return this.#gateway(url, key);
    }
    // A home is read from a file: its address might belong to another origin than the key.
    if (!isOfOrigin(home)) {
      throw new GatewayFailure({
        kind: "unreachable",
        message: `The address that is stored with this task is not one of ${home.origin}, so nothing was sent there.`,
        notSent: true,
      });
    }
    const key = await keys.read(home.origin);
    if (key === undefined || fingerprint(key) !== home.account) {
      throw new GatewayFailure({
        kind: "signed-out",
        message: `The key of the account that this task belongs to is not set for ${home.origin}.`,
        notSent: true,
      });
    }
    return this.#gateway(home.baseUrl, key);
  }

  dispose(): void {
    this.#attempt += 1;
    this.#registrations.dispose();
    for (const gateway of this.#gateways.values()) close(gateway).catch(() => undefined);
    this.#gateways.clear();
  }

  async #open(): Promise<Connection> {
    const { baseUrl, keys, local } = this.#ports;
    const wanted = baseUrl.current.trim();
    if (wanted === "") {
      const { url, key } = await local.start().catch((failure: unknown) => {
        throw localFailure(failure);
      });
      const home = { origin: localOrigin, baseUrl: url, account: fingerprint(key) };
      return { state: "ready", home, gateway: await this.#gateway(url, key), local: true };
    }
    const origin = readOrigin(wanted);
    const key = await keys.read(origin);
    if (key === undefined) return { state: "signed-out", origin, baseUrl: wanted };
    const home = { origin, baseUrl: wanted, account: fingerprint(key) };
    return { state: "ready", home, gateway: await this.#gateway(wanted, key), local: false };
  }

  #gateway(baseUrl: string, key: string): Gateway | Promise<Gateway> {
    const name = `${baseUrl} ${fingerprint(key)}`;
    let gateway = this.#gateways.get(name);
    if (!gateway) this.#gateways.set(name, (gateway = this.#ports.connect({ baseUrl, key })));
    // The next attempt loads it again.
    if (gateway instanceof Promise) gateway.catch(() => this.#gateways.delete(name));
    return gateway;
  }
}

async function close(gateway: Gateway | Promise<Gateway>): Promise<void> {
  await (await gateway).close();
}

function isOfOrigin({ baseUrl, origin }: TaskHome): boolean {
  try {
    return readOrigin(baseUrl) === origin;
  } catch (failure) {
    if (failure instanceof GatewayFailure) return false;
    throw failure;
  }
}

/** Differs for each key and does not reveal it. */
function fingerprint(key: string): string {
  return createHash("sha256").update(`sluice account ${key}`).digest("hex").slice(0, 16);
}

function nextChange(store: ReadonlyStore<Connection>, signal: AbortSignal | undefined): Promise<void> {
  let listening: Disposable | undefined;
  const changed = new Promise<void>((resolve) => (listening = store.onDidChange(() => resolve())));
  const settled = signal === undefined ? changed : abortable(changed, signal);
  return settled.finally(() => listening?.dispose());
}

function localFailure(failure: unknown): GatewayFailure {
  const message = failure instanceof Error ? failure.message : String(failure);
  return new GatewayFailure({
    kind: "unreachable",
    message: `The local gateway did not start: ${message}`,
    notSent: true,
  });
}

function sameConnection(before: Connection, now: Connection): boolean {
  if (before.state === "ready" && now.state === "ready") {
    return before.gateway === now.gateway && before.home.origin === now.home.origin;
  }
  return before.state === "signed-out" && now.state === "signed-out" && before.origin === now.origin;
}
