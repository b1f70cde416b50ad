/** What a tool's definition says about arguments that models write in another form than its schema: rules for `readArguments`. */
import { isDeepStrictEqual } from "node:util";
import type { ArgumentNote } from "../../domain/chat/chat";
import { ToolRefusal } from "../../domain/tools/tool";
import { type JsonRecord, parseJson } from "../../base/jsonValue";

/** Beside the schema. A rule must not widen what a call does: it never turns on a switch that makes more happen, nor names another place. */
export interface ArgumentRules {
  /** In this order. Each changes only what the schema does not take. */
  readonly rules?: readonly ArgumentRule[];
  /** For the objects in a list, by the name of the list. */
  readonly within?: Readonly<Record<string, readonly ArgumentRule[]>>;
  /** Names that count as they are declared only: what they switch on must have been meant. */
  readonly exact?: readonly string[];
  /** An argument that the tool does not have would change what the call does or costs, so it is refused instead of ignored. */
  readonly refusesUnknown?: true;
}

/** Arguments that fit the schema and still say no call; the schema follows the message. */
export class ArgumentRefusal extends ToolRefusal {}

export type ArgumentRule = (draft: ArgumentDraft) => void;

/** Lower case, without what joins words: `filePath`, `file_path` and `file-path` are the same name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The arguments of one object while they are read. */
export class ArgumentDraft {
  readonly notes: ArgumentNote[] = [];
  /** Two arguments that mean the same thing and say different things. */
  conflict: string | undefined;
  readonly #values: Map<string, unknown>;
  readonly #properties: ReadonlySet<string>;
  /** The names that are none of the schema's, by their plain forms: there may be thousands. */
  readonly #undeclared: ReadonlyMap<string, string>;

  constructor(given: JsonRecord, properties: ReadonlySet<string>) {
    this.#values = new Map(Object.entries(given));
    this.#properties = properties;
    const others = [...this.#values.keys()].filter((key) => !properties.has(key));
    this.#undeclared = new Map(others.map((key) => [plainName(key), key]));
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  /** Names the arguments as the schema does: `startLine` is `start_line`. */
  nameAsDeclared(exact: readonly string[]): void {
    for (const property of this.#properties) {
      const from = exact.includes(property) ? undefined : this.find(property);
      if (from !== undefined) this.rename(from, property);
    }
  }

  get(name: string): unknown {
    return this.#values.get(name);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  remove(name: string): void {
    this.#values.delete(name);
  }

  /** The argument of that name in any way of writing it, which is none of the schema's own. */
  find(name: string): string | undefined {
    const key = this.#undeclared.get(plainName(name));
    return key !== undefined && this.#values.has(key) ? key : undefined;
  }

  /** `value`: what the argument says in the terms of the schema. */
  rename(from: string, to: string, value: unknown = this.get(from)): void {
    this.remove(from);
    if (this.#values.has(to)) {
      if (!isDeepStrictEqual(this.get(to), value))
        this.conflict = `${from} and ${to} say different things; give ${to} only.`;
      return;
    }
    this.set(to, value);
    this.notes.push({ type: "renamed", from, to });
  }

  noteConverted(name: string): void {
    this.notes.push({ type: "converted", name });
  }
}

/** Other names of an argument, each in any way of writing it. */
export function alias(to: string, ...names: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const name of names) {
      const from = draft.find(name);
      if (from !== undefined) draft.rename(from, to);
    }
  };
}

/** How other tools call the path of a file, and that of a folder to look in. */
export const fileAlias = alias("path", "file_path", "filename", "file", "absolute_path", "target_file");
export const folderAlias = alias("path", "directory", "dir", "folder", "target_directory", "dir_path", "relative_path");

/** Names of an argument that says the opposite. */
export function opposite(to: string, ...names: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const name of names) {
      const from = draft.find(name);
      const value = from === undefined ? undefined : asBoolean(draft.get(from));
      if (from !== undefined && value !== undefined) draft.rename(from, to, !value);
    }
  };
}

