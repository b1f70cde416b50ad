/** The neutral history as the body of `:streamGenerateContent`. */
import { definedFields } from "../../../base/definedFields";
import type { AssistantPart, ChatRequest, ToolDeclaration, UserPart } from "../../../domain/message";
import { type ChatForm, firstForm } from "../../chatForms";
import { asNumber, asRecord, asText, type JsonRecord } from "../../http/jsonValue";
import { clean, cleanValue } from "../shared/cleanText";
import { geminiVersion, writeGenerationConfig } from "./options";
import {
  alternate,
  type CallResult,
  isPaused,
  normaliseHistory,
  type Spoken,
  type ToolCall,
  type Turn,
} from "../shared/history";
import { toOpenApiSchema } from "./openApiSchema";
import { createToolNames, type ToolNames } from "../shared/toolNames";

type Answer = Extract<Turn, { role: "assistant" }>;

/** Stands for a signature that there never was; models from version 3 on refuse a call without one. */
const noSignature = "skip_thought_signature_validator";

/** The model is no part of the body: it stands in the path. */
export function buildGenerateContentRequest(request: ChatRequest, form: ChatForm = firstForm): JsonRecord {
  const { family, model, options } = request;
  const { refusedSignatures } = form;
  const names = createToolNames(request.tools);
  const { tools } = names;
  const history = normaliseHistory(request.messages, { family, model, refusedSignatures });
  const { system } = history;
  const { turns, continuationToken } = takePaused(history.turns);
  const signCalls = form.signCalls ?? (geminiVersion(model) ?? 0) >= 3;
  const generationConfig = writeGenerationConfig(options, model);
  const spoken = turns.flatMap((turn): readonly Spoken<JsonRecord>[] => {
    if (turn.role === "user") return [{ user: true, parts: turn.parts.map(writeUserPart) }];
    const parts = writeAnswer(turn, names, signCalls);
    if (parts.length === 0) return [];
    // As many as there were calls, in their order, all in one content.
    const results = turn.results.map((result) => writeResult(result, turn, names));
    return [{ user: false, parts }, ...(results.length === 0 ? [] : [{ user: true, parts: results }])];
  });
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: [{ text: system.join("\n\n") }] } }),
    contents: alternate<JsonRecord>(spoken, { text: "Continue." }).map(({ user, parts }) => ({
      role: user ? "user" : "model",
      parts,
    })),
    ...(tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: tools.map((tool) => writeDeclaration(tool, names)) }] }),
    ...definedFields({ generationConfig, continuationToken }),
  };
}

/** The service goes on with an answer by the same request again and its token: what was said so far is not sent. */
function takePaused(turns: readonly Turn[]): { readonly turns: readonly Turn[]; readonly continuationToken?: string } {
  const token = readToken(turns.at(-1));
  if (token === undefined) return { turns };
  const last = turns.findLastIndex((turn) => readToken(turn) === undefined);
  return { turns: turns.slice(0, last + 1), continuationToken: token };
}

function readToken(turn: Turn | undefined): string | undefined {
  if (turn?.role !== "assistant" || !isPaused(turn)) return undefined;
  const data = turn.parts.map((part) => (part.type === "opaque" ? asRecord(part.data) : undefined));
  return data.map((record) => asText(record?.["continuationToken"])).findLast((token) => token !== undefined);
}

function writeDeclaration({ name, description, parameters }: ToolDeclaration, names: ToolNames): JsonRecord {
  const schema = toOpenApiSchema(cleanValue(parameters));
  return {
    name: names.toWire(name),
    ...(description === "" ? {} : { description: clean(description) }),
    ...definedFields({ parameters: schema }),
  };
}

function writeUserPart(part: UserPart): JsonRecord {
  return part.type === "text" ? { text: part.text } : writeMedia(part);
}

function writeMedia({ mimeType, data }: { readonly mimeType: string; readonly data: string }): JsonRecord {
  return { inlineData: { mimeType, data } };
}

