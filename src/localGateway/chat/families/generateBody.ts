/** Reads the body of a generate-content request, its contents and its signatures into a conversation. */
import * as z from "zod/mini";
import { invalidRequest } from "../../http/httpError";
import { hasFamily } from "../../demo/models";
import { readWire, withoutNulls } from "../../http/requestContext";
import type { ModelRequest, DeclaredTool, ToolChoice, ToolCallTurn, ConversationTurn } from "../../demo/conversation";
import { noSuchModel } from "../modelRoutes";
import type { AnswerSignatures } from "../answerSignatures";
import { definedFields } from "../../../base/definedFields";
import { readImageData, type PromptImage } from "../../demo/images";

// Reads the contents of the generate-content family into the turns of a conversation.

const object = z.record(z.string(), z.unknown());
const inlineData = z.looseObject({ mimeType: z.string(), data: z.string() });
const partSchema = z.looseObject({
  text: z.optional(z.string()),
  thought: z.optional(z.boolean()),
  thoughtSignature: z.optional(z.string()),
  inlineData: z.optional(inlineData),
  fileData: z.optional(z.looseObject({ fileUri: z.string() })),
  functionCall: z.optional(
    z.looseObject({ name: z.string(), id: z.optional(z.string()), args: z.optional(z.nullable(object)) }),
  ),
  functionResponse: z.optional(
    z.looseObject({
      name: z.string(),
      id: z.optional(z.string()),
      response: object,
      parts: z.optional(z.array(z.looseObject({ inlineData: z.optional(inlineData) }))),
    }),
  ),
});

const contentSchema = z.looseObject({
  role: z.optional(z.enum(["user", "model"], { error: "Please use a valid role: user, model." })),
  parts: z.array(partSchema).check(z.minLength(1)),
});

type Part = z.infer<typeof partSchema>;
interface Content {
  /** `user` when missing. */
  readonly role?: "user" | "model" | undefined;
  readonly parts: readonly Part[];
}

const plainText = ({ text }: { readonly text?: string | undefined }): string => text ?? "";

/** Ids are optional on the wire: each call gets one here, and results are matched by id, else by name and order. */
function turnsOfContents(contents: readonly Content[]): readonly ConversationTurn[] {
  let open: readonly (ToolCallTurn & { readonly wireId: string | undefined })[] = [];
  return contents.flatMap((content, index): readonly ConversationTurn[] => {
    const field = `contents.${index}`;
    for (const [at, part] of content.parts.entries()) checkPart(part, `${field}.parts.${at}`);
    if (content.role === "model") {
      if (open.length > 0) throw missingResponses(index - 1);
      open = content.parts.flatMap(({ functionCall: call }, at) => {
        if (call === undefined) return [];
        const { name, id, args } = call;
        return [{ id: id ?? `${index}-${at}`, wireId: id, name, arguments: JSON.stringify(args ?? {}) }];
      });
      const text = content.parts.map((part) => (part.thought === true ? "" : plainText(part))).join("");
      return [{ role: "assistant", text, calls: open }];
    }
    const results = readResults(content, open, index);
    open = [];
    const text = content.parts.map(plainText).filter(Boolean).join("\n");
    const images = content.parts.flatMap((part, at) => readImage(part, `${field}.parts.${at}`));
    return text === "" && images.length === 0 && results.length > 0
      ? results
      : [...results, { role: "user", text, images }];
  });
}

function checkPart(part: Part, field: string): void {
  const kinds = [part.text, part.inlineData, part.fileData, part.functionCall, part.functionResponse];
  if (kinds.filter((kind) => kind !== undefined).length === 1) return;
  throw invalidRequest(`${field}: a part must have exactly one of its data fields.`, field);
}

function readResults(
  { parts }: Content,
  open: readonly (ToolCallTurn & { readonly wireId: string | undefined })[],
  index: number,
): readonly ConversationTurn[] {
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (responses.length !== open.length) throw missingResponses(index);
  let left = open;
  return responses.map(({ id, name, response, parts: shown = [] }): ConversationTurn => {
    const call = left.find((one) => one.name === name && one.wireId === id);
    if (call === undefined) {
      const known = id === undefined ? `the function ${name}` : `the call ${id} of ${name}`;
      throw invalidRequest(`contents.${index}: no open function call is answered by a response to ${known}.`);
    }
    left = left.filter((one) => one !== call);
    const { output, error } = response;
    const text = error ?? output ?? response;
    const images = shown.flatMap((part, at) => readImage(part, `contents.${index}.functionResponse.parts.${at}`));
    return {
      role: "tool",
      callId: call.id,
      text: typeof text === "string" ? text : JSON.stringify(text),
      ...definedFields({
        images: images.length === 0 ? undefined : images,
        failed: error === undefined ? undefined : true,
      }),
    };
  });
}

