/** The completions at a place of a prompt file: keys and values of its directives and front matter, and names of variables. Pure. */
import { isTaskOption, taskOptionFacts } from "../../domain/task/commonOptions";
import { type TaskType, taskTypes } from "../../domain/task/task";
import { frontMatterOf, promptKeys, readDirective } from "./directives";
import { readFrontMatter } from "./frontMatter";

export type PromptKey = (typeof promptKeys)[number];

export type PromptOffer =
  | { readonly kind: "key"; readonly name: PromptKey; readonly insert: string }
  | { readonly kind: "value"; readonly name: string; readonly key: PromptKey }
  | { readonly kind: "variable"; readonly name: string; readonly values: readonly string[] };

export interface PromptOffers {
  /** The offset at which the typed part of an offer begins. */
  readonly start: number;
  readonly offers: readonly PromptOffer[];
}

/** Characters before the place that are searched for the beginning of a directive: a longer one is not completed. */
const reach = 4000;

/**
 * `models` returns those that the gateway lists for a type, or all where the type is not known. `undefined` where no directive, front matter or
 * variable is being written.
 */
export function offersAt(
  text: string,
  offset: number,
  models: (type: TaskType | undefined) => readonly string[],
): PromptOffers | undefined {
  const before = text.slice(Math.max(0, offset - reach), offset);
  const named = /\{\{([\w.-]{0,100})$/.exec(before);
  if (named) return { start: offset - (named[1] ?? "").length, offers: variablesOf(text) };
  const front = openFrontMatterOf(text);
  const typeOfFile = readFrontMatter(front?.text ?? "", 0).settings.type;
  if (front !== undefined && offset <= front.end) {
    if (offset < front.start) return undefined;
    const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
    return offersIn(line, offset, ": ", typeOfFile, models);
  }
  const directive = directiveAt(before);
  return directive === undefined
    ? undefined
    : offersIn(directive, offset, "=", readDirective(directive, 0).settings.type ?? typeOfFile, models);
}

/**
 * The front matter, also one that is still being written, without its second line of `---`: that ends before the first heading, above which nothing
 * is a prompt.
 */
function openFrontMatterOf(text: string): ReturnType<typeof frontMatterOf> {
  const [first] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  const closed = frontMatterOf(text);
  if (closed !== undefined || first === undefined) return closed;
  const start = first.length;
  const heading = text.slice(start).search(/^ {0,3}#{1,6}(?:\s|$)/m);
  const end = heading < 0 ? text.length : start + heading;
  return { text: text.slice(start, end), start, end };
}

/** `written` is the line or directive up to the place; `mark` is what follows a key. */
function offersIn(
  written: string,
  offset: number,
  mark: ": " | "=",
  type: TaskType | undefined,
  models: (type: TaskType | undefined) => readonly string[],
): PromptOffers {
  const value =
    mark === "="
      ? /(?:^|\s)([a-z]{1,20})=(?:\[(?:[^\]\s,]{1,100},)*)?([^\s\],]{0,100})$/i.exec(written)
      : /^([a-z]{1,20})[ \t]*:[ \t]*(?:\[(?:[^\],]{1,100},)*[ \t]*)?([^\s\],[]{0,100})$/i.exec(written);
  if (value) {
    const key = promptKeys.find((name) => name === value[1]?.toLowerCase());
    const offers =
      key === undefined ? [] : valuesOf(key, type, models).map((name) => ({ kind: "value", name, key }) as const);
    return { start: offset - (value[2] ?? "").length, offers };
  }
  const key = mark === "=" ? /(?:^|\s)([a-z]{0,20})$/i.exec(written) : /^([a-z]{0,20})$/i.exec(written);
  if (!key) return { start: offset, offers: [] };
  const offers = promptKeys.map((name) => ({ kind: "key", name, insert: `${name}${mark}` }) as const);
  return { start: offset - (key[1] ?? "").length, offers };
}

function valuesOf(
  key: PromptKey,
  type: TaskType | undefined,
  models: (type: TaskType | undefined) => readonly string[],
): readonly string[] {
  if (key === "type") return taskTypes;
  if (key === "model") return models(type);
  return isTaskOption(key) ? taskOptionFacts(key).completed : [];
}

/** The text so far of a directive that is not closed yet. */
function directiveAt(before: string): string | undefined {
  const begin = before.lastIndexOf("<!--");
  if (begin < 0 || before.includes("-->", begin)) return undefined;
  const [head] = /^<!--\s{0,20}sluice:/i.exec(before.slice(begin)) ?? [];
  return head === undefined ? undefined : before.slice(begin + head.length);
}

function variablesOf(text: string): readonly PromptOffer[] {
  const front = openFrontMatterOf(text);
  if (front === undefined) return [];
  return readFrontMatter(front.text, front.start).variables.map(({ name, values }) => ({
    kind: "variable",
    name,
    values,
  }));
}

/** The key of a directive or of the front matter, or the variable, that the place is on. */
export function promptWordAt(
  text: string,
  offset: number,
): { readonly offer: PromptOffer; readonly start: number; readonly end: number } | undefined {
  const begin = /[\w.-]{0,100}$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0].length ?? 0;
  const length = /^[\w.-]{0,100}/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0;
  const [start, end] = [offset - begin, offset + length];
  const name = text.slice(start, end);
  if (text.slice(start - 2, start) === "{{" && text.slice(end, end + 2) === "}}") {
    const offer = variablesOf(text).find((one) => one.name === name);
    return offer && { offer, start, end };
  }
  const key = promptKeys.find((one) => one === name.toLowerCase());
  if (key === undefined || !/^[ \t]*[:=]/.test(text.slice(end, end + 10))) return undefined;
  const front = openFrontMatterOf(text);
  const isInFront = front !== undefined && start >= front.start && start < front.end;
  const isKey = isInFront || directiveAt(text.slice(Math.max(0, start - reach), start)) !== undefined;
  return isKey ? { offer: { kind: "key", name: key, insert: key }, start, end } : undefined;
}
