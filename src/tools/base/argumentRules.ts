/** Rules by which `readArguments` reads arguments that models write in another form than the tool's schema. */
import { isDeepStrictEqual } from "node:util";
import type { ArgumentNote } from "../../domain/chat/chat";
import { ToolRefusal } from "../../domain/tools/tool";
import { type JsonRecord, parseJson } from "../../base/jsonValue";

/** Rules of a tool next to its schema. None may widen what a call does: it turns on no switch that makes more happen, and names no other place. */
export interface ArgumentRules {
  /** The rules are applied in this order. Each changes only what the schema does not take. */
  readonly rules?: readonly ArgumentRule[];
  /** Rules for the object in an argument, or for the objects in its list, by the name of the argument. */
  readonly within?: Readonly<Record<string, readonly ArgumentRule[]>>;
  /** Names that are taken only as declared, in no other spelling: what they switch on must have been meant. */
  readonly exact?: readonly string[];
  /** An argument that the tool does not have would change what the call does or costs, so it is refused instead of ignored. */
  readonly refusesUnknown?: true;
}

/** Thrown for arguments that fit the schema and still describe no call; the schema is appended to the message. */
export class ArgumentRefusal extends ToolRefusal {}

export type ArgumentRule = (draft: ArgumentDraft) => void;

/** Converts to lower case and removes what joins words: `filePath`, `file_path` and `file-path` are the same name. */
export function argumentKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The arguments of one object while they are read. */
export class ArgumentDraft {
  readonly notes: ArgumentNote[] = [];
  /** The complaint where two arguments mean the same thing and have different values. */
  conflict: string | undefined;
  readonly #values: Map<string, unknown>;
  readonly #properties: ReadonlySet<string>;
  /** The names that the schema does not declare, by their plain forms. It is a map because there may be thousands. */
  readonly #undeclared: ReadonlyMap<string, string>;

  constructor(given: JsonRecord, properties: ReadonlySet<string>) {
    this.#values = new Map(Object.entries(given));
    this.#properties = properties;
    const others = [...this.#values.keys()].filter((key) => !properties.has(key));
    this.#undeclared = new Map(others.map((key) => [argumentKey(key), key]));
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

  /** Returns the key of an undeclared argument that is this name in any spelling. */
  find(name: string): string | undefined {
    const key = this.#undeclared.get(argumentKey(name));
    return key !== undefined && this.#values.has(key) ? key : undefined;
  }

  /** `value`: the value as the schema has it. */
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

/** Accepts other names of an argument, each in any spelling. */
export function alias(to: string, ...names: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const name of names) {
      const from = draft.find(name);
      if (from !== undefined) draft.rename(from, to);
    }
  };
}

/** Names that other tools have for the path of a file, and for a folder to look in. */
export const fileAlias = alias("path", "file_path", "filename", "file", "absolute_path", "target_file");
export const folderAlias = alias("path", "directory", "dir", "folder", "target_directory", "dir_path", "relative_path");

/** Accepts names of a boolean argument that means the opposite. */
export function acceptOpposite(to: string, ...names: readonly string[]): ArgumentRule {
  return (draft) => {
    for (const name of names) {
      const from = draft.find(name);
      const value = from === undefined ? undefined : asBoolean(draft.get(from));
      if (from !== undefined && value !== undefined) draft.rename(from, to, !value);
    }
  };
}

/** Accepts names under which other tools take a pattern. A value that is no valid pattern is read as plain text. */
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

/** A text without special characters means the same with and without `flag`, so it counts as no pattern. */
function isPattern(text: string): boolean {
  if (!/[\\^$.*+?()[\]{}|]/.test(text)) return false;
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

/** Converts seconds that were given as milliseconds: whole thousands above `most`, which the result does not exceed. */
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

/** Reads a range of lines in the forms of other tools: `offset` and `limit`, `view_range`, a first line 0, a last line -1. */
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
    // Lines are counted from 1, so no range begins before that.
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

/** Splits the number of a line off a path, as lists and compilers write it: `src/app.ts:3`. Hardly any name of a file ends so itself. */
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