function missingResponses(index: number): Error {
  return invalidRequest(
    `contents.${index}: the number of function response parts must be equal to the number of function call parts ` +
      "of the turn before.",
    "contents",
  );
}

function readImage(
  { inlineData, fileData }: Pick<Part, "inlineData" | "fileData">,
  field: string,
): readonly PromptImage[] {
  if (inlineData !== undefined) return [readImageData(inlineData.mimeType, inlineData.data, `${field}.inlineData`)];
  return fileData === undefined ? [] : [{ kind: "address" }];
}

const schemaObject = z.record(z.string(), z.unknown());
const declaration = z.looseObject({
  name: z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/)),
  description: z.optional(z.string()),
  parameters: z.optional(schemaObject),
  parametersJsonSchema: z.optional(schemaObject),
});
const count = z.optional(z.int());
const requestSchema = z.looseObject({
  contents: z.array(contentSchema).check(z.minLength(1)),
  systemInstruction: z.optional(z.looseObject({ parts: z.array(z.looseObject({ text: z.optional(z.string()) })) })),
  tools: z.optional(z.array(z.looseObject({ functionDeclarations: z.optional(z.array(declaration)) }))),
  toolConfig: z.optional(
    z.looseObject({
      functionCallingConfig: z.optional(
        z.looseObject({
          mode: z.optional(z.enum(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"])),
          allowedFunctionNames: z.optional(z.array(z.string())),
        }),
      ),
    }),
  ),
  generationConfig: z.optional(
    z.looseObject({
      seed: count,
      maxOutputTokens: count,
      stopSequences: z.optional(z.array(z.string()).check(z.maxLength(5))),
      responseMimeType: z.optional(z.string()),
      responseSchema: z.optional(schemaObject),
      responseJsonSchema: z.optional(schemaObject),
      thinkingConfig: z.optional(
        z.looseObject({
          includeThoughts: z.optional(z.boolean()),
          thinkingBudget: count,
          thinkingLevel: z.optional(z.string()),
        }),
      ),
    }),
  ),
});
type GenerateBody = z.infer<typeof requestSchema>;

interface GenerateRequest extends ModelRequest {
  /** Whether thoughts are sent, as parts with `thought: true`. */
  readonly showThoughts: boolean;
}

interface GenerateContext {
  readonly model: string;
  readonly stream: boolean;
  readonly seed: number;
  readonly signatures: AnswerSignatures;
}

/** Throws the 400 or 404 of a strict service. */
export function readGenerateRequest(body: unknown, context: GenerateContext): GenerateRequest {
  const { model, stream, signatures } = context;
  if (!hasFamily(model, "generate-content")) throw noSuchModel(model, "generate-content");
  const request = readWire(requestSchema, readBody(body));
  const contents: readonly Content[] = request.contents;
  const config = request.generationConfig ?? {};
  const { thinkingConfig: thinking = {} } = config;
  const turns = turnsOfContents(contents);
  checkSignatures(contents, signatures);
  const { tools, toolChoice } = readTools(request);
  const isOff = thinking.thinkingBudget === 0 || thinking.thinkingLevel?.toUpperCase() === "MINIMAL";
  const system = (request.systemInstruction?.parts ?? []).map(plainText).join("\n");
  return {
    model,
    stream,
    maxTokens: config.maxOutputTokens ?? Infinity,
    stops: config.stopSequences ?? [],
    showThoughts: thinking.includeThoughts === true,
    conversation: {
      turns: system === "" ? turns : [{ role: "system", text: system, images: [] }, ...turns],
      tools,
      toolChoice,
      parallel: true,
      thinking: !isOff,
      seed: config.seed ?? context.seed,
      ...readFormat(config),
    },
  };
}

function readBody(body: unknown): unknown {
  const fields = asObject(withoutNulls(body));
  const { generationConfig: config } = fields;
  return config === undefined ? fields : { ...fields, generationConfig: withoutNulls(config) };
}

function readFormat(config: NonNullable<GenerateBody["generationConfig"]>): Pick<ModelRequest["conversation"], "json"> {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? responseSchema;
  if (type === "application/json") return { json: schema === undefined ? {} : { schema } };
  if (schema !== undefined) {
    throw invalidRequest("generationConfig: a response schema needs responseMimeType application/json.");
  }
  if (type !== undefined && type !== "text/plain") {
    throw invalidRequest(`generationConfig.responseMimeType: ${type} is not supported.`);
  }
  return {};
}

function readTools({ tools: wire = [], toolConfig }: GenerateBody): {
  readonly tools: readonly DeclaredTool[];
  readonly toolChoice: ToolChoice;
} {
  const tools = wire
    .flatMap((tool) => tool.functionDeclarations ?? [])
    .map((tool, index): DeclaredTool => {
      const field = `tools.functionDeclarations.${index}`;
      if (tool.parameters !== undefined) {
        if (tool.parametersJsonSchema !== undefined) {
          throw invalidRequest(`${field}: parameters and parametersJsonSchema exclude each other.`, field);
        }
        checkSchema(tool.parameters, `${field}.parameters`);
      }
      const parameters = tool.parametersJsonSchema ?? lowerTypes(tool.parameters ?? {});
      return { name: tool.name, description: tool.description ?? "", parameters };
    });
  const { mode = "AUTO", allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE") return { tools, toolChoice: "none" };
  if (mode !== "ANY") return { tools, toolChoice: "auto" };
  const open = allowed === undefined ? tools : tools.filter(({ name }) => allowed.includes(name));
  const [only, ...others] = open;
  return { tools: open, toolChoice: only !== undefined && others.length === 0 ? { name: only.name } : "required" };
}

const knownKeys = new Set(
  (
    "type format title description nullable enum items minItems maxItems properties required propertyOrdering " +
    "minProperties maxProperties minLength maxLength pattern minimum maximum anyOf default example"
  ).split(" "),
);

/** Refuses unknown keywords, because `parameters` accepts a subset of OpenAPI, not JSON Schema. */
function checkSchema(schema: Readonly<Record<string, unknown>>, field: string): void {
  for (const [key, value] of Object.entries(schema)) {
    if (!knownKeys.has(key)) {
      throw invalidRequest(`Invalid JSON payload received. Unknown name "${key}" at '${field}': Cannot find field.`);
    }
    const inner = key === "properties" ? Object.entries(asObject(value)) : [];
    for (const [name, property] of inner) checkSchema(asObject(property), `${field}.properties.${name}`);
    if (key === "items") checkSchema(asObject(value), `${field}.items`);
    if (key === "anyOf" && Array.isArray(value)) for (const one of value) checkSchema(asObject(one), `${field}.anyOf`);
  }
}

/** Writes type names in lower case, as in JSON Schema. */
function lowerTypes(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (key === "type" && typeof value === "string") return [key, value.toLowerCase()];
      if (key === "items") return [key, lowerTypes(asObject(value))];
      if (key !== "properties") return [key, value];
      const properties = Object.entries(asObject(value));
      return [key, Object.fromEntries(properties.map(([name, property]) => [name, lowerTypes(asObject(property))]))];
    }),
  );
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return schemaObject.safeParse(value).data ?? {};
}

