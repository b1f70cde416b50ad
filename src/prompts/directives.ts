/** Reads the settings of a prompt file: `<!-- sluice: type=video model=… -->` and the lines of its front matter. */
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

/** `unknown-key` in front matter is a hint only: other programs keep their keys there. */
export type ProblemReason = "unknown-key" | "unknown-front-matter" | "no-value" | `bad-${keyof PromptSettings}`;

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

/** `text` is what lies between the two lines of `---`. */
export function readFrontMatter(text: string, offset: number): ReadSettings {
  const reader = new SettingReader("unknown-front-matter");
  for (const match of text.matchAll(/^([A-Za-z][\w.-]*)[ \t]*:[ \t]*([^\r\n]*)/gm)) {
    const [whole, key = "", value = ""] = match;
    reader.read(key, value.replace(/\s+#.*$/, "").trim(), offset + match.index, offset + match.index + whole.length);
  }
  return reader;
}

class SettingReader implements ReadSettings {
  readonly problems: PromptProblem[] = [];
  settings: PromptSettings = {};
  readonly #unknown: ProblemReason;

  constructor(unknown: ProblemReason) {
    this.#unknown = unknown;
  }

  read(key: string, given: string | undefined, start: number, end: number): void {
    const value = (given ?? "").replace(/^(["'])(.*)\1$/s, "$2").trim();
    const known = promptKeys.find((name) => name === key.toLowerCase());
    if (known === undefined) this.problems.push({ start, end, reason: this.#unknown, name: key });
    else if (value === "") this.problems.push({ start, end, reason: "no-value", name: known });
    else {
      const read = readValue(known, value, this.settings);
      if (read) this.settings = { ...this.settings, ...read };
      else
        this.problems.push({ start, end, reason: `bad-${known === "reference" ? "references" : known}`, name: value });
    }
  }
}

function readValue(
  key: (typeof promptKeys)[number],
  value: string,
  before: PromptSettings,
): PromptSettings | undefined {
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
    case "reference":
      return { references: [...(before.references ?? []), value] };
    case "destination":
      return { destination: value };
  }
}

/** `image` and the words of the wire are what people type too. */
function readType(value: string): TaskType | undefined {
  const word = value.toLowerCase().replaceAll("_", "-");
  return word === "image" ? "async-image" : taskTypes.find((type) => type === word);
}

export function isSize(value: string): boolean {
  return /^[1-9]\d{0,4}[x×][1-9]\d{0,4}$/i.test(value);
}

/** `5`, `5s`, `2.5 s`. */
export function readSeconds(value: string): number | undefined {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*s?$/.exec(value) ?? [];
  const seconds = Number(digits);
  return digits !== undefined && seconds > 0 ? seconds : undefined;
}

export function readSeed(value: string): number | undefined {
  return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}
