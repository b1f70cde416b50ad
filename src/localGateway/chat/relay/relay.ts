/** The models of other programs on this machine, as of the last probe: at the start and when models are listed. */
import { findModel, type LocalModel } from "../../demo/models";
import { type Backend, probeBackends, type RelayPorts } from "./probe";

export interface RelayedModel {
  readonly model: LocalModel;
  readonly backend: Pick<Backend, "name" | "port">;
}

export class Relay {
  readonly #ports: RelayPorts;
  #models: readonly RelayedModel[] = [];
  #probing: Promise<readonly RelayedModel[]> | undefined;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  get models(): readonly RelayedModel[] {
    return this.#models;
  }

  find(id: string): RelayedModel | undefined {
    return this.#models.find(({ model }) => model.id === id);
  }

  /** Probes again; concurrent calls share one probe. Never rejects. */
  probe(): Promise<readonly RelayedModel[]> {
    this.#probing ??= this.#look().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  async #look(): Promise<readonly RelayedModel[]> {
    const backends = await probeBackends(this.#ports);
    const models = new Map<string, RelayedModel>();
    for (const backend of backends) {
      for (const id of backend.models) {
        // One model per name: our own first, then the first program that lists it.
        if (findModel(id) === undefined && !models.has(id)) models.set(id, { model: describe(id, backend), backend });
      }
    }
    this.#models = [...models.values()];
    return this.#models;
  }
}

function describe(id: string, { name }: Backend): LocalModel {
  return { id, capabilities: { family: "chat-completions", streaming: true, note: `local: ${name}` } };
}
