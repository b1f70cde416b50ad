/** The neutral history as the body of `POST /v1/chat/completions`. */
import { definedFields } from "../../../base/definedFields";
import type { ChatRequest, UserPart } from "../../../domain/message";
import type { ModelOptions } from "../../../domain/modelOptions";
import { type ChatForm, firstForm, limitField } from "../../chatForms";
import { asRecord, asText, type JsonRecord } from "../../http/jsonValue";
import { clean, cleanValue } from "../shared/cleanText";
import { type CallResult, normaliseHistory, type ToolCall, type Turn } from "../shared/history";
import { createToolNames, type ToolNames } from "../shared/toolNames";

type Answer = Extract<Turn, { role: "assistant" }>;

export function buildChatCompletionsRequest(request: ChatRequest, form: ChatForm = firstForm): JsonRecord {
  const { family, model, options } = request;
  const { refusedSignatures } = form;
  const names = createToolNames(request.tools);
  const { tools } = names;
  const { system, turns } = normaliseHistory(request.messages, { family, model, refusedSignatures });
  return {
    model,
    messages: [
      ...system.map((content) => ({ role: "system", content })),
      ...turns.flatMap((turn) =>
        turn.role === "user"
          ? [{ role: "user", content: writeUserContent(turn.parts) }]
          : writeAnswer(turn, names, form),
      ),
    ],
    stream: true,
    ...(form.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...writeOptions(options, limitField(form, model)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: {
              name: names.toWire(name),
              description: clean(description),
              parameters: cleanValue(parameters),
            },
          })),
        }),
  };
}

function writeOptions(options: ModelOptions = {}, limit: string): JsonRecord {
  const { maxOutputTokens, temperature, thinking } = options;
  return {
    ...definedFields({ [limit]: maxOutputTokens, temperature }),
    ...(typeof thinking === "string" ? { reasoning_effort: thinking === "off" ? "none" : thinking } : {}),
  };
}

/** The answer, and right behind it a result for each of its calls, or the service answers 400. */
function writeAnswer(turn: Answer, names: ToolNames, form: ChatForm): readonly JsonRecord[] {
  const ids = wireIds(turn);
  const assistant = writeAssistant(turn, ids, names, form);
  if (assistant === undefined) return [];
  return [
    assistant,
    ...turn.results.map((result) => ({
      role: "tool",
      tool_call_id: ids.get(result.call),
      content: writeResult(result),
    })),
  ];
}

function writeResult({ text, isError }: CallResult): string {
  // There is no flag for it in this family.
  return isError && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/** A plain string whenever text is all there is: service-spec 4.5 shows nothing else. */
function writeUserContent(parts: readonly UserPart[]): unknown {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

/** What each call is called on the wire: as the service did, else a name of our own; each once in a message. */
function wireIds({ parts, at }: Answer): ReadonlyMap<ToolCall, string> {
  const ids = new Map<ToolCall, string>();
  const used = new Set<string>();
  for (const part of parts) {
    if (part.type !== "tool-call") continue;
    const wanted = part.wireId || `call_${at}_${part.call}`;
    let id = wanted;
    for (let again = 2; used.has(id); again++) id = `${wanted}_${again}`;
    used.add(id);
    ids.set(part, id);
  }
  return ids;
}

function writeAssistant(
  turn: Answer,
  ids: ReadonlyMap<ToolCall, string>,
  names: ToolNames,
  { noText, allReasoning }: ChatForm,
): JsonRecord | undefined {
  const text = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = turn.parts.filter((part) => part.type === "tool-call");
  if (text === "" && calls.length === 0) return undefined;
  const echo = readEcho(turn);
  const callExtras = asRecord(echo["callExtraContent"]);
  const writeCall = (call: ToolCall): JsonRecord => ({
    id: ids.get(call),
    type: "function",
    function: { name: names.toWire(call.name), arguments: JSON.stringify(call.input) },
    ...definedFields({ extra_content: callExtras?.[call.call] === undefined ? undefined : callExtras[call.call] }),
  });
  return {
    role: "assistant",
    content: text === "" ? noText : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
    ...writeReasoning(turn, echo, calls.length > 0, allReasoning),
    ...definedFields({ extra_content: echo["extraContent"] }),
  };
}

/** The opaque parts are this family's own (`ChatCompletionsOpaque`), but come from a file: they are read again. */
function readEcho({ parts }: Answer): JsonRecord {
  return Object.assign(
    {},
    ...parts.map((part) => (part.type === "opaque" ? (asRecord(part.data) ?? {}) : {})),
  ) as JsonRecord;
}

/** `reasoning_content` with tool calls, also when empty: a model that thinks refuses the history without it. */
function writeReasoning({ parts }: Answer, echo: JsonRecord, hasCalls: boolean, always: boolean): JsonRecord {
  const text = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const isWanted = hasCalls && (always || asText(echo["reasoningField"]) === "reasoning_content");
  return {
    ...(isWanted ? { reasoning_content: text } : {}),
    ...(Array.isArray(echo["reasoningDetails"]) ? { reasoning_details: echo["reasoningDetails"] as unknown } : {}),
  };
}
