/** Looks for Ollama, LM Studio and llama.cpp on this machine, and recognizes each by the shape of its responses (L4). */
import * as z from "zod/mini";
import { fetchJson } from "./fetchJson";
import { factsOfLlama, factsOfLmStudio, factsOfOllama, type ModelFacts } from "./modelFacts";

/** Ports on 127.0.0.1. */
export interface RelayPorts {
  readonly ollama: number;
  readonly lmStudio: number;
  readonly llamaCpp: number;
  /** Milliseconds that a program has to respond; else 300. For what its models can do five times as long: it may have many. */
  readonly probeMs?: number;
}

export const usualPorts: RelayPorts = { ollama: 11_434, lmStudio: 1234, llamaCpp: 8080 };

export interface Backend {
  readonly name: "Ollama" | "LM Studio" | "llama.cpp";
  readonly port: number;
  readonly models: readonly BackendModel[];
}

export interface BackendModel {
  /** The program's own name of it. */
  readonly id: string;
  readonly facts: ModelFacts;
}

const ollamaSchema = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), digest: z.string(), details: z.looseObject({}) })),
});
const listed = z.looseObject({ id: z.string(), object: z.literal("model"), owned_by: z.string() });
const listSchema = z.looseObject({ object: z.literal("list"), data: z.array(listed) });
const healthSchema = z.object({ status: z.literal("ok") });

/** Those that respond in time, in a fixed order. Never rejects. */
export async function probeBackends(ports: RelayPorts): Promise<readonly Backend[]> {
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

/** Many programs have the same list; only LM Studio has this `owned_by`. */
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
