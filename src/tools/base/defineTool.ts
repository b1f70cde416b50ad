/** Defines a tool: one schema gives the type of the arguments, their validation and the JSON Schema for the model. */
import * as z from "zod/mini";
import { en } from "zod/locales";
import { toJSONSchema } from "zod/v4/core";
import { isLargerThan, isRecord, asRecord, type JsonRecord, parseJson } from "../../base/jsonValue";
import { argumentBounds } from "../../domain/chat/callBounds";
import { schemaLine } from "../../domain/tools/rootObject";
import { type PrepareContext, type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";
import type { ArgumentNote } from "../../domain/chat/chat";
import {
  ArgumentRefusal,
  type ArgumentRules,
  ArgumentDraft,
  type ArgumentRule,
  asBoolean,
  asNumeric,
  argumentKey,
} from "./argumentRules";

// zod/mini has no messages by default; the model needs them to correct its call.
z.config(en());

/** Characters: validation messages quote the arguments. */
const maxComplaintLength = 2000;

/** A path as an argument; no system accepts a longer one. */
export const pathArgument = (what: string): z.ZodMiniString => z.string().check(z.maxLength(4096), z.describe(what));

export interface ToolDefinition<S extends z.ZodMiniType> extends ArgumentRules {
  readonly name: string;
  readonly description: string;
  readonly effect: Tool["effect"];
  readonly parameters: S;
  readonly prepare: (input: z.infer<S>, signal: AbortSignal, context?: PrepareContext) => Promise<PreparedCall>;
}

export function defineTool<S extends z.ZodMiniType>(definition: ToolDefinition<S>): Tool {
  const { name, description, effect, parameters, prepare } = definition;
  const { $schema, ...schema } = toJSONSchema(parameters, {
    // zod writes the largest safe integer as the maximum of each integer, which would cost tokens in every request.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const readGiven = (input: unknown): ReadArguments => readArguments(schema, definition, input);
  const refuse = (complaint: string): ArgumentRefusal =>
    new ArgumentRefusal(`The arguments don't fit:\n${complaint}\n${name} takes ${schemaLine(schema)}.`);
  return {
    declaration: { name, description, parameters: schema },
    effect,
    read(given) {
      if (isLargerThan(given, argumentBounds)) return undefined;
      const { input, notes } = readGiven(given);
      return notes.length > 0 && isRecord(input) ? { input, notes } : undefined;
    },
    async prepare(given, signal, context) {
      if (isLargerThan(given, argumentBounds))
        throw new ToolRefusal("The arguments are nested too deeply, or have too many values.");
      const { input, notes, refusal } = readGiven(given);
      if (refusal !== undefined) throw refuse(refusal);
      const read = parameters.safeParse(input);
      const ignored = describeIgnored(ignoredNames(notes));
      if (!read.success) throw refuse(cut(z.prettifyError(read.error)) + ignored);
      const prepared = await asRefusal(prepare(read.data, signal, context)).catch((error: unknown) => {
        throw error instanceof ArgumentRefusal ? refuse(error.message + ignored) : error;
      });
      return withRefusals(prepared, ignored);
    },
  };
}

/** The note that is appended to a result or a complaint; empty where nothing was ignored. */
function describeIgnored(names: readonly string[]): string {
  return names.length === 0 ? "" : `\n(There are no such arguments, so they were ignored: ${names.join(", ")}.)`;
}

function cut(complaint: string): string {
  return complaint.length > maxComplaintLength
    ? `${complaint.slice(0, maxComplaintLength).toWellFormed()} …`
    : complaint;
}

/** File system errors that a tool did not handle contain absolute paths: they become refusals. `note` follows the result. */
function withRefusals(call: PreparedCall, note: string): PreparedCall {
  if (call.reasons === undefined) {
    return { ...call, run: async (signal, effects) => (await asRefusal(call.run(signal, effects))) + note };
  }
  return {
    ...call,
    async run(signal, effects) {
      const result = await asRefusal(call.run(signal, effects));
      return typeof result === "string" ? result + note : (withRefusals(result, note) as typeof result);
    },
  };
}

async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toRefusal(error, "What was asked for");
  }
}

/** The arguments of a call, converted to the tool's schema where a model wrote them in another form (A10). What the schema takes stays as it is. */
interface ReadArguments {
  readonly input: unknown;
  readonly notes: readonly ArgumentNote[];
  /** Why they can't be read, for the model. */
  readonly refusal?: string;
}

const maxNotes = 20;
/** Characters of a name in a note. */
const maxName = 100;

/** `schema`: the JSON Schema of the tool. */
export function readArguments(schema: JsonRecord, rules: ArgumentRules, given: unknown): ReadArguments {
  const reader = new ArgumentReader(rules);
  const input = reader.read(schema, reader.unwrap(schema, given));
  const notes = reader.notes.slice(0, maxNotes);
  return { input, notes, ...(reader.refusal === undefined ? {} : { refusal: reader.refusal }) };
}

/** The names of the arguments that were ignored. */
function ignoredNames(notes: readonly ArgumentNote[]): readonly string[] {
  return notes.flatMap((note) => (note.type === "ignored" ? [note.name] : []));
}

const wrappers = new Set(["arguments", "args", "input", "kwargs", "parameters", "params", "toolinput"]);

class ArgumentReader {
  readonly notes: ArgumentNote[] = [];
  refusal: string | undefined;
  readonly #rules: ArgumentRules;

  constructor(rules: ArgumentRules) {
    this.#rules = rules;
  }

  /** Unwraps arguments that are nested in one that the tool does not have: `{"arguments": {…}}`. */
  unwrap(schema: JsonRecord, given: unknown): unknown {
    if (!isRecord(given)) return given;
    const [only, ...more] = Object.keys(given);
    if (only === undefined || more.length > 0 || Object.hasOwn(asRecord(schema["properties"]) ?? {}, only))
      return given;
    const inner = parsed(given[only], isRecord) ?? given[only];
    return wrappers.has(argumentKey(only)) && isRecord(inner) ? this.#converted(only, given, inner) : given;
  }

  read(schema: JsonRecord, given: unknown): unknown {
    return isRecord(given) ? this.#readObject(schema, given, this.#rules.rules ?? [], "") : given;
  }

  /** `place`: where the object is, as a prefix of the names in it. */
  #readObject(schema: JsonRecord, given: JsonRecord, rules: readonly ArgumentRule[], place: string): JsonRecord {
    const properties = asRecord(schema["properties"]) ?? {};
    const draft = new ArgumentDraft(given, new Set(Object.keys(properties)));
    this.#leaveOutNulls(draft, schema);
    draft.nameAsDeclared(this.#rules.exact ?? []);
    for (const rule of rules) rule(draft);
    if (draft.conflict !== undefined) this.refusal ??= draft.conflict;
    for (const note of draft.notes) this.#note(placed(note, place));
    const read = [...draft.values].flatMap(([name, value]): [string, unknown][] => {
      const property = Object.hasOwn(properties, name) ? asRecord(properties[name]) : undefined;
      if (property === undefined) {
        this.#leaveOut(`${place}${name}`, value);
        return [];
      }
      const isOptional = !asNames(schema["required"]).includes(name);
      if (isOptional && saysNothing(property, value)) return [];
      return [[name, this.#readValue(property, value, `${place}${name}`, this.#rules.within?.[name] ?? [])]];
    });
    return Object.fromEntries(read);
  }

  #leaveOutNulls(draft: ArgumentDraft, schema: JsonRecord): void {
    const required = asNames(schema["required"]);
    for (const [name, value] of draft.values) if (value === null && !required.includes(name)) draft.remove(name);
  }

  #readValue(schema: JsonRecord, value: unknown, name: string, rules: readonly ArgumentRule[]): unknown {
    switch (schema["type"]) {
      case "integer":
      case "number":
        return this.#converted(name, value, typeof value === "number" ? undefined : asNumeric(value));
      case "boolean":
        return this.#converted(name, value, typeof value === "boolean" ? undefined : asBoolean(value));
      case "string":
        return this.#readText(schema, value, name);
      case "array":
        return this.#readList(schema, value, name, rules);
      case "object":
        return this.#readInner(schema, value, name, rules);
      default:
        return value;
    }
  }

  #readText(schema: JsonRecord, value: unknown, name: string): unknown {
    if (typeof value === "number") return this.#converted(name, value, String(value));
    const choices = asNames(schema["enum"]);
    if (typeof value !== "string" || choices.length === 0 || choices.includes(value)) return value;
    const same = choices.filter((choice) => argumentKey(choice) === argumentKey(value));
    return this.#converted(name, value, same.length === 1 ? same[0] : undefined);
  }

  #readList(schema: JsonRecord, given: unknown, name: string, rules: readonly ArgumentRule[]): unknown {
    const items = asRecord(schema["items"]) ?? {};
    let list = parsed(given, Array.isArray);
    if (list === undefined && !Array.isArray(given)) {
      const one = items["type"] === "object" ? (parsed(given, isRecord) ?? given) : given;
      const isItem = items["type"] === "object" ? isRecord(one) : items["type"] === "string" && typeof one === "string";
      if (isItem) list = [one];
    }
    const value = this.#converted(name, given, list);
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, at) => this.#readValue(items, item, `${name}[${at}]`, rules));
  }

  #readInner(schema: JsonRecord, given: unknown, name: string, rules: readonly ArgumentRule[]): unknown {
    const value = this.#converted(name, given, parsed(given, isRecord));
    const isOpen = asRecord(schema["properties"]) === undefined;
    return isRecord(value) && !isOpen ? this.#readObject(schema, value, rules, `${name}.`) : value;
  }

  /** Where `converted` is `undefined` the value stays as it is, and the schema judges it. */
  #converted(name: string, value: unknown, converted: unknown): unknown {
    if (converted === undefined) return value;
    this.#note({ type: "converted", name });
    return converted;
  }

  /** Ignores an argument that the tool does not have, or refuses the call for it. */
  #leaveOut(name: string, value: unknown): void {
    const plain = argumentKey(name);
    const isEmpty = value === false || value === "" || (isContainer(value) && Object.keys(value).length === 0);
    if (!isEmpty && restrictions.has(plain)) {
      this.refusal ??= `This tool has no ${short(name)}, and without it the call would do more than was meant.`;
    } else if (!isEmpty && this.#rules.refusesUnknown === true && !remarks.has(plain)) {
      this.refusal ??= `This tool has no ${short(name)}.`;
    } else this.#note({ type: "ignored", name });
  }

  #note(note: ArgumentNote): void {
    this.notes.push(
      note.type === "renamed" ? { ...note, from: short(note.from) } : { ...note, name: short(note.name) },
    );
  }
}

