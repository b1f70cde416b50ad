/**
 * Reads the directives of a prompt file, such as `<!-- sluice: type=video model=… -->`, their lists of values, and how settings replace each other.
 * Pure.
 */
import { isTaskOption, readOption, type TaskOptions, taskOptions } from "../../domain/task/commonOptions";
import { destinationProblem } from "../../domain/task/destination";
import { type TaskType, taskTypes } from "../../domain/task/task";
import { mediaOf } from "../../domain/task/taskTypes";

/** The settings of a directive for the prompts that it applies to. Later ones replace earlier ones key by key. */
export interface PromptSettings extends TaskOptions {
  readonly type?: TaskType;
  readonly model?: string;
  /** Paths from the file's folder, or URLs. */
  readonly references?: readonly string[];
  /** A path from the file's folder; one that ends with `/` is a folder. */
  readonly destination?: string;
  /** The settings by the several values of a key: each prompt is a task for each of them. A key that is here has no value of its own. */
  readonly lists?: Readonly<Partial<Record<ListedKey, readonly OneSetting[]>>>;
  /**
   * Keys whose value can't be used; `unknown` for a key that is none of ours. A prompt with one is not submitted: the person would pay for another
   * result than the file describes.
   */
  readonly unusable?: readonly UnusableKey[];
}

type UnusableKey = (typeof promptKeys)[number] | "unknown";

/** The keys that may have several values, in the order in which they follow the variables in the name of a variant. */
export const listedKeys = ["model", ...taskOptions] as const;
type ListedKey = (typeof listedKeys)[number];
type OneSetting = Pick<PromptSettings, ListedKey>;

/** A key of the front matter that prompts name as `{{key}}`. */
export interface PromptVariable {
  readonly name: string;
  readonly values: readonly string[];
  /** Its value is neither a text nor a list of texts. */
  readonly isUnreadable?: true;
  /** Offsets of its line in the text. */
  readonly start: number;
  readonly end: number;
}

export interface PromptProblem {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly reason: ProblemReason;
  /** The key or value that is meant. */
  readonly name: string;
  /** For an unknown variable: a name that exists and may be meant. */
  readonly nearest?: string;
}

/**
 * `unused-variable` and `no-heading` are hints only: other programs keep their keys in front matter, and a file may be for reading. The last two mark
 * where the reading of the file, or the list of problems, ends.
 */
type ProblemReason =
  | "unknown-key"
  | "unused-variable"
  | "unknown-variable"
  | "unread-braces"
  | "bad-yaml"
  | "bad-form"
  | "duplicate-key"
  | "front-matter-too-long"
  | "too-many-variants"
  | "variants-too-long"
  | "no-value"
  | "too-many-values"
  | "no-heading"
  | `bad-${Exclude<keyof PromptSettings, "lists" | "unusable">}`
  | "file-too-long"
  | "more-problems";

/** Characters of a file that are read. */
export const maxPromptFile = 256 * 1024;

/** The most problems of a file. The next one is listed as `more-problems`; one directive reports no more than that either. */
export const maxPromptProblems = 100;

export interface ReadSettings {
  readonly settings: PromptSettings;
  readonly problems: readonly PromptProblem[];
}

export const promptKeys = ["type", ...listedKeys, "reference", "destination"] as const;

