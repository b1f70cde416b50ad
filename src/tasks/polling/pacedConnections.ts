/** The gateways of tasks, each request of which keeps to the pace of its account: for the outbox, cancels, events and results. */
import { Emitter } from "../../base/event";
import type { Connections } from "../../domain/ports";
import { homeMark } from "../../domain/task/sameHome";
import type { TaskHome } from "../../domain/task/task";
import { AccountPace, type PacePorts, type Pause } from "./accountPace";

/** The paces of all accounts that are known to this window. */
export class AccountPaces {
  readonly #ports: PacePorts;
  readonly #changed = new Emitter<void>();
  readonly #paused = new Emitter<Pause & { readonly account: string }>();
  readonly #paces = new Map<string, AccountPace>();

  constructor(ports: PacePorts) {
    this.#ports = ports;
  }

  readonly onDidChange = this.#changed.event;
  /** A service has asked this window for a pause. */
  readonly onDidPause = this.#paused.event;

  get all(): ReadonlyMap<string, AccountPace> {
    return this.#paces;
  }

  of(home: TaskHome): AccountPace {
    return this.named(homeMark(home));
  }

  named(account: string): AccountPace {
    let pace = this.#paces.get(account);
    if (!pace) {
      this.#paces.set(account, (pace = new AccountPace(this.#ports)));
      pace.onDidChange(() => this.#changed.fire());
      pace.onDidPause((pause) => this.#paused.fire({ ...pause, account }));
    }
    return pace;
  }
}

/** Awaited before requests. */
export interface RequestHooks {
  /** While another window polls, that one may just have read the task. */
  readonly beforeRead: (signal: AbortSignal | undefined) => Promise<void>;
  /** Other windows may have been asked for a pause. */
  readonly beforeCancel: () => Promise<void>;
}

export function paceConnections(
  connections: Connections,
  paces: AccountPaces,
  { beforeRead, beforeCancel }: RequestHooks,
): Connections {
  return {
    current: connections.current,
    ready: (signal) => connections.ready(signal),
    async find(home) {
      const gateway = await connections.find(home);
      const pace = paces.of(home);
      return {
        ...gateway,
        async getTask(taskId, signal) {
          await beforeRead(signal);
          return pace.readSoon(taskId, () => gateway.getTask(taskId, signal), signal);
        },
        listTaskEvents: (taskId, page, signal) =>
          pace.request(() => gateway.listTaskEvents(taskId, page, signal), signal),
        createTask: (body, signal) => pace.unscheduled(() => gateway.createTask(body, signal)),
        async cancelTask(taskId, reason, signal) {
          await beforeCancel();
          return pace.request(() => gateway.cancelTask(taskId, reason, signal), signal);
        },
      };
    },
  };
}
