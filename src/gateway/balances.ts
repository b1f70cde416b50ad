/** The balance at the gateway in use (T18): read after an answer, after the end of a task, and while a page shows it. */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposable";
import { Store } from "../base/store";
import { isAbort } from "../base/async/abort";
import type { SettingsReader } from "../domain/environment";
import type { Connection, Connections, Log, ReadyConnection, StatedBalance } from "../domain/ports";
import type { Price } from "../domain/prices/priceList";
import type { TaskHome } from "../domain/task/task";
import { type BalanceSetting, readBalanceSetting } from "../domain/task/priceSetting";

export interface BalanceOptions {
  readonly connections: Pick<Connections, "current">;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the balances that the windows share. It is loaded with the first read, because most gateways state no balance. */
  readonly openBudget: () => Promise<BalanceBudget>;
}

/** Lets only one window at a time read a balance, and gives the result to the others. */
export interface BalanceBudget {
  /**
   * Calls `read` unless a window has read the balance since `since`, or is reading it. Resolves with the last balance and its time; `undefined`
   * where there is none.
   */
  share(
    key: readonly string[],
    range: { readonly since: number; readonly now: number },
    read: () => Promise<StatedBalance>,
  ): Promise<SharedBalance | undefined>;
}

/** The last balance that a window has read. */
export interface SharedBalance extends StatedBalance {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The first total by the same path that no later one was lower than: spending is compared from there on. */
  readonly first?: TotalAt;
}

interface TotalAt {
  readonly at: number;
  readonly amount: number;
}

/** What the gateway in use has counted as spent since a moment (T18). */
export interface SpentSince extends Pick<Price, "amount" | "currency"> {
  readonly home: TaskHome;
  /** Milliseconds since 1970. */
  readonly since: number;
}

interface AskedGateway {
  readonly connection: ReadyConnection;
  readonly own: BalanceSetting | undefined;
}

/** Milliseconds. */
const interval = 60_000;

export class Balances implements Disposable {
  /** One balance for each currency; empty when it is not known. */
  readonly current = new Store<readonly Price[]>([]);
  /** Missing where the gateway states no total. It is set before `current`. */
  #spent: SpentSince | undefined;
  readonly #options: BalanceOptions;
  readonly #ending = new AbortController();
  /** Aborts when another gateway is in use, whose balance would not be read while this one's waits for the end of its minute. */
  #leaving = new AbortController();
  readonly #listening: Disposable;
  #budget: Promise<BalanceBudget> | undefined;
  #isReading = false;
  /** The time of the last `refresh`: a read that began earlier may lack later changes, so another one follows. */
  #wantedAt = 0;

  constructor(options: BalanceOptions) {
    this.#options = options;
    this.#listening = options.connections.current.onDidChange(() => {
      this.#leaving.abort();
      this.#leaving = new AbortController();
      this.#isReading = false;
      this.#show(undefined);
    });
  }

  get spent(): SpentSince | undefined {
    return this.#spent;
  }

  #show(spent: SpentSince | undefined, left: readonly Price[] = []): void {
    this.#spent = spent;
    this.current.set(left);
  }

  /** Starts a read, because the balance may have changed or is shown. Returns before anything was read; failures are only logged. */
  refresh(): void {
    const found = this.#find();
    if (found === undefined) return;
    this.#wantedAt = this.#options.clock.now();
    if (this.#isReading) return;
    this.#isReading = true;
    const leaving = this.#leaving;
    void this.#read(found, leaving.signal)
      .catch((failure: unknown) => {
        if (!isAbort(failure)) this.#options.log.info("The balance was not read.", { reason: String(failure) });
      })
      .finally(() => {
        if (leaving === this.#leaving) this.#isReading = false;
      });
  }

  dispose(): void {
    this.#ending.abort();
    this.#leaving.abort();
    this.#listening.dispose();
  }

  /** `undefined` unless the gateway is known to state a balance. The local gateway is left out, because nothing is paid there. */
  #find(): AskedGateway | undefined {
    const connection = this.#options.connections.current.current;
    if (connection.state !== "ready" || connection.local) return undefined;
    const own = readBalanceSetting(this.#options.settings.get("prices"), connection.home.origin);
    return own === undefined && !connection.gateway.amounts.hasBalance ? undefined : { connection, own };
  }

  async #read({ connection, own }: AskedGateway, leaving: AbortSignal): Promise<void> {
    const { clock, openBudget } = this.#options;
    this.#budget ??= openBudget();
    const budget = await this.#budget;
    const { origin, account } = connection.home;
    // Most gateways state the total of the key, so those of two keys of one account can't be compared.
    const key = [origin, account, connection.keyId, ...(own === undefined ? [] : [own.path, own.field])];
    const read = async (): Promise<StatedBalance> =>
      (await connection.gateway.readBalance(own, this.#ending.signal)) ?? { left: [] };
    while (this.#isInUse(connection)) {
      const now = clock.now();
      const shared = await budget.share(key, { since: now - interval, now }, read);
      if (!this.#isInUse(connection)) return;
      if (shared !== undefined) this.#show(spentSince(connection.home, shared), shared.left);
      if (shared !== undefined && shared.at >= this.#wantedAt) return;
      // Another window is reading, or the minute after the last read is not over.
      await clock.delay(Math.max(1000, (shared?.at ?? now) + interval - clock.now()), leaving);
    }
  }

  #isInUse(connection: Connection): boolean {
    return this.#options.connections.current.current === connection;
  }
}

function spentSince(home: TaskHome, { spent, first }: SharedBalance): SpentSince | undefined {
  if (spent === undefined || first === undefined) return undefined;
  return { home, since: first.at, amount: spent.amount - first.amount, currency: spent.currency };
}
