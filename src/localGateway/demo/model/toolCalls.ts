/** Turns a step of a prompt into calls of a declared tool, by the words in the names of the tool and of its properties. */
import * as z from "zod/mini";
import type { DeclaredTool } from "../conversation";
import { localModels } from "../models";
import type { PromptStep } from "./promptSteps";

const typed = { type: z.optional(z.union([z.string(), z.array(z.string())])) };
const propertySchema = z.looseObject({
  ...typed,
  /** The items of a list. */
  items: z.optional(z.looseObject({ ...typed, properties: z.optional(z.record(z.string(), z.looseObject(typed))) })),
  enum: z.optional(z.array(z.unknown())),
  default: z.optional(z.unknown()),
  minimum: z.optional(z.number()),
});
type Property = z.infer<typeof propertySchema>;

const parametersSchema = z.looseObject({
  properties: z.optional(z.record(z.string(), propertySchema)),
  required: z.optional(z.array(z.string())),
});

type ToolArguments = Readonly<Record<string, unknown>>;

export interface PlannedCall {
  readonly name: string;
  readonly input: ToolArguments;
}

interface Purpose {
  /** One of them must be in the tool's name. */
  readonly verbs: readonly string[];
  /** Of several fitting tools, the one with the most of these words in its name is called. */
  readonly things: readonly string[];
  /** None of them may be in the tool's name. */
  readonly not?: readonly string[];
}

/** The purpose of a tool call in one round of an answer. */
export type DemoCallStep =
  | Exclude<PromptStep, { readonly kind: "overview" }>
  | { readonly kind: "write"; readonly path: string; readonly text: string };
type NamedStep = Exclude<DemoCallStep, { readonly kind: "call" }>;

const purposes: Readonly<Record<NamedStep["kind"], Purpose>> = {
  read: { verbs: ["read", "view", "open", "cat"], things: ["file"], not: ["image", "page", "url"] },
  list: { verbs: ["list", "ls", "dir", "tree"], things: ["files", "dir", "directory", "folder"] },
  find: { verbs: ["find", "search", "grep"], things: ["text", "code"] },
  locate: { verbs: ["find", "search", "glob"], things: ["files", "file", "glob"] },
  replace: { verbs: ["edit", "replace", "patch"], things: ["file", "string", "text"] },
  write: { verbs: ["write", "create"], things: ["file"] },
  make: { verbs: ["submit"], things: ["task"] },
  run: { verbs: ["run", "exec", "execute", "bash", "shell"], things: ["command", "terminal"] },
  fetch: { verbs: ["fetch", "browse", "visit"], things: ["url", "page", "web"] },
  look: { verbs: ["view", "screenshot", "fetch"], things: ["page", "url"] },
};

/** The calls of one tool; `undefined` when no declared tool fits. */
export function planCalls(step: DemoCallStep, tools: readonly DeclaredTool[]): readonly PlannedCall[] | undefined {
  if (step.kind === "call") {
    const tool = tools.find(({ name }) => name === step.tool);
    const inputs = step.inputs.length === 0 ? ["{}"] : step.inputs;
    return tool && inputs.map((json) => complete(tool, readObject(json)));
  }
  const { verbs, things, not = [] } = purposes[step.kind];
  const count = (words: readonly string[], wanted: readonly string[]): number =>
    words.filter((word) => wanted.includes(word)).length;
  const fitting = tools
    .map((tool) => ({ tool, words: nameWords(tool.name), inputs: argumentsFor(step, readParameters(tool)) }))
    .filter(({ words, inputs }) => inputs !== undefined && count(words, verbs) > 0 && count(words, not) === 0)
    .sort((a, b) => count(b.words, things) - count(a.words, things));
  const [best] = fitting;
  if (best) return best.inputs?.map((input) => complete(best.tool, input));
  const command = step.kind === "run" ? undefined : commandFor(step);
  return command === undefined ? undefined : planCalls({ kind: "run", command }, tools);
}

/** The command line for a step, for agents such as Codex that have a shell and no tools for files. */
function commandFor(step: NamedStep): string | undefined {
  if (step.kind === "read") return `cat ${step.paths.map(quote).join(" ")}`;
  if (step.kind === "list") return step.path === undefined ? "ls" : `ls ${quote(step.path)}`;
  return step.kind === "find" ? `grep -rn -- ${quote(step.text)} ${quote(step.path ?? ".")}` : undefined;
}