function writeResult({ call, text, isError }: CallResult, turn: Answer, names: ToolNames): JsonRecord {
  const response = isError ? { error: text } : { output: text };
  return { functionResponse: { name: names.toWire(call.name), ...writeId(call, turn), response } };
}

/** Only an id that this family gave: it is never made up. */
function writeId({ wireId }: ToolCall, { family }: Answer): { readonly id?: string } {
  return family === "generate-content" && wireId !== undefined ? { id: wireId } : {};
}

/** The parts in their order, each signature on the very part that it came with. */
function writeAnswer(turn: Answer, names: ToolNames, signCalls: boolean): readonly JsonRecord[] {
  const signatures = readCallSignatures(turn.parts);
  const written: JsonRecord[] = [];
  let thought = "";
  for (const part of turn.parts) {
    if (part.type === "text") written.push({ text: part.text });
    else if (part.type === "reasoning") thought = part.text;
    else if (part.type === "media") written.push(writeMedia(part));
    else if (part.type === "tool-call") {
      const thoughtSignature = signatures.get(part.call);
      signatures.delete(part.call);
      const functionCall = { name: names.toWire(part.name), ...writeId(part, turn), args: part.input };
      written.push({ functionCall, ...definedFields({ thoughtSignature }) });
    } else writeOpaque(asRecord(part.data) ?? {}, thought, written);
  }
  if (signCalls) {
    const first = written.findIndex((part) => "functionCall" in part);
    const part = written[first];
    if (part !== undefined && part["thoughtSignature"] === undefined) {
      written[first] = { ...part, thoughtSignature: noSignature };
    }
  }
  return written.every((part) => part["text"] === "") ? [] : written;
}

/** `GenerateContentOpaque`, read again: it may come from a file. Thinking goes back only where it is signed. */
function writeOpaque(data: JsonRecord, thought: string, written: JsonRecord[]): void {
  const raw = asRecord(data["part"]);
  const thoughtSignature = asText(data["thoughtSignature"]);
  if (raw !== undefined) writeRaw(raw, written);
  if (thoughtSignature === undefined) return;
  const length = asNumber(data["length"]) ?? 0;
  if (data["of"] === "thought") {
    written.push({ text: length === 0 ? "" : thought.slice(-length), thought: true, thoughtSignature });
  } else if (data["of"] === "text") {
    if (length > 0) {
      const text = asText(written.at(-1)?.["text"]);
      // Its text is not there any more.
      if (text === undefined || written.at(-1)?.["thoughtSignature"] !== undefined) return;
      written.pop();
      const before = text.slice(0, -length);
      if (before !== "") written.push({ text: before });
      written.push({ text: text.slice(-length), thoughtSignature });
    } else written.push({ text: "", thoughtSignature });
  }
}

/** A part with nothing in it is refused, and so are thoughts that are not signed. A signed picture was shown before. */
function writeRaw(raw: JsonRecord, written: JsonRecord[]): void {
  const { thought, thoughtSignature, ...content } = raw;
  if (Object.keys(content).length === 0 || (thought === true && thoughtSignature === undefined)) return;
  const picture = asRecord(raw["inlineData"]) ?? asRecord(raw["inline_data"]);
  const shown = asRecord(written.at(-1)?.["inlineData"]);
  if (picture !== undefined && shown?.["data"] === picture["data"]) written.pop();
  written.push(raw);
}

/** Each is of one call. */
function readCallSignatures(parts: readonly AssistantPart[]): Map<string, string> {
  const signatures = new Map<string, string>();
  for (const part of parts) {
    const data = part.type === "opaque" ? asRecord(part.data) : undefined;
    const call = asText(data?.["call"]);
    const signature = asText(data?.["thoughtSignature"]);
    if (data?.["of"] === "call" && call !== undefined && signature !== undefined) signatures.set(call, signature);
  }
  return signatures;
}
