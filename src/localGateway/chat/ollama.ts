/**
 * Translates a chat-completions request to Ollama's own API and its answer back (A14), because Ollama's chat-completions API silently cuts a long
 * prompt at 4,096 tokens.
 */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { parseJson, asArray, asCount, asRecord, asText, type JsonRecord } from "../../base/jsonValue";
import { readWire, withoutNulls } from "../http/requestContext";
import type { ModelFacts } from "./relay";

const part = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  image_url: z.optional(z.looseObject({ url: z.string() })),
});
const message = z.looseObject({
  role: z.string(),
  content: z.nullish(z.union([z.string(), z.array(part)])),
  tool_calls: z.nullish(
    z.array(
      z.looseObject({
        id: z.nullish(z.string()),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    ),
  ),
  tool_call_id: z.nullish(z.string()),
});
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  stream: z.optional(z.boolean()),
  stream_options: z.optional(z.looseObject({ include_usage: z.optional(z.boolean()) })),
  tools: z.optional(z.array(z.unknown())),
  max_tokens: z.optional(z.number()),
  max_completion_tokens: z.optional(z.number()),
  temperature: z.optional(z.number()),
  top_p: z.optional(z.number()),
  frequency_penalty: z.optional(z.number()),
  presence_penalty: z.optional(z.number()),
  seed: z.optional(z.number()),
  stop: z.optional(z.union([z.string(), z.array(z.string())])),
  reasoning_effort: z.optional(z.string()),
  response_format: z.optional(
    z.looseObject({ type: z.string(), json_schema: z.optional(z.looseObject({ schema: z.optional(z.unknown()) })) }),
  ),
  keep_alive: z.optional(z.union([z.string(), z.number()])),
  options: z.optional(z.record(z.string(), z.unknown())),
});

export type CompletionBody = z.infer<typeof requestSchema>;
type Message = z.infer<typeof message>;

/** Throws the 400 of a strict service. */
export function readCompletionBody(body: unknown): CompletionBody {
  return readWire(requestSchema, withoutNulls(body));
}

/** Bounds of the prompt's tokens by its length: at least `least`, and `most` for languages and code with many tokens. */
interface PromptSize {
  readonly least: number;
  readonly most: number;
}

/** Tokens of an image, whatever its size. */
const imageTokens = 1200;

export function sizeOfPrompt({ messages, tools = [] }: CompletionBody): PromptSize {
  const images = messages.flatMap(({ content }) => partsOf(content)).filter(({ image_url: url }) => url !== undefined);
  const text = JSON.stringify([messages.map((one) => ({ ...one, content: textOf(one.content) })), tools]);
  const wide = text.replaceAll(/[ -~]+/g, "").length;
  const plain = text.length - wide;
  const pictures = images.length * imageTokens;
  return { least: Math.floor(plain / 6 + wide / 3), most: Math.ceil(plain / 3 + wide * 1.5) + pictures };
}

/** Tokens that are reserved for an answer without a limit. */
export const usualAnswer = 4096;

export function answerLimit(request: CompletionBody): number | undefined {
  return request.max_completion_tokens ?? request.max_tokens;
}

/** `size`: the context size in tokens. */
export function writeOllamaRequest(request: CompletionBody, facts: ModelFacts, size: number): unknown {
  const { model, stream, tools, temperature, seed, stop, keep_alive: keepAlive } = request;
  const names = new Map(request.messages.flatMap(callsOf));
  const options = definedFields({
    ...request.options,
    temperature,
    seed,
    stop,
    top_p: request.top_p,
    num_predict: answerLimit(request),
    frequency_penalty: request.frequency_penalty,
    presence_penalty: request.presence_penalty,
    num_ctx: size,
  });
  return {
    model,
    messages: request.messages.map((one) => writeMessage(one, names)),
    stream: stream === true,
    options,
    ...definedFields({
      tools: tools !== undefined && tools.length > 0 ? tools : undefined,
      format: formatOf(request),
      think: thinkOf(request, facts),
      keep_alive: keepAlive,
    }),
  };
}

function callsOf({ tool_calls: calls }: Message): readonly (readonly [string, string])[] {
  return (calls ?? []).flatMap(({ id, function: { name } }) => (id ? [[id, name] as const] : []));
}

/** Ollama finds the call of a result by the name of its tool. */
function writeMessage(one: Message, names: ReadonlyMap<string, string>): unknown {
  const images = partsOf(one.content).flatMap(({ image_url: image }) => {
    const data = /^data:[^,]*;base64,(.*)$/s.exec(image?.url ?? "")?.[1];
    return data === undefined ? [] : [data];
  });
  return {
    role: one.role === "developer" ? "system" : one.role,
    content: textOf(one.content),
    ...definedFields({
      images: images.length > 0 ? images : undefined,
      tool_name: one.role === "tool" ? names.get(one.tool_call_id ?? "") : undefined,
      tool_calls: (one.tool_calls ?? undefined)?.map(({ function: { name, arguments: text } }) => ({
        function: { name, arguments: parseJson(text) ?? {} },
      })),
    }),
  };
}