const pair = /([^\s=]+)(?:\s*=\s*("[^"]*"|'[^']*'|\[[^[\]]*\]|[^\s]*))?/g;

/** `text` is what follows `sluice:`, at `offset` in the file. */
export function readDirective(text: string, offset: number): ReadSettings {
  const reader = new SettingReader();
  for (const match of text.matchAll(pair)) {
    const [whole, key = "", value = ""] = match;
    const [start, end] = [offset + match.index, offset + match.index + whole.trimEnd().length];
    const known = knownKey(key);
    if (known === undefined) reader.refuse("unknown", { start, end, reason: "unknown-key", name: key });
    else reader.read(known, readList(value) ?? [unquoted(value)], start, end);
  }
  return reader;
}

/** The text between the two lines of `---` at the beginning of a file; `end` is the offset of the second one. `undefined` where there are none. */
export function frontMatterOf(
  file: string,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const [first] = /^\uFEFF?---[ \t]*\r?\n/.exec(file) ?? [];
  if (first === undefined) return undefined;
  const rest = file.slice(first.length);
  const length = /^(?:---|\.\.\.)[ \t]*$/m.exec(rest)?.index;
  if (length === undefined) return undefined;
  return { text: rest.slice(0, length), start: first.length, end: first.length + length };
}

export function knownKey(key: string): (typeof promptKeys)[number] | undefined {
  return promptKeys.find((name) => name === key.toLowerCase());
}

function unquoted(given: string): string {
  return given
    .replace(/^(["'])(.*)\1$/s, "$2")
    .replaceAll("\r\n", "\n")
    .trim();
}

export class SettingReader implements ReadSettings {
  readonly problems: PromptProblem[] = [];
  settings: PromptSettings = {};
  readonly #references: string[] = [];

  refuse(key: UnusableKey, problem: PromptProblem): void {
    if (this.problems.length <= maxPromptProblems) this.problems.push(problem);
    this.settings = mergeSettings(this.settings, { unusable: [key] });
  }

  /** Reads one value, or those of a list. */
  read(key: (typeof promptKeys)[number], values: readonly string[], start: number, end: number): void {
    const takesSeveral = isListed(key) || key === "reference";
    if (values.length === 0 || values[0] === "") this.refuse(key, { start, end, reason: "no-value", name: key });
    else if (values.length > 1 && !takesSeveral) this.refuse(key, { start, end, reason: "bad-form", name: key });
    else if (key !== "destination" && values.some((value) => value.includes("{{")))
      // Only prompts and destinations name variables: the braces would be sent as they are.
      this.refuse(key, { start, end, reason: "unread-braces", name: values.find((one) => one.includes("{{")) ?? "" });
    else if (key === "reference" && values.length > maxValues)
      this.refuse(key, { start, end, reason: "too-many-values", name: key });
    else if (key === "reference") {
      this.#references.push(...values);
      this.settings = mergeSettings(this.settings, { references: this.#references });
    } else {
      const read = values.map((value) => readValue(key, value));
      const bad = read.indexOf(undefined);
      if (bad >= 0) this.refuse(key, { start, end, reason: `bad-${key}`, name: values[bad] ?? "" });
      else
        this.#set(
          key,
          read.filter((one) => one !== undefined),
        );
    }
  }

  #set(key: Exclude<(typeof promptKeys)[number], "reference">, values: readonly PromptSettings[]): void {
    const [first, second] = values;
    const several = isListed(key) && second !== undefined ? { lists: { [key]: values } } : first;
    this.settings = mergeSettings(this.settings, several ?? {});
  }
}

function isListed(key: string): key is ListedKey {
  return listedKeys.some((one) => one === key);
}

/** References add up only within one place: a heading's own list replaces the one of the file. A model of pictures is not that of a video below. */
export function mergeSettings(before: PromptSettings, after: PromptSettings): PromptSettings {
  const makesOther =
    before.type !== undefined && after.type !== undefined && mediaOf(before.type) !== mediaOf(after.type);
  const { lists: listsAfter = {}, unusable: unusableAfter = [], ...set } = after;
  const { lists: listsBefore = {}, unusable: unusableBefore = [], ...kept } = before;
  const replaced = (key: ListedKey): boolean => key in set || key in listsAfter || (makesOther && key === "model");
  const inherits = ([key]: [string, unknown]): boolean => !isListed(key) || !replaced(key);
  const lists = { ...Object.fromEntries(Object.entries(listsBefore).filter(inherits)), ...listsAfter };
  const merged = { ...Object.fromEntries(Object.entries(kept).filter(inherits)), ...set };
  const isSet = (key: UnusableKey): boolean =>
    key in set || key in listsAfter || (key === "reference" && "references" in set);
  const unusable = new Set([...unusableBefore.filter((key) => !isSet(key)), ...unusableAfter]);
  return {
    ...merged,
    ...(Object.keys(lists).length === 0 ? {} : { lists }),
    ...(unusable.size === 0 ? {} : { unusable: [...unusable] }),
  };
}

function readValue(key: Exclude<(typeof promptKeys)[number], "reference">, value: string): PromptSettings | undefined {
  if (isTaskOption(key)) {
    const read = readOption(key, value);
    return read === undefined ? undefined : { [key]: read };
  }
  switch (key) {
    case "type": {
      const type = readType(value);
      return type && { type };
    }
    case "model":
      return { model: value };
    case "destination":
      // The name of a file in a folder is made from the prompt.
      return destinationProblem(value.replace(/\/$/, "/name")) === undefined ? { destination: value } : undefined;
  }
}

/** `image` and the words of the wire are what people type too. */
function readType(value: string): TaskType | undefined {
  const word = value.toLowerCase().replaceAll("_", "-");
  return word === "image" ? "async-image" : taskTypes.find((type) => type === word);
}

// Reads a list of values in a directive or in front matter: `[a, "b, c"]`, or a line with `- a` for each.

/** Values of one list that can be used. */
export const maxValues = 100;

const flowItem = /"([^"]*)"|'([^']*)'|([^,\s][^,]*)/g;

/** The values of a list, without empty ones; of a list that is too long one more than can be used. `undefined` for what is no list. */
function readList(text: string): readonly string[] | undefined {
  const given = text.trim();
  if (given.startsWith("[") && given.endsWith("]")) {
    const items = given.slice(1, -1).matchAll(flowItem);
    return kept([...items].map(([, double, single, plain]) => double ?? single ?? plain ?? ""));
  }
  const lines = given.split(/\r?\n/);
  if (!lines.every((line) => /^[ \t]*-(?:[ \t]|$)/.test(line))) return undefined;
  return kept(
    lines.map((line) =>
      line
        .trim()
        .slice(1)
        .trim()
        .replace(/^(["'])(.*)\1$/s, "$2"),
    ),
  );
}

function kept(values: readonly string[]): readonly string[] {
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .slice(0, maxValues + 1);
}

// Takes the comments out of the text of a prompt, and reads those of them that are directives.

/** The prompt of a document that holds one only, and what its own directives set. */
export function readSinglePrompt(text: string): ReturnType<typeof takeDirectives> {
  return takeDirectives(text, 0);
}

/** Takes the comments out of a prompt, and reads the settings of those that are directives. */
export function takeDirectives(
  text: string,
  offset: number,
): { readonly text: string; readonly settings: PromptSettings; readonly problems: readonly PromptProblem[] } {
  let settings: PromptSettings = {};
  const problems: PromptProblem[] = [];
  let rest = "";
  let at = 0;
  for (let begin = text.indexOf("<!--"); begin >= 0; begin = text.indexOf("<!--", at)) {
    const inner = begin + 4;
    const close = text.indexOf("-->", inner);
    const end = close < 0 ? text.length : close;
    rest += text.slice(at, begin).replace(blanksAtEnd, "");
    at = close < 0 ? end : end + 3;
    const directive = directiveIn(text.slice(inner, end));
    if (!directive) continue;
    const read = readDirective(directive.text, offset + inner + directive.start);
    settings = mergeSettings(settings, read.settings);
    problems.push(...read.problems);
  }
  rest += text.slice(at);
  return { text: at === 0 ? text.trim() : rest.replaceAll(/\n{3,}/g, "\n\n").trim(), settings, problems };
}

/** The lookbehind makes it match from the first of several blanks only: tried from each of them it would take quadratic time. */
const blanksAtEnd = /(?<![ \t])[ \t]+$/;

/**
 * The colon may be a wide one, and may be left out before a key with a value: otherwise a comment that is meant as a setting would be ignored
 * silently.
 */
const directiveStart = /^\s*sluice(?:[ \t]*[:：]|(?=\s[^\n=]*=))/i;

function directiveIn(comment: string): { readonly text: string; readonly start: number } | undefined {
  const [begin] = directiveStart.exec(comment) ?? [];
  return begin === undefined ? undefined : { text: comment.slice(begin.length), start: begin.length };
}
