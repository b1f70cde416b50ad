/** The neutral history as the body of `POST /v1/chat/completions` (contract.md 1.1, 1.2, 4.3). */
import type { AssistantPart, ChatRequest, Message, UserPart } from "../../domain/message";
import { asRecord, asText, type JsonRecord } from "../jsonValue";

type Assistant = Extract<Message, { role: "assistant" }>;
type ToolResult = Extract<Message, { role: "tool" }>;
type ToolCall = Extract<AssistantPart, { type: "tool-call" }>;

/** Without `stream_options`, a server that counts tokens does not say so in a stream. */
export function buildChatCompletionsRequest(request: ChatRequest): JsonRecord {
  const { model, messages, tools } = request;
  return {
    model,
    messages: writeMessages(messages, model),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description: clean(description), parameters: cleanValue(parameters) },
          })),
        }),
  };
}

function writeMessages(messages: readonly Message[], model: string): readonly JsonRecord[] {
  const written: JsonRecord[] = [];
  let open = new Map<string, string>();

  // Each call must be answered before anyone else speaks, or the service answers 400.
  const closeCalls = (): void => {
    for (const id of open.values()) {
      written.push({ role: "tool", tool_call_id: id, content: "Error: this call was not run." });
    }
    open = new Map();
  };

  messages.forEach((message, index) => {
    if (message.role !== "tool") closeCalls();
    switch (message.role) {
      case "system":
        written.push({ role: "system", content: clean(message.text) });
        break;
      case "user":
        if (message.parts.length > 0) written.push({ role: "user", content: writeUserContent(message.parts) });
        break;
      case "assistant": {
        const ids = wireIds(message, index);
        const assistant = writeAssistant(message, ids, model);
        if (assistant !== undefined) written.push(assistant);
        open = ids;
        break;
      }
      case "tool": {
        // An answer to no call is a 400 as well.
        const id = open.get(message.call);
        if (id === undefined) break;
        open.delete(message.call);
        written.push({ role: "tool", tool_call_id: id, content: writeResult(message) });
      }
    }
  });
  closeCalls();
  return written;
}

function writeResult({ text, isError }: ToolResult): string {
  // There is no flag for it in this family.
  return clean(isError && !/^error\b/i.test(text) ? `Error: ${text}` : text);
}

/** A plain string whenever text is all there is: service-spec 4.5 shows nothing else. */
function writeUserContent(parts: readonly UserPart[]): unknown {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return clean(first.text);
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: clean(part.text) }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

/** What each call is called on the wire: as the service did, else a name of our own; each once in a message. */
function wireIds(message: Assistant, index: number): Map<string, string> {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const part of message.parts) {
    if (part.type !== "tool-call") continue;
    let id = part.wireId ?? `call_${index}_${part.call}`;
    for (let again = 2; used.has(id); again++) id = `${part.wireId ?? part.call}_${again}`;
    used.add(id);
    ids.set(part.call, id);
  }
  return ids;
}

function writeAssistant(message: Assistant, ids: ReadonlyMap<string, string>, model: string): JsonRecord | undefined {
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.parts.filter((part) => part.type === "tool-call");
  if (text === "" && calls.length === 0) return undefined;
  const isOurs = message.family === "chat-completions" && message.model === model;
  const echo = isOurs ? readEcho(message) : {};
  const callExtras = asRecord(echo["callExtraContent"]);
  return {
    role: "assistant",
    content: text === "" ? null : clean(text),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call) => writeCall(call, ids.get(call.call) ?? call.call, callExtras?.[call.call])) }),
    ...writeReasoning(message, echo, calls.length > 0),
    ...(echo["extraContent"] === undefined ? {} : { extra_content: echo["extraContent"] }),
  };
}

function writeCall(call: ToolCall, id: string, extra: unknown): JsonRecord {
  return {
    id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(cleanValue(call.input)) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** The opaque parts are this family's own (`ChatCompletionsOpaque`), but come from a file: they are read again. */
function readEcho(message: Assistant): JsonRecord {
  const parts = message.parts.filter((part) => part.type === "opaque" && part.family === "chat-completions");
  return Object.assign(
    {},
    ...parts.map((part) => asRecord(part.type === "opaque" ? part.data : undefined) ?? {}),
  ) as JsonRecord;
}

/** `reasoning_content` with tool calls, also when empty: a model that thinks refuses the history without it. */
function writeReasoning(message: Assistant, echo: JsonRecord, hasCalls: boolean): JsonRecord {
  const text = message.parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const isWanted = hasCalls && asText(echo["reasoningField"]) === "reasoning_content";
  return {
    ...(isWanted ? { reasoning_content: clean(text) } : {}),
    ...(Array.isArray(echo["reasoningDetails"]) ? { reasoning_details: echo["reasoningDetails"] as unknown } : {}),
  };
}

/** Half a surrogate pair is no text and NUL no character that servers take. */
function clean(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").replaceAll("\0", "");
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), cleanValue(inner)]));
}
