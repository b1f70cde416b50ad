/** Reads the settings of a prompt file: `<!-- sluice: type=video model=… -->` and the lines of its front matter. */
import { isSize, readSeconds, readSeed } from "../domain/task/commonOptions";
import { type TaskType, taskTypes } from "../domain/task/task";

/** What a directive sets for the prompts it applies to. Later ones replace earlier ones key by key. */
export interface PromptSettings {
  readonly type?: TaskType;
  readonly model?: string;
  /** `metadata_json` of the request. */
  readonly size?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly seed?: number;
  /** Paths from the file's folder, or URLs. */
  readonly references?: readonly string[];
  /** A path from the file's folder; one that ends with `/` is a folder. */
  readonly destination?: string;
}

export interface PromptProblem {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly reason: ProblemReason;
  /** The key or value that is meant. */
  readonly name: string;
}

/** `unknown-front-matter` is a hint only: other programs keep their keys in front matter. The last two mark where the reading of the file, or the list of problems, ends. */
export type ProblemReason =
  | "unknown-key"
  | "unknown-front-matter"
  | "no-value"
  | `bad-${keyof PromptSettings}`
  | "file-too-long"
  | "more-problems";

/** The most problems of a file. The next one is listed as `more-problems`; one directive reports no more than that either. */
export const maxPromptProblems = 100;

export interface ReadSettings {
  readonly settings: PromptSettings;
  readonly problems: readonly PromptProblem[];
}

export const promptKeys = ["type", "model", "size", "duration", "seed", "reference", "destination"] as const;

const pair = /([^\s=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s]*))?/g;

/** `text` is what follows `sluice:`, at `offset` in the file. */
export function readDirective(text: string, offset: number): ReadSettings {
  const reader = new SettingReader("unknown-key");
  for (const match of text.matchAll(pair)) {
    const [whole, key = "", value] = match;
    reader.read(key, value, offset + match.index, offset + match.index + whole.trimEnd().length);
  }
  return reader;
}

/** `text` is what lies between the two lines of `---`, at `offset` in the file. */
export function readFrontMatter(text: string, offset: number): ReadSettings {
  const reader = new SettingReader("unknown-front-matter");
  for (const match of text.matchAll(/^([A-Za-z][\w.-]*)[ \t]*:[ \t]*([^\r\n]*)/gm)) {
    const [whole, key = "", value = ""] = match;
    reader.read(key, withoutComment(value), offset + match.index, offset + match.index + whole.length);
  }
  return reader;
}

/** A `#` after a blank begins a comment. */
function withoutComment(value: string): string {
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}

class SettingReader implements ReadSettings {
  readonly problems: PromptProblem[] = [];
  settings: PromptSettings = {};
  readonly #unknown: ProblemReason;
  readonly #references: string[] = [];

  constructor(unknown: ProblemReason) {
    this.#unknown = unknown;
  }

  read(key: string, given: string | undefined, start: number, end: number): void {
    const value = (given ?? "")
      .replace(/^(["'])(.*)\1$/s, "$2")
      .replaceAll("\r\n", "\n")
      .trim();
    const known = promptKeys.find((name) => name === key.toLowerCase());
    const add = (reason: ProblemReason, name: string): void => {
      if (this.problems.length <= maxPromptProblems) this.problems.push({ start, end, reason, name });
    };
    if (known === undefined) add(this.#unknown, key);
    else if (value === "") add("no-value", known);
    else if (known === "reference") {
      this.#references.push(value);
      this.settings = { ...this.settings, references: this.#references };
    } else {
      const read = readValue(known, value);
      if (read) this.settings = { ...this.settings, ...read };
      else add(`bad-${known}`, value);
    }
  }
}

function readValue(key: Exclude<(typeof promptKeys)[number], "reference">, value: string): PromptSettings | undefined {
  switch (key) {
    case "type": {
      const type = readType(value);
      return type && { type };
    }
    case "model":
      return { model: value };
    case "size":
      return isSize(value) ? { size: value.toLowerCase() } : undefined;
    case "duration": {
      const duration = readSeconds(value);
      return duration === undefined ? undefined : { duration };
    }
    case "seed": {
      const seed = readSeed(value);
      return seed === undefined ? undefined : { seed };
    }
    case "destination":
      return { destination: value };
  }
}

/** `image` and the words of the wire are what people type too. */
function readType(value: string): TaskType | undefined {
  const word = value.toLowerCase().replaceAll("_", "-");
  return word === "image" ? "async-image" : taskTypes.find((type) => type === word);
}
