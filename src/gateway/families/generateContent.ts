/**
 * The generate-content family: writes the history as the body of `:streamGenerateContent`, lists the variants of the request, and registers the
 * family.
 */
import { definedFields } from "../../base/definedFields";
import type { AssistantPart, ChatRequest, ToolDeclaration, UserPart } from "../../domain/chat/message";
import type { PictureType } from "../../domain/media/pictureTypes";
import { asNumber, asRecord, asText, type JsonRecord } from "../../base/jsonValue";
import {
  withoutBrokenCharacters,
  cleanValue,
  alternate,
  type AssistantTurn,
  type CallResult,
  hasPaused,
  normaliseHistory,
  type RoleTurn,
  type ToolCall,
  type Turn,
  withSystemInPrompt,
  systemIntoPrompt,
  type SystemVariant,
} from "./normaliseHistory";
import { whyWithoutImage, imageRules } from "./imageRules";
import { createToolNames, type ToolNames } from "./toolNames";
import { toOpenApiSchema } from "./openApiSchema";
import type { ModelOptions, Thinking } from "../../domain/chat/modelOptions";
import { leaveOutRefused } from "./refusedParts";
import {
  baseVariant,
  moveKey,
  isRefusalOf,
  omitOlderSignatures,
  type VariantRule,
  type FamilyDefinition,
} from "./familyDefinition";
import { AppFailure } from "../../domain/errors/appError";
import type { ApiVersion } from "../http/httpRequest";
import { GenerateContentDecoder } from "./generateContentDecoder";

/** These services refuse the whole request for a GIF. */
const imageTypes: ReadonlySet<string> = new Set<PictureType>(["image/png", "image/jpeg", "image/webp"]);

/** Placeholder for a call that was never signed: models from version 3 on refuse a call without a signature. */
const noSignature = "skip_thought_signature_validator";

/** The model is part of the path, not of the body. */
export function buildGenerateContentRequest(
  request: ChatRequest,
  variant: GenerateContentVariant = firstGenerateContentVariant,
): JsonRecord {
  const { family, model, options } = request;
  const keepData = (data: unknown): unknown =>
    variant.refusedSignatures.has(readThoughtSignature(data) ?? "") ? withoutSignature(data) : data;
  const names = createToolNames(request.tools);
  const { tools } = names;
  const normal = normaliseHistory(request.messages, {
    family,
    model,
    keepData,
    whyWithout: whyWithoutImage(variant, imageTypes),
  });
  const history = variant.systemInPrompt ? withSystemInPrompt(normal) : normal;
  const { system } = history;
  const { turns, continuationToken } = takePaused(history.turns);
  const signCalls = variant.signCalls ?? (geminiVersion(model) ?? 0) >= 3;
  const generationConfig = writeGenerationConfig(options, model);
  const written = turns.flatMap((turn): readonly RoleTurn<JsonRecord>[] => {
    if (turn.role === "user") return [{ user: true, parts: turn.parts.map(writeUserPart) }];
    const parts = writeAnswer(turn, names, signCalls);
    if (parts.length === 0) return [];
    const results = writeResults(turn, names, model);
    return [{ user: false, parts }, ...(results.length === 0 ? [] : [{ user: true, parts: results }])];
  });
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: [{ text: system.join("\n\n") }] } }),
    contents: alternate<JsonRecord>(written, { text: "Continue." }).map(({ user, parts }) => ({
      role: user ? "user" : "model",
      parts,
    })),
    ...(tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: tools.map((tool) => writeDeclaration(tool, names)) }] }),
    ...(request.mustCallTool && tools.length > 0 ? { toolConfig: { functionCallingConfig: { mode: "ANY" } } } : {}),
    ...definedFields({ generationConfig, continuationToken }),
  };
}

/** A paused answer is continued by the same request with its token; the answer so far is not sent. */
function takePaused(turns: readonly Turn[]): { readonly turns: readonly Turn[]; readonly continuationToken?: string } {
  const token = readToken(turns.at(-1));
  if (token === undefined) return { turns };
  const last = turns.findLastIndex((turn) => readToken(turn) === undefined);
  return { turns: turns.slice(0, last + 1), continuationToken: token };
}

