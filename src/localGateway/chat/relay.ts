/** Finds the models of Ollama, LM Studio and llama.cpp on this machine with their abilities, at the start and whenever models are listed. */
import * as z from "zod/mini";
import { findModel, type LocalModel } from "../demo/models";
import { definedFields } from "../../base/definedFields";
import { asNumber, asRecord, asText } from "../../base/jsonValue";

export interface RelayedModel {
  readonly model: LocalModel;
  readonly facts: ModelFacts;
  readonly backend: Pick<Backend, "name" | "port">;
}

export class Relay {
  readonly #ports: RelayPorts;
  #models: readonly RelayedModel[] = [];
  /** Tokens by the id of an Ollama model. The largest size so far is kept, because a model is loaded again for another size. */
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

  /** The context size to request from an Ollama for an answer that needs so many tokens. */
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
        // There is one model per name: our own, else that of the first program that lists it.
        if (findModel(id) !== undefined || models.has(id)) continue;
        models.set(id, { model: describe(id, facts, backend), facts, backend });
      }
    }
    this.#models = [...models.values()];
    return this.#models;
  }
}

/** Tokens. Sizes double from this one, so that the model of a growing chat is loaded again only a few times. */
const firstSize = 8192;
/** The limit of a model that names none. */
const maxUnknownSize = 65_536;

function contextFor(needed: number, { contextSize = maxUnknownSize, usualSize = 0 }: ModelFacts, before = 0): number {
  let size = Math.max(firstSize, usualSize, before);
  while (size < needed) size *= 2;
  return Math.min(size, contextSize);
}

function describe(id: string, { contextSize, images, tools, thinking }: ModelFacts, { name }: Backend): LocalModel {
  // `tools: false` is not listed. A client that sends tools to such a model is refused, and may then describe them in its prompt.
  const known = { context_size: contextSize, images, tools: tools === true ? true : undefined, thinking };
  const note = `local: ${name}`;
  return { id, capabilities: { family: "chat-completions", streaming: true, note, ...definedFields(known) } };
}

// Looks for Ollama, LM Studio and llama.cpp on this machine, and recognises each by the shape of its responses (L4).

/** Ports on 127.0.0.1. */
export interface RelayPorts {
  readonly ollama: number;
  readonly lmStudio: number;
  readonly llamaCpp: number;
  /** Milliseconds in which a program must list its models; default 300. Describing them may take five times as long, because it may have many. */
  readonly probeMs?: number;
}

export const usualPorts: RelayPorts = { ollama: 11_434, lmStudio: 1234, llamaCpp: 8080 };

interface Backend {
  readonly name: "Ollama" | "LM Studio" | "llama.cpp";
  readonly port: number;
  readonly models: readonly BackendModel[];
}

interface BackendModel {
  /** The program's own name of the model. */
  readonly id: string;
  readonly facts: ModelFacts;
}

const ollamaSchema = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), digest: z.string(), details: z.looseObject({}) })),
});
const listed = z.looseObject({ id: z.string(), object: z.literal("model"), owned_by: z.string() });
const listSchema = z.looseObject({ object: z.literal("list"), data: z.array(listed) });
const healthSchema = z.object({ status: z.literal("ok") });

/** The programs that respond in time, in a fixed order. Never rejects. */
async function probeBackends(ports: RelayPorts): Promise<readonly Backend[]> {
  const { ollama, lmStudio, llamaCpp, probeMs = 300 } = ports;
  const found = await Promise.all([
    probeOllama(ollama, probeMs),
    probeLmStudio(lmStudio, probeMs),
    probeLlama(llamaCpp, probeMs),
  ]);
  return found.filter((backend) => backend !== undefined);
}

async function probeOllama(port: number, probeMs: number): Promise<Backend | undefined> {
  const tags = ollamaSchema.safeParse(await fetchJson(port, "/api/tags", AbortSignal.timeout(probeMs)));
  if (!tags.success) return undefined;
  const signal = AbortSignal.timeout(5 * probeMs);
  const read = tags.data.models.map(async ({ name: id }) => ({ id, facts: await factsOfOllama(port, id, signal) }));
  const models = await Promise.all(read);
  return { name: "Ollama", port, models: models.filter(({ facts }) => facts.chats !== false) };
}

/** Recognises LM Studio by its `owned_by`, because many programs have a list of this shape. */
async function probeLmStudio(port: number, probeMs: number): Promise<Backend | undefined> {
  const list = listSchema.safeParse(await fetchJson(port, "/v1/models", AbortSignal.timeout(probeMs)));
  if (!list.success || !list.data.data.every(({ owned_by }) => owned_by === "organization_owner")) return undefined;
  const facts = await factsOfLmStudio(port, AbortSignal.timeout(5 * probeMs));
  const models = list.data.data.map(({ id }) => ({ id, facts: facts.get(id) ?? {} }));
  const chatting = models.filter((model) => model.facts.chats ?? !model.id.startsWith("text-embedding-"));
  return { name: "LM Studio", port, models: chatting };
}