/** Other names of a text by which other tools take a pattern. One that is no valid pattern is a plain text. */
export function patternAlias(to: string, flag: string, ...names: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const name of names) {
      const from = draft.find(name);
      const value = from === undefined ? undefined : draft.get(from);
      if (from === undefined || typeof value !== "string") continue;
      // Case does not count here unless it is asked for.
      const text = value.replace(/^\(\?i\)/, "");
      draft.rename(from, to, text);
      if (!draft.values.has(flag) && isPattern(text)) draft.set(flag, true);
    }
  };
}

/** Without `flag` a text without special characters is the same as a pattern. */
function isPattern(text: string): boolean {
  if (!/[\\^$.*+?()[\]{}|]/.test(text)) return false;
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

/** Seconds that were given as milliseconds: whole thousands above the most that the tool takes. `most` is not exceeded. */
export function seconds(name: string, most: number, ...milliseconds: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const other of milliseconds) {
      const from = draft.find(other);
      const value = from === undefined ? undefined : asWhole(draft.get(from));
      if (from !== undefined && value !== undefined) draft.rename(from, name, secondsOf(value, most));
    }
    const value = asWhole(draft.get(name));
    if (value === undefined || value <= most || value % 1000 !== 0) return;
    draft.set(name, secondsOf(value, most));
    draft.noteConverted(name);
  };
}

function secondsOf(milliseconds: number, most: number): number {
  return Math.min(most, Math.max(1, Math.ceil(milliseconds / 1000)));
}

/** A range of lines in the forms of other tools: `offset` and `limit`, `view_range`, a first line 0, a last line -1. */
export function lineRange(first: string, last: string): ArgumentRule {
  return (draft) => {
    readPair(draft, first, last);
    alias(first, "offset", "from_line", "line_start", "first_line", "line")(draft);
    alias(last, "to_line", "line_end", "last_line")(draft);
    if (asWhole(draft.get(first)) === 0) {
      draft.set(first, 1);
      draft.noteConverted(first);
    }
    if (asWhole(draft.get(last)) === -1) {
      draft.remove(last);
      draft.noteConverted(last);
    }
    const limit = ["limit", "line_count", "num_lines", "max_lines"].map((name) => draft.find(name)).find(Boolean);
    const count = limit === undefined ? undefined : asWhole(draft.get(limit));
    const start = asWhole(draft.get(first)) ?? 1;
    // From a line that no file has there is no range to count.
    if (limit === undefined || count === undefined || count < 1 || start < 1) return;
    if (draft.values.has(last)) draft.remove(limit);
    else draft.rename(limit, last, start + count - 1);
  };
}

/** `[1, 50]`, `"1-50"`. */
function readPair(draft: ArgumentDraft, first: string, last: string): void {
  const from = ["view_range", "line_range", "range", "lines"].map((name) => draft.find(name)).find(Boolean);
  if (from === undefined) return;
  const given = draft.get(from);
  const list = typeof given === "string" ? (parseJson(given) ?? given.split(/[-:,]/)) : given;
  const [start, end, ...more] = Array.isArray(list) ? (list as unknown[]).map(asWhole) : [];
  if (start === undefined || end === undefined || more.length > 0) return;
  draft.rename(from, first, start);
  if (!draft.values.has(last)) draft.set(last, end);
}

/** A path with the number of a line, as lists and compilers write it: `src/app.ts:3`. A file whose own name ends so is not meant: hardly any does. */
export function placeInPath(path: string, line?: string): ArgumentRule {
  return (draft) => {
    const given = draft.get(path);
    if (typeof given !== "string") return;
    const [, file, number] = /^(.+?):(\d{1,9})(?::\d{1,9}|-\d{1,9})?:?$/s.exec(given) ?? [];
    if (file === undefined || number === undefined || /^[A-Za-z]$/.test(file)) return;
    draft.set(path, file);
    if (line !== undefined && !draft.values.has(line)) draft.set(line, Math.max(1, Number(number)));
    draft.noteConverted(path);
  };
}

export function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  return text === "true" ? true : text === "false" ? false : undefined;
}

function asWhole(value: unknown): number | undefined {
  const number = asNumeric(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A number, or a text that is one. */
export function asNumeric(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}
