/** `POST /v1/responses`, the API of Codex and newer OpenAI clients: translated to chat completions and back. */
import { type RequestContext, readJson } from "../../http/requestContext";
import { type AnswerEncoder, type StreamedTokens, type AnswerFinish, type AnswerPart, inputOf } from "../answerEncoder";
import { answerChat, maxChatBodySize } from "../answerChat";
import { AnswerSignatures } from "../answerSignatures";
import type { ChatServices } from "../chatServices";
import { relayResponses } from "../relayChat";
import { readCompletionRequest } from "./completionBody";
import { readResponsesRequest, type ResponsesRequest } from "./responsesBody";
import { definedFields } from "../../../base/definedFields";
import type { StreamEvent } from "../../http/requestFaults";

export async function createResponse(context: RequestContext, services: ChatServices): Promise<void> {
  const body = await readJson(context, maxChatBodySize);
  const id = `resp_${context.requestId.slice(4).replaceAll("-", "")}`;
  const read = (): ResponsesRequest => readResponsesRequest(body, services.responses.of(context.account));
  const encoderFor =
    (request: ResponsesRequest) =>
    (meter: StreamedTokens): AnswerEncoder =>
      new ResponsesEncoder({
        id,
        created: Math.floor(services.clock.now() / 1000),
        request,
        signatures: new AnswerSignatures(services.secrets.signatures),
        meter,
        onEnd: (output) => {
          if (!request.isStored) return;
          const size = Number(context.request.headers["content-length"] ?? 0) + JSON.stringify(output).length;
          services.responses.add(id, { account: context.account, items: [...request.items, ...output], size });
        },
      });
  const isRelayed = await relayResponses(context, services, body, () => {
    const request = read();
    return { completion: request.completion, encoder: encoderFor(request) };
  });
  if (isRelayed) return;
  const request = read();
  const asked = readCompletionRequest(request.completion, services.seed);
  await answerChat(context, services, asked, { family: "chat-completions", encoder: encoderFor(request) });
}

// Encodes an answer as the items of the responses API, streamed as named events or in one object.

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

interface ResponsesHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly request: ResponsesRequest;
  readonly signatures: AnswerSignatures;
  readonly meter: StreamedTokens;
  /** Called once, before the last event. */
  readonly onEnd: (output: readonly Item[]) => void;
}

/** The item whose content is being written. */
interface OpenItem {
  readonly type: "reasoning" | "message" | "call";
  readonly id: string;
  text: string;
  readonly call?: Extract<AnswerPart, { type: "call" }>;
}

class ResponsesEncoder implements AnswerEncoder {
  readonly #head: ResponsesHead;
  readonly #output: Item[] = [];
  #open: OpenItem | undefined;
  #sequence = 0;

  constructor(head: ResponsesHead) {
    this.#head = head;
  }