function quote(text: string): string {
  return /^[\w./][\w./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The words of a name: `readTextFile`, `read_text_file` and `read-text-file` all give read, text, file. */
export function nameWords(name: string): readonly string[] {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.split(/[^a-z0-9]+/).filter((word) => word !== "");
}

interface Parameters {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

const pathWords = ["path", "filepath", "file", "uri", "directory", "dir", "folder"];
const queryWords = ["query", "pattern", "text", "search"];
const oldWords = ["old", "search", "find", "before"];
const newWords = ["new", "replacement", "replace", "after"];

/** One object for each call; `undefined` when the tool lacks a property that the step needs. */
function argumentsFor(step: NamedStep, { properties }: Parameters): readonly ToolArguments[] | undefined {
  const path = textProperty(properties, pathWords, [...oldWords, ...newWords]);
  const place = (value: string | undefined): ToolArguments =>
    path === undefined || value === undefined ? {} : { [path]: value };
  switch (step.kind) {
    case "read":
      if (path !== undefined) return step.paths.map((value) => ({ [path]: value }));
      return readAllAtOnce(step.paths, properties);
    case "list":
      return [place(step.path)];
    case "find": {
      const query = textProperty(properties, queryWords, pathWords);
      return query === undefined ? undefined : [{ [query]: step.text, ...place(step.path) }];
    }
    case "locate": {
      const pattern = textProperty(properties, ["glob", "pattern", "name", "query"], pathWords);
      return pattern === undefined ? undefined : [{ [pattern]: `**/${step.name}` }];
    }
    case "replace": {
      const old = textProperty(properties, oldWords, newWords);
      const replacement = textProperty(properties, newWords, oldWords);
      if (path === undefined || old === undefined || replacement === undefined) return undefined;
      return [{ [path]: step.path, [old]: step.old, [replacement]: step.replacement }];
    }
    case "write": {
      const text = textProperty(properties, ["text", "content", "contents"], pathWords);
      return path === undefined || text === undefined ? undefined : [{ [path]: step.path, [text]: step.text }];
    }
    case "run":
      return runOf(step, properties);
    case "fetch":
    case "look": {
      const address = textProperty(properties, ["url", "uri", "address"], []);
      return address === undefined ? undefined : [{ [address]: step.url }];
    }
    case "make":
      return Object.hasOwn(properties, "prompt") ? [orderOf(step, properties)] : undefined;
  }
}

/** The arguments for a tool that takes all paths at once, as texts or as objects with a path. */
function readAllAtOnce(
  paths: readonly string[],
  properties: Parameters["properties"],
): readonly ToolArguments[] | undefined {
  for (const [name, property] of Object.entries(properties)) {
    const isPaths = nameWords(name).some((word) => pathWords.includes(word.replace(/s$/, "")));
    if (!isPaths || !hasType(property, "array")) continue;
    if (hasType(property.items, "string")) return [{ [name]: paths }];
    const path = textProperty(property.items?.properties ?? {}, pathWords, []);
    if (path !== undefined) return [{ [name]: paths.map((value) => ({ [path]: value })) }];
  }
  return undefined;
}

/** The arguments of a command. Values for which the tool has no argument are left out. */
function runOf(
  { command, isBackground, port, isOutside }: Extract<NamedStep, { readonly kind: "run" }>,
  properties: Parameters["properties"],
): readonly ToolArguments[] | undefined {
  const line = textProperty(properties, ["command", "cmd", "line"], []);
  if (line === undefined) return undefined;
  const more: ToolArguments = {
    ...(isBackground ? { background: true } : {}),
    ...(port === undefined ? {} : { port }),
    ...(isOutside ? { outside: true, reason: "The prompt asks for it." } : {}),
  };
  const known = Object.entries(more).filter(([name]) => Object.hasOwn(properties, name));
  return [{ [line]: command, ...Object.fromEntries(known) }];
}

/** The arguments of a task. The last type of the medium is the simplest one, and the model is the gateway's own for that type. */
function orderOf(
  { media, prompt }: Extract<NamedStep, { readonly kind: "make" }>,
  properties: Parameters["properties"],
): ToolArguments {
  const type = properties["type"]?.enum?.findLast((value) => typeof value === "string" && value.includes(media));
  const model = localModels.find(({ capabilities }) => capabilities.task_types?.some((word) => word.includes(media)));
  return {
    prompt,
    ...(type === undefined ? {} : { type }),
    ...(model === undefined || !Object.hasOwn(properties, "model") ? {} : { model: model.id }),
  };
}

function textProperty(
  properties: Readonly<Record<string, Pick<Property, "type">>>,
  wanted: readonly string[],
  unwanted: readonly string[],
): string | undefined {
  return Object.keys(properties).find((name) => {
    const words = nameWords(name);
    const has = (list: readonly string[]): boolean => words.some((word) => list.includes(word));
    return hasType(properties[name], "string") && has(wanted) && !has(unwanted);
  });
}

/** Adds required arguments that the prompt does not give: the declared default, the first choice, or an empty value. */
function complete(tool: DeclaredTool, input: ToolArguments): PlannedCall {
  const { properties, required } = readParameters(tool);
  const missing = required.filter((name) => !Object.hasOwn(input, name));
  const rest = Object.fromEntries(missing.map((name) => [name, emptyValue(properties[name])]));
  return { name: tool.name, input: { ...input, ...rest } };
}

function emptyValue(property: Property = {}): unknown {
  if (property.default !== undefined) return property.default;
  if (property.enum !== undefined) return property.enum[0];
  if (hasType(property, "integer") || hasType(property, "number")) return property.minimum ?? 1;
  if (hasType(property, "boolean")) return false;
  if (hasType(property, "array")) return [];
  return hasType(property, "object") ? {} : "";
}

function readParameters({ parameters }: DeclaredTool): Parameters {
  const { data } = parametersSchema.safeParse(parameters);
  return { properties: data?.properties ?? {}, required: data?.required ?? [] };
}

function readObject(json: string): ToolArguments {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    return {};
  }
}

function hasType(property: Pick<Property, "type"> | undefined, type: string): boolean {
  return [property?.type ?? []].flat().includes(type);
}
