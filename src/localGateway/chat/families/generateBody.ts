/** Reads the body of a generate-content request into a conversation. */
import * as z from "zod/mini";
import { invalidRequest } from "../../http/httpError";
import { hasFamily } from "../../demo/models";
import { readWire, withoutNulls } from "../../http/readWire";
import type { ModelRequest, DeclaredTool, ToolChoice } from "../../conversation/conversation";
import { noSuchModel } from "../modelRoutes";
import type { AnswerSignatures } from "../answerSignatures";
import { type Content, contentSchema, plainText, turnsOfContents } from "./contentParts";
import { checkSignatures } from "./callSignatures";

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

export interface GenerateRequest extends ModelRequest {
  /** Thoughts are sent as parts with `thought: true`. */
  readonly showThoughts: boolean;
}

export interface GenerateContext {
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

/** `parameters` takes a subset of OpenAPI, not JSON Schema: unknown keywords are refused. */
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

/** Type names in lower case, as in JSON Schema. */
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
