/** Looks for Ollama, LM Studio and llama.cpp on this machine, and recognizes each by the shape of its responses (L4). */
import * as z from "zod/mini";

/** Ports on 127.0.0.1. */
export interface RelayPorts {
  readonly ollama: number;
  readonly lmStudio: number;
  readonly llamaCpp: number;
}

export const usualPorts: RelayPorts = { ollama: 11_434, lmStudio: 1234, llamaCpp: 8080 };

export interface Backend {
  readonly name: "Ollama" | "LM Studio" | "llama.cpp";
  readonly port: number;
  /** Its own names of the models. */
  readonly models: readonly string[];
}

const probeMs = 300;
const maxAnswerSize = 2_000_000;

const ollamaSchema = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), digest: z.string(), details: z.looseObject({}) })),
});
const listed = z.looseObject({ id: z.string(), object: z.literal("model"), owned_by: z.string() });
const listSchema = z.looseObject({ object: z.literal("list"), data: z.array(listed) });
const healthSchema = z.object({ status: z.literal("ok") });

/** Those that respond within 300 ms, in a fixed order. Never rejects. */
export async function probeBackends(ports: RelayPorts): Promise<readonly Backend[]> {
  const found = await Promise.all([
    probeOllama(ports.ollama),
    probeLmStudio(ports.lmStudio),
    probeLlama(ports.llamaCpp),
  ]);
  return found.filter((backend) => backend !== undefined);
}

async function probeOllama(port: number): Promise<Backend | undefined> {
  const tags = ollamaSchema.safeParse(await fetchJson(port, "/api/tags", AbortSignal.timeout(probeMs)));
  if (!tags.success) return undefined;
  return { name: "Ollama", port, models: tags.data.models.map(({ name }) => name) };
}

/** Many programs have the same list; only LM Studio has this `owned_by`. */
async function probeLmStudio(port: number): Promise<Backend | undefined> {
  const list = listSchema.safeParse(await fetchJson(port, "/v1/models", AbortSignal.timeout(probeMs)));
  if (!list.success || !list.data.data.every(({ owned_by }) => owned_by === "organization_owner")) return undefined;
  const models = list.data.data.map(({ id }) => id).filter((id) => !id.startsWith("text-embedding-"));
  return { name: "LM Studio", port, models };
}

async function probeLlama(port: number): Promise<Backend | undefined> {
  const signal = AbortSignal.timeout(probeMs);
  if (!healthSchema.safeParse(await fetchJson(port, "/health", signal)).success) return undefined;
  const list = listSchema.safeParse(await fetchJson(port, "/v1/models", signal));
  if (!list.success || !list.data.data.every(({ owned_by }) => owned_by === "llamacpp")) return undefined;
  return { name: "llama.cpp", port, models: list.data.data.map(({ id }) => id) };
}

/** The JSON body of a 200, else `undefined`. */
async function fetchJson(port: number, path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, redirect: "error" });
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

/** Bounded: another program on this port may send an endless body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const chunks: AsyncIterable<Uint8Array> | undefined = body ?? undefined;
  if (chunks === undefined) return text;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerSize) throw new Error("The answer is too long for a list of models.");
  }
  return text;
}