function readToken(turn: Turn | undefined): string | undefined {
  if (turn?.role !== "assistant" || !hasPaused(turn)) return undefined;
  const data = turn.parts.map((part) => (part.type === "opaque" ? asRecord(part.data) : undefined));
  return data.map((record) => asText(record?.["continuationToken"])).findLast((token) => token !== undefined);
}

function writeDeclaration({ name, description, parameters }: ToolDeclaration, names: ToolNames): JsonRecord {
  const schema = toOpenApiSchema(cleanValue(parameters));
  return {
    name: names.toWire(name),
    ...(description === "" ? {} : { description: withoutBrokenCharacters(description) }),
    ...definedFields({ parameters: schema }),
  };
}

function writeUserPart(part: UserPart): JsonRecord {
  if (part.type === "text") return { text: part.text };
  return writeMedia(part);
}

function writeMedia({ mimeType, data }: { readonly mimeType: string; readonly data: string }): JsonRecord {
  return { inlineData: { mimeType, data } };
}

/** Writes a response for each call, in order, in one content. Models from version 3 on take images inside a response, others after all of them. */
function writeResults(turn: AssistantTurn, names: ToolNames, model: string): readonly JsonRecord[] {
  const isNested = (geminiVersion(model) ?? 0) >= 3;
  const responses = turn.results.map((result) => writeResult(result, turn, names, isNested));
  return isNested ? responses : [...responses, ...turn.results.flatMap(({ images }) => images.map(writeMedia))];
}

function writeResult(
  { call, text, images, isError }: CallResult,
  turn: AssistantTurn,
  names: ToolNames,
  isNested: boolean,
): JsonRecord {
  const response = isError ? { error: text } : { output: text };
  const parts = isNested && images.length > 0 ? { parts: images.map(writeMedia) } : {};
  return { functionResponse: { name: names.toWire(call.name), ...writeId(call, turn), response, ...parts } };
}

/** Writes an id only if this family assigned it; none is generated. */
function writeId({ wireId }: ToolCall, { family }: AssistantTurn): { readonly id?: string } {
  return family === "generate-content" && wireId !== undefined ? { id: wireId } : {};
}

/** Writes the parts in their order, each signature on the part that it arrived with. */
function writeAnswer(turn: AssistantTurn, names: ToolNames, signCalls: boolean): readonly JsonRecord[] {
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
      const args = names.inputToWire(part.name, part.input);
      const functionCall = { name: names.toWire(part.name), ...writeId(part, turn), args };
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
  return written.every(({ text }) => typeof text === "string" && text.trim() === "") ? [] : written;
}

/** `GenerateContentOpaque`, read as unknown data: it may come from a file. Unsigned thinking is omitted. */
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
      // The signed text was removed from the history.
      if (text === undefined || written.at(-1)?.["thoughtSignature"] !== undefined) return;
      written.pop();
      const before = text.slice(0, -length);
      if (before !== "") written.push({ text: before });
      written.push({ text: text.slice(-length), thoughtSignature });
    } else written.push({ text: "", thoughtSignature });
  }
}

/** Services refuse empty parts and unsigned thoughts, so they are omitted. A signed picture replaces the one that was shown. */
function writeRaw(raw: JsonRecord, written: JsonRecord[]): void {
  const { thought, thoughtSignature, ...content } = raw;
  if (Object.keys(content).length === 0 || (thought === true && thoughtSignature === undefined)) return;
  const picture = asRecord(raw["inlineData"]) ?? asRecord(raw["inline_data"]);
  const shown = asRecord(written.at(-1)?.["inlineData"]);
  if (picture !== undefined && shown?.["data"] === picture["data"]) written.pop();
  written.push(raw);
}

/** Signatures by `call`. */
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

