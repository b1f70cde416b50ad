/** An answer of Ollama's own API as one of chat completions, streamed or whole (A14). */
import { definedFields } from "../../../base/definedFields";
import { asArray, asCount, asRecord, asText, type JsonRecord, parseJson } from "../../../base/jsonValue";

export interface AnswerHead {
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

/** Characters of one line: a call may hold a whole file. */
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

  /** Ollama has no ids of calls. */
  #writeCall(call: AnswerPiece["calls"][number], at = this.#calls): JsonRecord {
    return { id: `call_${this.#head.id}_${at}`, type: "function", function: call };
  }

  #chunk(choices: readonly unknown[]): JsonRecord {
    return { ...this.#head, object: "chat.completion.chunk", choices };
  }
}
