/** The models of the gateway that is connected, and which one the chat speaks to. */
import type { Disposable } from "../base/disposable";
import { Store } from "../base/store";
import { type GatewayError, toGatewayError } from "../domain/errors";
import type { Connections, Log, Model } from "../domain/ports";

export interface Models {
  readonly list: readonly Model[];
  /** What the next prompt goes to. */
  readonly chat?: Model;
  /** Why the list is empty; a model can be typed in all the same. */
  readonly error?: GatewayError;
}

export interface ModelPorts {
  readonly connections: Connections;
  readonly log: Log;
  /** What was chosen for an origin last time, kept between sessions. */
  readonly remembered: { read(origin: string): string | undefined; write(origin: string, model: string): void };
}

export class ModelCatalog implements Disposable {
  readonly models = new Store<Models>({ list: [] });
  readonly #ports: ModelPorts;
  readonly #registration: Disposable;

  constructor(ports: ModelPorts) {
    this.#ports = ports;
    this.#registration = ports.connections.current.onDidChange(() => void this.load());
  }

  /** Never rejects: without a list, what was chosen last is still there. */
  async load(): Promise<void> {
    const { connections, log } = this.#ports;
    const connection = connections.current.current;
    if (connection.state !== "ready") {
      this.models.set({ list: [] });
      return;
    }
    const read = await connection.gateway.listModels().then(
      (list) => ({ list }),
      (failure: unknown) => ({ list: [], error: toGatewayError(failure) }),
    );
    if (connections.current.current !== connection) return;
    if ("error" in read)
      log.warn("The models could not be listed.", { kind: read.error.kind, status: read.error.status });
    const chosen = this.#ports.remembered.read(connection.home.origin);
    const chat = chosen === undefined ? read.list.find(isChatModel) : this.#find(read.list, chosen);
    this.models.set({ ...read, ...(chat === undefined ? {} : { chat }) });
  }

  /** Any id can be chosen, listed or not. */
  choose(id: string): void {
    const connection = this.#ports.connections.current.current;
    if (connection.state === "ready") this.#ports.remembered.write(connection.home.origin, id);
    this.models.update((models) => ({ ...models, chat: this.#find(models.list, id) }));
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #find(list: readonly Model[], id: string): Model {
    return list.find((model) => model.id === id) ?? { id, family: "chat-completions" };
  }
}

/** A model with task types of its own is for tasks. */
export function isChatModel(model: Model): boolean {
  return model.taskTypes === undefined || model.taskTypes.length === 0;
}