// Signs function calls: the signature is on the first call of each step, and the client must send it back on the same part.

const kind = "call";
/** The signature of a call that another model made. */
const skip = "skip_thought_signature_validator";

/** `args`: JSON text. */
export function signCall(signatures: AnswerSignatures, name: string, args: string): string {
  return signatures.sign(kind, `${name} ${args}`);
}

/** Checks the signatures of the steps after the last prompt. Earlier steps are complete and need none. */
function checkSignatures(contents: readonly Content[], signatures: AnswerSignatures): void {
  const prompt = contents.findLastIndex(({ role, parts }) => role !== "model" && !parts.some(isResponse));
  for (const [index, { role, parts }] of contents.entries()) {
    if (role !== "model" || index < prompt) continue;
    const first = parts.find(({ functionCall }) => functionCall !== undefined);
    if (first?.functionCall === undefined) continue;
    const { name, args } = first.functionCall;
    const { thoughtSignature: signature } = first;
    if (signature === undefined) {
      throw invalidRequest(
        `Function call is missing a thought_signature in functionCall parts: \`${name}\` in contents.${index}. ` +
          "It must come back on the part on which it came.",
      );
    }
    if (signature === skip) continue;
    if (signatures.verify(kind, `${name} ${JSON.stringify(args ?? {})}`, signature) !== "genuine") {
      throw invalidRequest(`Invalid or corrupted thought signature: \`${name}\` in contents.${index}.`);
    }
  }
}

const isResponse = ({ functionResponse }: Part): boolean => functionResponse !== undefined;