/** Arguments of other tools that hold an effect back: a call that ignored them would do more than was meant. */
const restrictions = new Set(["dryrun", "preview", "simulate", "whatif", "planonly", "checkonly", "noop"]);

/** Arguments that models add to explain or to classify a call; nothing depends on them. */
const remarks = new Set(
  ["explanation", "reason", "reasoning", "thought", "thoughts", "description", "comment", "purpose", "intent", "goal"]
    .concat(["justification", "summary", "title", "requiresapproval", "securityrisk", "risk", "issafe", "toolcallid"])
    .concat(["withescalatedpermissions", "taskprogress", "waitforprevioustools"]),
);

/** Whether a text is how models leave out an argument of another type than text. */
function saysNothing(schema: JsonRecord, value: unknown): boolean {
  if (schema["type"] === "string" || typeof value !== "string") return false;
  return ["", "null", "none", "undefined"].includes(value.trim().toLowerCase());
}

/** The JSON value that a text holds, of that kind and within the bounds of arguments. */
function parsed<T>(value: unknown, isKind: (value: unknown) => value is T): T | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  const read = parseJson(value);
  return isKind(read) && !isLargerThan(read, argumentBounds) ? read : undefined;
}

function placed(note: ArgumentNote, place: string): ArgumentNote {
  return note.type === "renamed"
    ? { ...note, from: `${place}${note.from}`, to: `${place}${note.to}` }
    : { ...note, name: `${place}${note.name}` };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function asNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function short(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName).toWellFormed()}…` : name;
}