function partsOf(content: Message["content"]): readonly z.infer<typeof part>[] {
  return typeof content === "string" ? [] : (content ?? []);
}

function textOf(content: Message["content"]): string {
  return typeof content === "string"
    ? content
    : partsOf(content)
        .flatMap(({ text }) => text ?? [])
        .join("\n");
}

function formatOf({ response_format: format }: CompletionBody): unknown {
  if (format?.type === "json_object") return "json";
  return format?.type === "json_schema" ? format.json_schema?.schema : undefined;
}

/** The value of `think`; `undefined` for a model that does not think, which refuses the field. */
function thinkOf({ reasoning_effort: effort, model }: CompletionBody, { thinking }: ModelFacts): unknown {
  if (effort === undefined || thinking !== true) return undefined;
  if (model.startsWith("gpt-oss") && ["low", "medium", "high"].includes(effort)) return effort;
  return effort !== "none" && effort !== "minimal";
}

// Translates an answer from Ollama's own API, streamed or whole (A14).

interface AnswerHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** One object of the answer, a line of its stream. */
export interface AnswerPiece {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish?: "stop" | "length";
  readonly usage?: JsonRecord;
  readonly error?: string;
}

/** Characters of one line. The limit is high, because a call may hold a whole file. */
const maxLine = 16_000_000;

/** The lines of a stream. Rejects for a line that is too long. */
export async function* ollamaPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerPiece> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLine) throw new Error("A line of the answer is too long.");
    for (const line of lines) if (line.trim() !== "") yield readPiece(line);
  }
  if (rest.trim() !== "") yield readPiece(rest);
}

function readPiece(line: string): AnswerPiece {
  const value = asRecord(parseJson(line));
  const message = asRecord(value?.["message"]);
  const calls = asArray(message?.["tool_calls"]).flatMap((call) => {
    const called = asRecord(asRecord(call)?.["function"]);
    const name = asText(called?.["name"]);
    return name === undefined ? [] : [{ name, arguments: JSON.stringify(called?.["arguments"] ?? {}) }];
  });
  const isDone = value?.["done"] === true;
  return {
    text: asText(message?.["content"]) ?? "",
    reasoning: asText(message?.["thinking"]) ?? "",
    calls,
    ...(isDone ? { finish: value["done_reason"] === "length" ? "length" : "stop", usage: usageOf(value) } : {}),
    ...definedFields({ error: asText(value?.["error"]) }),
  };
}

function usageOf(value: JsonRecord): JsonRecord {
  const input = asCount(value["prompt_eval_count"]) ?? 0;
  const output = asCount(value["eval_count"]) ?? 0;
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** Writes the pieces of one answer as the chunks of a stream. */
export class ChunkWriter {
  readonly #head: AnswerHead;
  readonly #includeUsage: boolean;
  #calls = 0;
  #isBegun = false;

  constructor(head: AnswerHead, includeUsage: boolean) {
    this.#head = head;
    this.#includeUsage = includeUsage;
  }

  /** The data of server-sent events. */
  write({ text, reasoning, calls, finish, usage, error }: AnswerPiece): readonly unknown[] {
    if (error !== undefined) return [{ error: { message: error, type: "server_error" } }];
    const deltas: JsonRecord[] = [];
    if (!this.#isBegun) deltas.push({ role: "assistant", content: "" });
    this.#isBegun = true;
    if (reasoning !== "") deltas.push({ reasoning_content: reasoning });
    if (text !== "") deltas.push({ content: text });
    for (const call of calls) deltas.push({ tool_calls: [{ index: this.#calls++, ...this.#writeCall(call) }] });
    const chunks = deltas.map((delta) => this.#chunk([{ index: 0, delta, finish_reason: null }]));
    if (finish === undefined) return chunks;
    const reason = this.#calls > 0 && finish === "stop" ? "tool_calls" : finish;
    return [
      ...chunks,
      this.#chunk([{ index: 0, delta: {}, finish_reason: reason }]),
      ...(this.#includeUsage ? [{ ...this.#chunk([]), usage }] : []),
      "[DONE]",
    ];
  }

  /** The body of a response that is not streamed. */
  whole({ text, reasoning, calls, finish = "stop", usage }: AnswerPiece): JsonRecord {
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      ...definedFields({
        reasoning_content: reasoning === "" ? undefined : reasoning,
        tool_calls: calls.length === 0 ? undefined : calls.map((call, at) => this.#writeCall(call, at)),
      }),
    };
    const reason = calls.length > 0 && finish === "stop" ? "tool_calls" : finish;
    const choices = [{ index: 0, message, finish_reason: reason }];
    return { ...this.#head, object: "chat.completion", choices, ...definedFields({ usage }) };
  }

  /** Writes a call with a generated id, because Ollama has no ids of calls. */
  #writeCall(call: AnswerPiece["calls"][number], at = this.#calls): JsonRecord {
    return { id: `call_${this.#head.id}_${at}`, type: "function", function: call };
  }

  #chunk(choices: readonly unknown[]): JsonRecord {
    return { ...this.#head, object: "chat.completion.chunk", choices };
  }
}