/** The user's options for thinking: a number of tokens or a level. */
const budgets = { off: 0, low: 4096, medium: 8192, high: 24_576 } as const;
const levels = { off: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;

function writeGenerationConfig(options: ModelOptions = {}, model: string): JsonRecord | undefined {
  const { maxOutputTokens, temperature, thinking } = options;
  const config = {
    ...definedFields({ maxOutputTokens, temperature }),
    ...(thinking === undefined || thinking === false ? {} : { thinkingConfig: writeThinking(thinking, model) }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function writeThinking(thinking: Exclude<Thinking, false>, model: string): JsonRecord {
  if (thinking === true) return { includeThoughts: true };
  // The two fields exclude each other: models up to version 2 take a number of tokens.
  const amount =
    (geminiVersion(model) ?? 3) < 3 ? { thinkingBudget: budgets[thinking] } : { thinkingLevel: levels[thinking] };
  return thinking === "off" ? amount : { includeThoughts: true, ...amount };
}

/** The version in a model's id; `undefined` for other ids. */
function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+)/i.exec(model)?.[1];
  return version === undefined ? undefined : Number(version);
}

// Lists the variants of the request, and which refusal leads to which.

export interface GenerateContentVariant extends SystemVariant {
  /** A call without a signature gets a placeholder; chosen by the model's id when left out. */
  readonly signCalls?: true;
}

export const firstGenerateContentVariant: GenerateContentVariant = baseVariant;

const badSignature = /(?:invalid|corrupt\w{0,20})[^.]{0,20} thought.?signature/i;

/** Retry unchanged: the request may be routed to another backend, the one that signed. */
const unchanged: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, badSignature),
  change: (variant) => variant,
};

const withoutOlderSignatures: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, badSignature),
  change: (variant, request) => omitOlderSignatures(variant, request, readThoughtSignature),
};

const withSignedCalls: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, /missing[^.]{0,20} thought.?signature/i),
  change: (variant) => (variant.signCalls ? undefined : { ...variant, signCalls: true }),
};

const withOtherPrefix: VariantRule<GenerateContentVariant> = {
  matches({ status, code, message, firstBytes }) {
    if (status !== 404) return false;
    // A gateway that serves the path names the missing model in its 404; one that does not serve it gives another message.
    const namesModel = firstBytes === undefined && /\bmodel\b/i.test(`${code ?? ""} ${message}`.replaceAll("_", " "));
    return !namesModel || /api version/i.test(message);
  },
  change: (variant) => ({ ...variant, version: variant.version === "v1beta" ? "v1" : "v1beta" }),
};

const generateContentRules = [
  ...imageRules<GenerateContentVariant>(),
  unchanged,
  withoutOlderSignatures,
  withSignedCalls,
  withOtherPrefix,
  systemIntoPrompt<GenerateContentVariant>(),
  moveKey<GenerateContentVariant>("x-goog-api-key"),
  ...leaveOutRefused<GenerateContentVariant>(),
];

/** Thought signatures in the opaque data of the generate-content family: the service checks them when a part is sent back. */
export function readThoughtSignature(data: unknown): string | undefined {
  const record = asRecord(data);
  return asText(record?.["thoughtSignature"]) ?? asText(asRecord(record?.["part"])?.["thoughtSignature"]);
}

/** Keeps a whole part without its signature; drops a signature alone. */
function withoutSignature(data: unknown): unknown {
  const part = asRecord(asRecord(data)?.["part"]);
  if (part === undefined) return undefined;
  const { thoughtSignature: _, ...unsigned } = part;
  return { part: unsigned };
}

// Defines the family for the registry.

interface GenerateContentSettings {
  /** The only place of the key; when left out, `x-goog-api-key` is tried after a 401. */
  readonly authentication?: "bearer" | "x-goog-api-key" | "query";
  /** The only prefix of the path; when left out, the other one is tried after a 404. */
  readonly version?: ApiVersion;
}

export const generateContentFamily: FamilyDefinition<GenerateContentVariant, GenerateContentSettings> = {
  family: "generate-content",
  firstVariant: firstGenerateContentVariant,
  variantRules: generateContentRules,
  createDecoder: (answer) => new GenerateContentDecoder(answer),
  writeRequest: (request, variant) => ({
    path: `/models/${modelPath(request.model)}:streamGenerateContent?alt=sse`,
    version: variant.version,
    headers: {},
    keyPlace: variant.keyPlace,
    body: buildGenerateContentRequest(request, variant),
  }),
  accessOf: ({ authentication, version }) => definedFields({ keyPlace: authentication, version }),
};

/** An id may contain slashes, and may begin with the `models/` that is already in the path. */
function modelPath(model: string): string {
  const segments = model.replace(/^models\//, "").split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new AppFailure({ kind: "not-found", message: `This is no id of a model: ${model}`, notSent: true });
  }
  return segments.map(encodeURIComponent).join("/");
}
