/** The models of other programs on this machine, as of the last probe: at the start and when models are listed. */
import { findModel, type LocalModel } from "../../demo/models";
import { definedFields } from "../../../base/definedFields";
import type { ModelFacts } from "./modelFacts";
import { type Backend, probeBackends, type RelayPorts } from "./probe";

export interface RelayedModel {
  readonly model: LocalModel;
  readonly facts: ModelFacts;
  readonly backend: Pick<Backend, "name" | "port">;
}

export class Relay {
  readonly #ports: RelayPorts;
  #models: readonly RelayedModel[] = [];
  /** Tokens, by the id of a model of Ollama: a model is loaded again for another size, so the largest so far is kept. */
  readonly #sizes = new Map<string, number>();
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

  /** The size with which an Ollama is asked for an answer that needs so many tokens. */
  sizeFor({ model, facts }: RelayedModel, needed: number): number {
    const size = contextFor(needed, facts, this.#sizes.get(model.id));
    this.#sizes.set(model.id, size);
    return size;
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
      for (const { id, facts } of backend.models) {
        // One model per name: our own first, then the first program that lists it.
        if (findModel(id) !== undefined || models.has(id)) continue;
        models.set(id, { model: describe(id, facts, backend), facts, backend });
      }
    }
    this.#models = [...models.values()];
    return this.#models;
  }
}

/** Tokens. Sizes double from the first, so that a growing chat has its model loaded again a few times only. */
const firstSize = 8192;
const mostWithoutLimit = 65_536;

function contextFor(needed: number, { contextSize = mostWithoutLimit, usualSize = 0 }: ModelFacts, before = 0): number {
  let size = Math.max(firstSize, usualSize, before);
  while (size < needed) size *= 2;
  return Math.min(size, contextSize);
}

function describe(id: string, { contextSize, images, tools, thinking }: ModelFacts, { name }: Backend): LocalModel {
  // A model that takes no tools is not listed so: a client that sends them is refused, learns it, and may name them in its prompt.
  const known = { context_size: contextSize, images, tools: tools === true ? true : undefined, thinking };
  const note = `local: ${name}`;
  return { id, capabilities: { family: "chat-completions", streaming: true, note, ...definedFields(known) } };
}
