/** Fits a step to a declared tool: which one by its name and description, which property by its name and type. */
import * as z from "zod/mini";
import type { DeclaredTool } from "../chat/conversation";
import type { Step } from "./intents";
import { wordsOf } from "./words";

const propertySchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  enum: z.optional(z.array(z.unknown())),
  default: z.optional(z.unknown()),
  items: z.optional(z.record(z.string(), z.unknown())),
  minimum: z.optional(z.number()),
});
type Property = z.infer<typeof propertySchema>;

const objectSchema = z.looseObject({
  properties: z.optional(z.record(z.string(), propertySchema)),
  required: z.optional(z.array(z.string())),
});

interface Form {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

export type ToolInput = Readonly<Record<string, unknown>>;

export interface FittedCall {
  readonly tool: DeclaredTool;
  readonly input: ToolInput;
}

interface Purpose {
  readonly verbs: readonly string[];
  readonly things: readonly string[];
  /** Words in the name of a tool that is for something else. */
  readonly not: readonly string[];
}

const purposes: Readonly<Record<Exclude<Step["kind"], "named">, Purpose>> = {
  read: {
    verbs: ["read", "open", "view", "cat", "get", "show", "load"],
    things: ["file", "text", "content", "contents", "document", "lines"],
    not: ["write", "edit", "replace", "list", "find", "search", "delete", "create", "run", "task", "url", "web"],
  },
  list: {
    verbs: ["list", "ls", "dir", "tree", "glob", "browse"],
    things: ["files", "file", "folder", "directory", "workspace", "entries"],
    not: ["task", "tasks", "model", "models", "symbols", "read", "write", "edit"],
  },
  find: {
    verbs: ["find", "search", "grep", "locate"],
    things: ["text", "content", "contents", "code", "lines", "occurrences"],
    not: ["replace", "edit", "web", "task", "tasks"],
  },
  replace: {
    verbs: ["edit", "replace", "patch", "modify", "change", "update", "apply"],
    things: ["file", "text", "exact", "string"],
    not: ["task", "read", "delete"],
  },
  run: {
    verbs: ["run", "execute", "exec", "bash", "shell"],
    things: ["command", "terminal", "shell"],
    not: ["task", "tests"],
  },
};

/** The calls of a step, all of one tool; nothing when no declared tool fits. */
export function fitStep(step: Step, tools: readonly DeclaredTool[]): readonly FittedCall[] | undefined {
  const inputs = inputsOf(step);
  const fitting = tools
    .map((tool) => {
      const score = step.kind === "named" ? (tool.name === step.tool ? 1 : 0) : scoreTool(tool, purposes[step.kind]);
      if (score <= 0) return undefined;
      const form = readForm(tool);
      const calls = inputs.map((fill) => fill(form)).filter((input) => input !== undefined);
      return calls.length < inputs.length ? undefined : { tool, form, calls, score };
    })
    .filter((candidate) => candidate !== undefined)
    .sort((a, b) => b.score - a.score);
  const [best] = fitting;
  return best?.calls.map((input) => ({ tool: best.tool, input: { ...input, ...missing(best.form, input) } }));
}

/** Each makes the arguments of one call, or says that the tool has no place for them. */
function inputsOf(step: Step): readonly ((form: Form) => ToolInput | undefined)[] {
  switch (step.kind) {
    case "read":
      return step.paths.map((path) => (form) => {
        const property = findText(form, pathWords);
        return property === undefined ? undefined : { [property]: path, ...lineRange(form, step.from, step.to) };
      });
    case "list":
      return [(form) => place(form, step.path)];
    case "find":
      return [
        (form) => {
          const property = findText(form, queryWords, pathWords);
          return property === undefined ? undefined : { [property]: step.text, ...place(form, step.path) };
        },
      ];
    case "replace":
      return [(form) => replaceInput(form, step)];
    case "run":
      return [
        (form) => {
          const property = findText(form, { command: 3, cmd: 3, script: 2, line: 1 });
          return property === undefined ? undefined : { [property]: step.command };
        },
      ];
    case "named":
      return step.jsons.length === 0
        ? [(form) => inOrder(form, step.texts)]
        : step.jsons.map((json) => () => readObject(json));
  }
}

type Weights = Readonly<Record<string, number>>;
const pathWords: Weights = {
  path: 3,
  filepath: 3,
  filename: 3,
  file: 2,
  uri: 2,
  document: 1,
  dir: 2,
  directory: 2,
  folder: 2,
};
const queryWords: Weights = { query: 3, pattern: 2, text: 2, search: 2, term: 2, needle: 3, regex: 2, string: 1, q: 3 };
const oldWords: Weights = { old: 3, search: 3, find: 3, before: 3, original: 3, existing: 2, target: 1, from: 1 };
const newWords: Weights = { new: 3, replacement: 3, replace: 2, after: 3, with: 2, to: 1 };

function replaceInput(form: Form, step: Extract<Step, { kind: "replace" }>): ToolInput | undefined {
  const path = findText(form, pathWords, { ...oldWords, ...newWords });
  if (path !== undefined && step.path === undefined) return undefined;
  const where = path === undefined ? {} : { [path]: step.path };
  const flat = oldAndNew(form, step);
  if (flat !== undefined) return { ...where, ...flat };
  for (const [name, { items }] of Object.entries(form.properties)) {
    const inner = items === undefined ? undefined : oldAndNew(readParameters(items), step);
    if (inner !== undefined) return { ...where, [name]: [inner] };
  }
  return undefined;
}

function oldAndNew(form: Form, step: Extract<Step, { kind: "replace" }>): ToolInput | undefined {
  const old = findText(form, oldWords, newWords) ?? findText(form, oldWords);
  const replacement = findText(form, newWords, oldWords) ?? findText(form, newWords, {}, old);
  if (old === undefined || replacement === undefined || old === replacement) return undefined;
  return { [old]: step.old, [replacement]: step.replacement };
}

function place(form: Form, path: string | undefined): ToolInput {
  const property = path === undefined ? undefined : findText(form, pathWords, queryWords);
  return property === undefined ? {} : { [property]: path };
}

function lineRange(form: Form, from: number | undefined, to: number | undefined): ToolInput {
  if (from === undefined || to === undefined) return {};
  const first = findProperty(form, { start: 2, from: 2, begin: 2, first: 2, offset: 1 }, isNumber);
  const last = findProperty(form, { end: 2, to: 2, last: 2, until: 2 }, isNumber);
  const count = last === undefined ? findProperty(form, { limit: 2, count: 2, lines: 1 }, isNumber) : undefined;
  return {
    ...(first === undefined ? {} : { [first]: from }),
    ...(last === undefined ? {} : { [last]: to }),
    ...(count === undefined ? {} : { [count]: to - from + 1 }),
  };
}

/** The text property whose name has the most of the wanted words and none of the unwanted. */
function findText(form: Form, wanted: Weights, unwanted: Weights = {}, except?: string): string | undefined {
  return findProperty(form, wanted, (property) => hasType(property, "string"), unwanted, except);
}

function findProperty(
  form: Form,
  wanted: Weights,
  fits: (property: Property) => boolean,
  unwanted: Weights = {},
  except?: string,
): string | undefined {
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const [name, property] of Object.entries(form.properties)) {
    if (name === except || !fits(property)) continue;
    const words = wordsOf(name);
    if (words.some((word) => (unwanted[word] ?? 0) > (wanted[word] ?? 0))) continue;
    const score = words.reduce((sum, word) => sum + (wanted[word] ?? 0), 0);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}

/** What the tool insists on and the prompt did not say: the declaration's default, first choice, or an empty value. */
function missing(form: Form, input: ToolInput): ToolInput {
  const names = form.required.filter((name) => !Object.hasOwn(input, name));
  return Object.fromEntries(names.map((name) => [name, emptyValue(form.properties[name])]));
}

function emptyValue(property: Property | undefined): unknown {
  if (property?.default !== undefined) return property.default;
  if (property?.enum !== undefined) return property.enum[0];
  if (property === undefined || hasType(property, "string")) return "";
  if (isNumber(property)) return property.minimum ?? 1;
  if (hasType(property, "boolean")) return false;
  return hasType(property, "array") ? [] : {};
}

function inOrder(form: Form, texts: readonly string[]): ToolInput {
  const names = Object.keys(form.properties).filter((name) => hasType(form.properties[name], "string"));
  const order = [...form.required.filter((name) => names.includes(name)), ...names];
  const pairs = [...new Set(order)].slice(0, texts.length).map((name, index) => [name, texts[index]] as const);
  return Object.fromEntries<unknown>(pairs);
}

function readObject(json: string): ToolInput | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function scoreTool({ name, description }: DeclaredTool, { verbs, things, not }: Purpose): number {
  const count = (words: readonly string[], list: readonly string[]): number =>
    new Set(words.filter((word) => list.includes(word))).size;
  const inName = wordsOf(name);
  // *Reads a file* is about reading.
  const inText = wordsOf(description).map((word) => (verbs.includes(word) ? word : word.replace(/e?s$/, "")));
  const kind = Math.min(1, count(inName, verbs)) * 4 + count(inName, things) * 2 - count(inName, not) * 5;
  const told = Math.min(2, count(inText, verbs)) + Math.min(2, count(inText, things)) * 0.5;
  const aboutIt = count(inName, verbs) + count(inText.slice(0, 4), verbs);
  return aboutIt === 0 ? 0 : kind + told;
}

function readForm(tool: DeclaredTool): Form {
  return readParameters(tool.parameters);
}

function readParameters(parameters: Readonly<Record<string, unknown>>): Form {
  const read = objectSchema.safeParse(parameters);
  return { properties: read.data?.properties ?? {}, required: read.data?.required ?? [] };
}

function hasType(property: Property | undefined, type: string): boolean {
  const own = property?.type;
  return own === type || (Array.isArray(own) && own.includes(type));
}

const isNumber = (property: Property): boolean => hasType(property, "integer") || hasType(property, "number");
