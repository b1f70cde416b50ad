/**
 * Connects to the gateway of the settings with the key of its origin, and to the gateways of earlier tasks; `KeyAccounts` finds the account of each
 * key (C1, C2).
 */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { abortable } from "../base/async/abort";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { shortAccount, type AccountsOfKeys, type OriginAccounts } from "../domain/gateway/account";
import { localOrigin, readOrigin } from "../domain/gateway/address";
import { AppFailure, toAppError } from "../domain/errors/appError";
import type { Connection, Connections, Gateway, Log, ReadyConnection } from "../domain/ports";
import type { TaskHome } from "../domain/task/task";

export interface ConnectionOptions {
  /** The setting; empty means the local gateway. */
  readonly baseUrl: ReadonlyStore<string>;
  readonly keys: {
    /** One key per origin. */
    read(origin: string): Promise<string | undefined>;
    /** Fires with the origin, also for a change in another window. */
    readonly onDidChange: Event<string>;
  };
  readonly accounts: KeyAccounts;
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
  readonly #options: ConnectionOptions;
  readonly #registrations = new DisposableStore();
  /** The gateways by base URL and account. They are kept, because a gateway keeps its connections open between requests. */
  readonly #gateways = new Map<string, Promise<Gateway>>();
  #attempt = 0;
  /** Whether the next connection fires even if it is the same. It outlives its attempt, which a later one may replace. */
  #firesAlways = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#registrations.add(
      options.baseUrl.onDidChange(() => {
        // The state changes at once, so that nothing more is sent to the previous gateway.
        this.current.set({ state: "starting" });
        void this.refresh();
      }),
    );
    // A stored key is tried, even if it is the same one again: the gateway may accept it by now.
    this.#registrations.add(options.keys.onDidChange(() => void this.refresh({ always: true })));
    this.#registrations.add(options.local.onDidExit(() => void this.refresh()));
  }

  /** Connects to the gateway of the current settings. Never rejects: a failure becomes the state. `always`: also fires when it is the same. */
  async refresh({ always = false } = {}): Promise<void> {
    const attempt = ++this.#attempt;
    this.#firesAlways ||= always;
    const connection = await this.#open().catch((failure: unknown): Connection => ({
      state: "failed",
      error: toAppError(failure),
    }));
    // A newer attempt replaces this one.
    if (attempt !== this.#attempt || (!this.#firesAlways && sameConnection(this.current.current, connection))) return;
    this.#firesAlways = false;
    this.#options.log.info("Connection changed.", { state: connection.state });
    this.current.set(connection);
  }

  async ready(signal?: AbortSignal): Promise<ReadyConnection> {
    for (;;) {
      const connection = this.current.current;
      switch (connection.state) {
        case "ready":
          return connection;
        case "failed":
          throw new AppFailure(connection.error);
        case "signed-out":
          throw new AppFailure({ kind: "signed-out", message: "No key is set.", notSent: true });
        case "starting":
          await nextChange(this.current, signal);
      }
    }
  }

  async local(): Promise<ReadyConnection> {
    const { url, key } = await this.#options.local.start().catch((failure: unknown) => {
      throw localFailure(failure);
    });
    const keyId = fingerprintOf(key);
    const home = { origin: localOrigin, baseUrl: url, account: keyId };
    return { state: "ready", home, keyId, gateway: await this.#gateway(url, key), local: true };
  }

  async find(home: TaskHome): Promise<Gateway> {
    const { keys } = this.#options;
    if (home.origin === localOrigin) return (await this.local()).gateway;
    // A home is read from a file: its address might belong to another origin than the key.
    if (!isOfOrigin(home)) {
      throw new AppFailure({
        kind: "unreachable",
        message: `The address that is stored with this task is not one of ${home.origin}, so nothing was sent there.`,
        notSent: true,
      });
    }
    const [key, accounts] = await Promise.all([keys.read(home.origin), this.#options.accounts.at(home.origin)]);
    const account = accounts.resolve(home.account);
    if (key === undefined) throw missingKey(account, home.origin, "no-key");
    if (accounts.ofKey(key) !== account) throw missingKey(account, home.origin, "other-account");
    return this.#gateway(home.baseUrl, key);
  }

  dispose(): void {
    this.#attempt += 1;
    this.#registrations.dispose();
    for (const gateway of this.#gateways.values()) close(gateway).catch(() => undefined);
    this.#gateways.clear();
  }

  async #open(): Promise<Connection> {
    const { baseUrl, keys } = this.#options;
    const wanted = baseUrl.current.trim();
    if (wanted === "") return this.local();
    const origin = readOrigin(wanted);
    const [key, accounts] = await Promise.all([keys.read(origin), this.#options.accounts.at(origin)]);
    if (key === undefined) return { state: "signed-out", origin, baseUrl: wanted };
    const home = { origin, baseUrl: wanted, account: accounts.ofKey(key) };
    const keyId = fingerprintOf(key);
    return { state: "ready", home, keyId, gateway: await this.#gateway(wanted, key), local: false };
  }

  #gateway(baseUrl: string, key: string): Promise<Gateway> {
    const name = `${baseUrl} ${fingerprintOf(key)}`;
    const known = this.#gateways.get(name);
    if (known) return known;
    const gateway = (async () => this.#options.connect({ baseUrl, key }))();
    this.#gateways.set(name, gateway);
    // The next attempt loads it again.
    gateway.catch(() => this.#gateways.delete(name));
    return gateway;
  }
}

async function close(gateway: Promise<Gateway>): Promise<void> {
  await (await gateway).close();
}

function isOfOrigin({ baseUrl, origin }: TaskHome): boolean {
  try {
    return readOrigin(baseUrl) === origin;
  } catch (failure) {
    if (failure instanceof AppFailure) return false;
    throw failure;
  }
}

/** The message is the short name of the account, as the question about a replaced key has it. */
function missingKey(account: string, origin: string, code: "no-key" | "other-account"): AppFailure {
  const message = `${shortAccount(account)}, ${origin}`;
  return new AppFailure({ kind: "signed-out", code, message, notSent: true });
}

function nextChange(store: ReadonlyStore<Connection>, signal: AbortSignal | undefined): Promise<void> {
  let listening: Disposable | undefined;
  const changed = new Promise<void>((resolve) => (listening = store.onDidChange(() => resolve())));
  const ready = signal === undefined ? changed : abortable(changed, signal);
  return ready.finally(() => listening?.dispose());
}

function localFailure(failure: unknown): AppFailure {
  const message = failure instanceof Error ? failure.message : String(failure);
  return new AppFailure({
    kind: "unreachable",
    message: `The local gateway did not start: ${message}`,
    notSent: true,
  });
}

function sameConnection(before: Connection, now: Connection): boolean {
  if (before.state === "ready" && now.state === "ready") {
    const isSameAccount = before.home.account === now.home.account;
    return before.gateway === now.gateway && before.home.origin === now.home.origin && isSameAccount;
  }
  return before.state === "signed-out" && now.state === "signed-out" && before.origin === now.origin;
}

// Finds the account of a key (C2). An account has the fingerprint of its first key as its id, and keeps it when the key is replaced.

interface AccountMemory {
  /** Reads the memory of an origin, which another window may have written. */
  read(origin: string): Promise<unknown>;
  write(origin: string, memory: unknown): Promise<void>;
}

/** Account ids by the fingerprint of a key. A key without an entry is the first one of its account. */
const memorySchema = z.record(z.string(), z.string());

/** An id that differs for each key and does not reveal it. */
function fingerprintOf(key: string): string {
  return createHash("sha256").update(`sluice account ${key}`).digest("hex").slice(0, 16);
}

export class KeyAccounts implements AccountsOfKeys {
  readonly #memory: AccountMemory;

  constructor(memory: AccountMemory) {
    this.#memory = memory;
  }

  async at(origin: string): Promise<OriginAccounts> {
    const ids = await this.#read(origin);
    const resolve = (account: string): string => ids.get(account) ?? account;
    return {
      ofKey: (key) => resolve(fingerprintOf(key)),
      resolve,
      isAssigned: (key) => ids.has(fingerprintOf(key)),
    };
  }

  async assign(origin: string, key: string, account: string | undefined): Promise<void> {
    const ids = await this.#read(origin);
    const fingerprint = fingerprintOf(key);
    const id = account === undefined ? fingerprint : (ids.get(account) ?? account);
    // Keys that were assigned to this key's own account get its new account, so that `resolve` needs one step.
    const moved = [...ids].map(([one, of]) => [one, of === fingerprint ? id : of] as const);
    await this.#memory.write(origin, Object.fromEntries([...moved, [fingerprint, id]]));
  }

  async #read(origin: string): Promise<ReadonlyMap<string, string>> {
    const read = memorySchema.safeParse(await this.#memory.read(origin));
    return new Map(read.success ? Object.entries(read.data) : []);
  }
}