async function probeLlama(port: number, probeMs: number): Promise<Backend | undefined> {
  const signal = AbortSignal.timeout(probeMs);
  if (!healthSchema.safeParse(await fetchJson(port, "/health", signal)).success) return undefined;
  const list = listSchema.safeParse(await fetchJson(port, "/v1/models", signal));
  if (!list.success || !list.data.data.every(({ owned_by }) => owned_by === "llamacpp")) return undefined;
  const facts = await factsOfLlama(port, AbortSignal.timeout(5 * probeMs));
  return { name: "llama.cpp", port, models: list.data.data.map(({ id }) => ({ id, facts })) };
}

// Asks each program for a model's context size and abilities (A14). A fact that a program does not state is left out.

export interface ModelFacts {
  /** Tokens: the most that the model can have, or the size that it was loaded with if a request can't change it. */
  readonly contextSize?: number;
  /** Tokens: the size with which the program loads the model if a request names none. */
  readonly usualSize?: number;
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly thinking?: boolean;
  /** False for a model of another kind, such as one for embeddings. */
  readonly chats?: boolean;
}

const shownSchema = z.looseObject({
  model_info: z.optional(z.record(z.string(), z.unknown())),
  capabilities: z.optional(z.array(z.string())),
  parameters: z.optional(z.string()),
});

/** Reads `/api/show`. */
async function factsOfOllama(port: number, model: string, signal: AbortSignal): Promise<ModelFacts> {
  const shown = shownSchema.safeParse(await fetchJson(port, "/api/show", signal, { model }));
  if (!shown.success) return {};
  const { model_info: info = {}, capabilities, parameters = "" } = shown.data;
  const architecture = asText(info["general.architecture"]) ?? "";
  const usual = /^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1];
  return definedFields({
    contextSize: asSize(info[`${architecture}.context_length`]),
    usualSize: asSize(usual),
    tools: capabilities?.includes("tools"),
    images: capabilities?.includes("vision"),
    thinking: capabilities?.includes("thinking"),
    chats: capabilities?.includes("completion"),
  });
}

const studioSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** Reads `/api/v0/models`; the facts are by the id of a model. */
async function factsOfLmStudio(port: number, signal: AbortSignal): Promise<ReadonlyMap<string, ModelFacts>> {
  const listed = studioSchema.safeParse(await fetchJson(port, "/api/v0/models", signal));
  if (!listed.success) return new Map();
  return new Map(
    listed.data.data.map((model) => {
      const capabilities = z.array(z.string()).safeParse(model["capabilities"]);
      const type = asText(model["type"]);
      const facts = definedFields({
        // The size of a loaded model counts, even if the model could have more.
        contextSize: asSize(model["loaded_context_length"]) ?? asSize(model["max_context_length"]),
        tools: capabilities.success ? capabilities.data.includes("tool_use") : undefined,
        images: type === undefined ? undefined : type === "vlm",
        chats: type === undefined ? undefined : type !== "embeddings",
      });
      return [model.id, facts];
    }),
  );
}

/** Reads `/props`. A llama.cpp has one model, and each of its slots has this context size. */
async function factsOfLlama(port: number, signal: AbortSignal): Promise<ModelFacts> {
  const props = asRecord(await fetchJson(port, "/props", signal));
  const settings = asRecord(props?.["default_generation_settings"]);
  const vision = asRecord(props?.["modalities"])?.["vision"];
  return definedFields({
    contextSize: asSize(settings?.["n_ctx"]),
    images: typeof vision === "boolean" ? vision : undefined,
  });
}

function asSize(value: unknown): number | undefined {
  const size = asNumber(value);
  return size !== undefined && Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

// Asks another program on this machine for a JSON object, with bounds on the body.

/** Characters of a body. */
const maxAnswerSize = 2_000_000;

/** The JSON body of a 200, else `undefined`. With `body` it sends a POST with that as JSON. */
async function fetchJson(port: number, path: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
  try {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, redirect: "error", ...post });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !/^application\/json\b/i.test(type)) {
      await response.body?.cancel();
      return undefined;
    }
    return JSON.parse(await readText(response));
  } catch {
    return undefined;
  }
}

/** Reads a limited length, because another program on this port may send an endless body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const chunks: AsyncIterable<Uint8Array> | undefined = body ?? undefined;
  if (chunks === undefined) return text;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerSize) throw new Error("The answer is too long.");
  }
  return text;
}