  begin(): readonly StreamEvent[] {
    const response = this.#response("in_progress");
    return [this.#event("response.created", { response }), this.#event("response.in_progress", { response })];
  }

  encode(piece: AnswerPart): readonly StreamEvent[] {
    switch (piece.type) {
      case "reasoning":
        return [...this.#openAs("reasoning"), ...this.#think(piece.text)];
      case "text":
        return [...this.#openAs("message"), ...this.#write(piece.text)];
      case "picture": {
        const closing = this.#close();
        return [
          ...closing,
          ...this.#addWhole({ type: "image_generation_call", status: "completed", result: piece.data }),
        ];
      }
      case "call":
        return this.#openAs("call", piece);
      case "arguments":
        return this.#argue(piece.text);
      case "call-end":
        return this.#close();
      case "finish": {
        // A call whose arguments were cut by the limit is dropped.
        const closing = this.#open?.type === "call" ? this.#drop() : this.#close();
        const [status, type] = endings[piece.finish];
        this.#head.onEnd(this.#output);
        return [...closing, this.#event(type, { response: this.#response(status) })];
      }
      case "hidden-reasoning":
        return [];
    }
  }

  whole(pieces: readonly AnswerPart[]): unknown {
    let finish: AnswerFinish = "length";
    for (const piece of pieces) {
      this.encode(piece);
      if (piece.type === "finish") ({ finish } = piece);
    }
    return this.#response(endings[finish][0]);
  }

  usage(): unknown {
    const { prompt, cacheRead, output, reasoning } = this.#head.meter;
    return {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: prompt + output,
      ...this.#head.meter.stated?.(),
    };
  }

  #response(status: "in_progress" | "completed" | "incomplete"): unknown {
    const { id, created, request } = this.#head;
    return {
      id,
      object: "response",
      created_at: created,
      status,
      error: null,
      incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
      model: request.model,
      output: status === "in_progress" ? [] : [...this.#output],
      parallel_tool_calls: request.completion["parallel_tool_calls"] !== false,
      previous_response_id: request.previousId ?? null,
      store: request.isStored,
      tool_choice: "auto",
      tools: [],
      metadata: {},
      usage: status === "in_progress" ? null : this.usage(),
    };
  }

  #openAs(type: OpenItem["type"], call?: Extract<AnswerPart, { type: "call" }>): readonly StreamEvent[] {
    if (this.#open?.type === type && call === undefined) return [];
    const closing = this.#close();
    this.#open = { type, id: this.#idOf(prefixes[type]), text: "", ...definedFields({ call }) };
    const added = this.#event("response.output_item.added", {
      item: this.#item(this.#open, "in_progress"),
      ...this.#at,
    });
    if (type === "message") {
      return [...closing, added, this.#part("response.content_part.added", "")];
    }
    const summary = type === "reasoning" && this.#head.request.showsReasoning;
    return [...closing, added, ...(summary ? [this.#summaryPart("response.reasoning_summary_part.added", "")] : [])];
  }

  #think(text: string): readonly StreamEvent[] {
    if (this.#open) this.#open.text += text;
    if (!this.#head.request.showsReasoning) return [];
    return [this.#itemEvent("response.reasoning_summary_text.delta", { summary_index: 0, delta: text })];
  }

  #write(text: string): readonly StreamEvent[] {
    if (this.#open) this.#open.text += text;
    return [this.#itemEvent("response.output_text.delta", { content_index: 0, delta: text, logprobs: [] })];
  }

  /** Writes arguments. The input of a custom tool is read from its only argument at the end, so it is sent whole. */
  #argue(text: string): readonly StreamEvent[] {
    if (!this.#open) return [];
    this.#open.text += text;
    if (this.#isCustom(this.#open)) return [];
    return [this.#itemEvent("response.function_call_arguments.delta", { delta: text })];
  }

  #close(): readonly StreamEvent[] {
    const open = this.#open;
    if (!open) return [];
    const events = this.#endings(open);
    const item = this.#item(open, "completed");
    const done = this.#event("response.output_item.done", { item, ...this.#at });
    this.#output.push(item);
    this.#open = undefined;
    return [...events, done];
  }

  #drop(): readonly StreamEvent[] {
    this.#open = undefined;
    return [];
  }

  #endings(open: OpenItem): readonly StreamEvent[] {
    const { text } = open;
    if (open.type === "message") {
      const done = this.#itemEvent("response.output_text.done", { content_index: 0, text, logprobs: [] });
      return [done, this.#part("response.content_part.done", text)];
    }
    if (open.type === "reasoning") {
      if (!this.#head.request.showsReasoning) return [];
      const done = this.#itemEvent("response.reasoning_summary_text.done", { summary_index: 0, text });
      return [done, this.#summaryPart("response.reasoning_summary_part.done", text)];
    }
    if (!this.#isCustom(open)) {
      const { name } = this.#toolOf(open);
      return [this.#itemEvent("response.function_call_arguments.done", { name, arguments: text })];
    }
    const input = inputOf(text);
    return [
      this.#itemEvent("response.custom_tool_call_input.delta", { delta: input }),
      this.#itemEvent("response.custom_tool_call_input.done", { input }),
    ];
  }

  #addWhole(fields: { readonly type: string } & Readonly<Record<string, unknown>>): readonly StreamEvent[] {
    const item = { id: this.#idOf("ig"), ...fields };
    const added = this.#event("response.output_item.added", {
      item: { ...item, status: "in_progress", result: null },
      ...this.#at,
    });
    const done = this.#event("response.output_item.done", { item, ...this.#at });
    this.#output.push(item);
    return [added, done];
  }

  #item(open: OpenItem, status: "in_progress" | "completed"): Item {
    const { id, text } = open;
    const isDone = status === "completed";
    if (open.type === "message") {
      return { id, type: "message", status, role: "assistant", content: isDone ? [textPart(text)] : [] };
    }
    if (open.type === "reasoning") {
      const { request, signatures } = this.#head;
      const summary = isDone && request.showsReasoning ? [{ type: "summary_text", text }] : [];
      const hidden = isDone && request.hidesReasoning ? { encrypted_content: signatures.hide(text) } : {};
      return { id, type: "reasoning", summary, ...hidden };
    }
    const { name, namespace } = this.#toolOf(open);
    const call = { call_id: open.call?.id ?? id, name, ...definedFields({ namespace }), status };
    return this.#isCustom(open)
      ? { id, type: "custom_tool_call", input: isDone ? inputOf(text) : "", ...call }
      : { id, type: "function_call", arguments: isDone ? text : "", ...call };
  }

  #toolOf({ call }: OpenItem): {
    readonly type: "function" | "custom";
    readonly name: string;
    readonly namespace?: string;
  } {
    const name = call?.name ?? "";
    return this.#head.request.tools.get(name) ?? { type: "function", name };
  }

  #isCustom(open: OpenItem): boolean {
    return this.#toolOf(open).type === "custom";
  }

  #idOf(prefix: string): string {
    return `${prefix}_${this.#head.id.slice("resp_".length)}_${this.#output.length}`;
  }

  get #at(): { readonly output_index: number } {
    return { output_index: this.#output.length };
  }

  #part(type: string, text: string): StreamEvent {
    return this.#itemEvent(type, { content_index: 0, part: textPart(text) });
  }

  #summaryPart(type: string, text: string): StreamEvent {
    return this.#itemEvent(type, { summary_index: 0, part: { type: "summary_text", text } });
  }

  #itemEvent(type: string, data: object): StreamEvent {
    return this.#event(type, { item_id: this.#open?.id, ...this.#at, ...data });
  }

  #event(type: string, data: object): StreamEvent {
    const sequence = this.#sequence;
    this.#sequence += 1;
    return { name: type, data: { type, sequence_number: sequence, ...data } };
  }
}

const prefixes = { reasoning: "rs", message: "msg", call: "fc" } as const;

const endings = {
  stop: ["completed", "response.completed"],
  "stop-sequence": ["completed", "response.completed"],
  "tool-calls": ["completed", "response.completed"],
  length: ["incomplete", "response.incomplete"],
} as const satisfies Readonly<Record<AnswerFinish, readonly [string, string]>>;

function textPart(text: string): unknown {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
