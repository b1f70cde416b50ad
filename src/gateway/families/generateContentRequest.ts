/** The neutral history as the body of `:streamGenerateContent`. */
import type { AssistantPart, ChatRequest, ToolDeclaration, UserPart } from "../../domain/message";
import { asNumber, asRecord, asText, type JsonRecord } from "../jsonValue";
import { clean, cleanValue } from "./cleanText";
import { alternate, type CallResult, normaliseHistory, type Spoken, type ToolCall, type Turn } from "./history";
import { toOpenApiSchema } from "./openApiSchema";
import { createToolNames, type ToolNames } from "./toolNames";

type Answer = Extract<Turn, { role: "assistant" }>;

/** Stands for a signature that there never was; models from version 3 on refuse a call without one. */
const noSignature = "skip_thought_signature_validator";

/** The model is no part of the body: it stands in the path. */
export function buildGenerateContentRequest(request: ChatRequest): JsonRecord {
  const { model, tools } = request;
  const names = createToolNames(tools);
  const { system, turns } = normaliseHistory(request.messages, request);
  const spoken = turns.flatMap((turn): readonly Spoken<JsonRecord>[] => {
    if (turn.role === "user") return [{ user: true, parts: turn.parts.map(writeUserPart) }];
    const parts = writeAnswer(turn, names, model);
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
  };
}

function writeDeclaration({ name, description, parameters }: ToolDeclaration, names: ToolNames): JsonRecord {
  const schema = toOpenApiSchema(cleanValue(parameters));
  return {
    name: names.toWire(name),
    ...(description === "" ? {} : { description: clean(description) }),
    ...(schema === undefined ? {} : { parameters: schema }),
  };
}

function writeUserPart(part: UserPart): JsonRecord {
  if (part.type === "text") return { text: part.text };
  return { inlineData: { mimeType: part.mimeType, data: part.data } };
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
function writeAnswer(turn: Answer, names: ToolNames, model: string): readonly JsonRecord[] {
  const signatures = readCallSignatures(turn.parts);
  const written: JsonRecord[] = [];
  let thought = "";
  for (const part of turn.parts) {
    if (part.type === "text") written.push({ text: part.text });
    else if (part.type === "reasoning") thought = part.text;
    else if (part.type === "tool-call") {
      const thoughtSignature = signatures.get(part.call);
      const functionCall = { name: names.toWire(part.name), ...writeId(part, turn), args: part.input };
      written.push({ functionCall, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) });
    } else writeOpaque(asRecord(part.data) ?? {}, thought, written);
  }
  if (needsSignature(model)) {
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
  if (raw !== undefined && (raw["thought"] !== true || raw["thoughtSignature"] !== undefined)) written.push(raw);
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

function readCallSignatures(parts: readonly AssistantPart[]): ReadonlyMap<string, string> {
  const signatures = new Map<string, string>();
  for (const part of parts) {
    const data = part.type === "opaque" ? asRecord(part.data) : undefined;
    const call = asText(data?.["call"]);
    const signature = asText(data?.["thoughtSignature"]);
    if (data?.["of"] === "call" && call !== undefined && signature !== undefined) signatures.set(call, signature);
  }
  return signatures;
}

function needsSignature(model: string): boolean {
  const version = /gemini-(\d+)/i.exec(model)?.[1];
  return version !== undefined && Number(version) >= 3;
}
