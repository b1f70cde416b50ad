/** Reads the front matter of a prompt file, which is YAML: settings, and variables under all other keys. */
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument } from "yaml";
import {
  knownKey,
  maxPromptProblems,
  type PromptVariable,
  type ReadSettings,
  SettingReader,
  maxValues,
} from "./directives";

export interface FrontMatter extends ReadSettings {
  /** The first variable of each name. */
  readonly variables: readonly PromptVariable[];
}

/** Characters that may begin a part of YAML. Their number bounds the time that reading takes. */
const mark = /[[\]{},:&*!?|>'"#\n-]/g;
const maxMarks = 20_000;
/** Brackets of lists and maps: nested ones take time in the square of their number to read. */
const bracket = /[[{]/g;
const maxBrackets = 500;

/** `text` is what lies between the two lines of `---`, at `offset` in the file. */
export function readFrontMatter(text: string, offset: number): FrontMatter {
  const reader = new SettingReader();
  const variables = new Map<string, PromptVariable>();
  const whole = { start: offset, end: offset + Math.max(1, lineEnd(text, 0)) };
  const result = (): FrontMatter => ({
    settings: reader.settings,
    problems: reader.problems,
    variables: [...variables.values()],
  });
  if ((text.match(mark) ?? []).length > maxMarks || (text.match(bracket) ?? []).length > maxBrackets) {
    reader.refuse("unknown", { ...whole, reason: "front-matter-too-long", name: "" });
    return result();
  }
  const document = documentOf(text);
  // Outside of a map nothing has a key: the person may have left out the blank after the colon.
  if (document === undefined || (document.contents !== null && !isMap(document.contents))) {
    if (text.trim() !== "") reader.refuse("unknown", { ...whole, reason: "bad-yaml", name: "" });
    return result();
  }
  const items = document.contents?.items ?? [];
  const starts = items.map(startOf);
  // The library reports a quote without an end at the end of the text, so the problem is marked at the key that it belongs to.
  const faults = [...document.errors, ...document.warnings].slice(0, maxPromptProblems + 1);
  for (const start of new Set(faults.map(({ pos }) => starts.findLast((key) => key <= pos[0]) ?? 0))) {
    const end = Math.max(start + 1, lineEnd(text, start));
    reader.refuse("unknown", { start: offset + start, end: offset + end, reason: "bad-yaml", name: "" });
  }
  const seen = new Set<string>();
  for (const pair of items) {
    const [first, last] = placeOf(pair, text);
    const [start, end] = [offset + first, offset + last];
    if (!isScalar(pair.key)) {
      reader.refuse("unknown", { start, end, reason: "bad-yaml", name: "" });
      continue;
    }
    const key = textOf(pair.key.value).normalize("NFC");
    const known = knownKey(key);
    if (seen.has(known ?? key)) {
      reader.refuse(known ?? "unknown", { start, end, reason: "duplicate-key", name: key });
      continue;
    }
    seen.add(known ?? key);
    const values = valuesOf(pair.value);
    if (known === undefined)
      variables.set(key, {
        name: key,
        values: (values ?? []).filter((value) => value !== "").slice(0, maxValues + 1),
        start,
        end,
        ...(values === undefined ? { isUnreadable: true } : {}),
      });
    else if (values === undefined) reader.refuse(known, { start, end, reason: "bad-form", name: key });
    else reader.read(known, values.slice(0, maxValues + 1), start, end);
  }
  return result();
}

/**
 * All values are read as texts, so that a size or a seed stays as it is written. The library's search for repeated keys takes quadratic time, so it
 * is off.
 */
function documentOf(text: string): Document | undefined {
  const { stackTraceLimit } = Error;
  try {
    // Each fault is an error with a stack trace: in nested values the stack is deep, and the time would grow with its square.
    Error.stackTraceLimit = 0;
    return parseDocument(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  } catch {
    // The library reads by recursion, so deep nesting may exceed the stack.
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Offsets of the key and of the end of the value. */
function placeOf(pair: Pair, text: string): readonly [number, number] {
  const start = startOf(pair);
  const { value } = pair;
  const node = value as { readonly range?: readonly number[] | null } | null;
  const end = node?.range?.[1] ?? lineEnd(text, start);
  return [start, start + Math.max(1, text.slice(start, Math.max(start, end)).trimEnd().length)];
}

function startOf({ key }: Pair): number {
  return (isScalar(key) ? key.range?.[0] : undefined) ?? 0;
}

/** `undefined` for what is neither a text nor a list of texts, such as a map or an alias. */
function valuesOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (isScalar(value)) {
    const text = textOf(value.value);
    return text === "" ? [] : [text];
  }
  if (!isSeq(value) || !value.items.every((item) => isScalar(item))) return undefined;
  return value.items.map((item) => textOf(isScalar(item) ? item.value : "")).filter((item) => item !== "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : "";
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from).search(/\r?\n/);
  return end < 0 ? text.length : from + end;
}
