/** Names of tools and of their arguments that are valid in every family, mapped both ways. */
import { isRecord, type JsonRecord } from "../../base/jsonValue";
import type { ToolDeclaration } from "../../domain/chat/message";
import { toRootObject } from "../../domain/tools/rootObject";

export interface ToolNames {
  /** The tools without duplicate names; the first of each name stays. The parameters are an object with names that every service accepts. */
  readonly tools: readonly ToolDeclaration[];
  toWire(name: string): string;
  /** The tool's own name; an unknown one is returned unchanged. */
  fromWire(name: string): string;
  /** The arguments of a call of that tool, by its own name. */
  inputToWire(name: string, input: JsonRecord): JsonRecord;
  inputFromWire(name: string, input: JsonRecord): JsonRecord;
}

const maxNameLength = 64;

export function createToolNames(tools: readonly ToolDeclaration[]): ToolNames {
  const wireNames = new Map<string, string>();
  const names = new Map<string, string>();
  const used = new Set<string>();
  // Valid names come first, so that they stay unchanged and the others are renamed.
  const ordered = [...tools].sort(
    (one, other) => Number(fit(other.name) === other.name) - Number(fit(one.name) === one.name),
  );
  for (const { name } of ordered) {
    if (wireNames.has(name)) continue;
    const wire = uniqueId(fit(name), used, maxNameLength);
    wireNames.set(name, wire);
    names.set(wire, name);
  }
  const written = tools
    .filter(({ name }, at) => tools.findIndex((tool) => tool.name === name) === at)
    .map((tool) => ({ ...tool, parameters: toRootObject(tool.parameters) }));
  const renamed = new Map(written.map(({ name, parameters }) => [name, new ArgumentNames(parameters)] as const));
  return {
    tools: written.map((tool) => ({ ...tool, parameters: renamed.get(tool.name)?.schema ?? tool.parameters })),
    toWire: (name) => wireNames.get(name) ?? fit(name),
    fromWire: (name) => names.get(name) ?? name,
    inputToWire: (name, input) => renamed.get(name)?.toWire(input) ?? input,
    inputFromWire: (name, input) => renamed.get(name)?.fromWire(input) ?? input,
  };
}

function fit(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, maxNameLength);
}

/** The names that Anthropic accepts; other services accept more. */
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Renames the arguments of one tool at any depth. Most tools have no name that needs it. */
class ArgumentNames {
  readonly schema: JsonRecord;
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(schema: JsonRecord) {
    const all = new Set<string>();
    collectNames(schema, all);
    const used = new Set([...all].filter((name) => argumentName.test(name)));
    for (const name of all) {
      if (argumentName.test(name)) continue;
      const plain = name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, maxNameLength);
      const wire = uniqueId(plain === "" ? "_" : plain, used, maxNameLength);
      this.#toWire.set(name, wire);
      this.#fromWire.set(wire, name);
    }
    this.schema = this.#toWire.size === 0 ? schema : (renameSchema(schema, this.#toWire) as JsonRecord);
  }

  toWire(input: JsonRecord): JsonRecord {
    return this.#toWire.size === 0 ? input : (renameKeys(input, this.#toWire) as JsonRecord);
  }

  fromWire(input: JsonRecord): JsonRecord {
    return this.#fromWire.size === 0 ? input : (renameKeys(input, this.#fromWire) as JsonRecord);
  }
}

function collectNames(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) collectNames(item, names);
  if (!isRecord(value)) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword !== "properties" || !isRecord(inner)) collectNames(inner, names);
    else
      for (const [name, property] of Object.entries(inner)) {
        names.add(name);
        collectNames(property, names);
      }
  }
}

function renameSchema(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameSchema(item, names));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([keyword, inner]): [string, unknown] => {
    if (keyword === "required" && Array.isArray(inner))
      return [keyword, inner.map((name: unknown) => (typeof name === "string" ? (names.get(name) ?? name) : name))];
    if (keyword !== "properties" || !isRecord(inner)) return [keyword, renameSchema(inner, names)];
    const properties = Object.entries(inner).map(([name, property]): [string, unknown] => [
      names.get(name) ?? name,
      renameSchema(property, names),
    ]);
    return [keyword, Object.fromEntries(properties)];
  });
  return Object.fromEntries(members);
}

function renameKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [names.get(name) ?? name, renameKeys(inner, names)]),
  );
}

/**
 * Makes ids and names unique within one request. Returns `wanted`, or `wanted` with a number at its end if it is in use, and adds the
 * result to `used`. `longest`: characters.
 */
export function uniqueId(wanted: string, used: Set<string>, longest = Infinity): string {
  let id = wanted;
  for (let next = 2; used.has(id); next++) id = `${wanted.slice(0, longest - 4)}_${next}`;
  used.add(id);
  return id;
}
