/**
 * The front matter of prompt files, commands and skills, as VS Code, Claude Code and others write it. Read line by line: many such files are no
 * YAML (`argument-hint: [id] [priority]`, `description: Use when: …`), and nothing is resolved, so that no text is larger than its file. Pure.
 */
import { definedFields } from "../../base/definedFields";
import { revealHidden } from "../../base/text/revealHidden";

export interface PromptHeader {
  readonly description?: string;
  /** The arguments that may follow the name. */
  readonly hint?: string;
  readonly asksFor?: AskedFor;
}

/** The model, mode and tools that a file asks for. They are offered to the person, and never taken by themselves. */
export interface AskedFor {
  readonly model?: string;
  readonly mode?: string;
  readonly tools?: readonly string[];
}

export interface ReadPrompt {
  readonly header: PromptHeader;
  readonly body: string;
}

/** Characters of the front matter; a longer one is text of the prompt. */
const headerCap = 8000;
/** Characters of a value, and names of a list. The format of skills allows a description of 1,024: its end says when the skill is not meant. */
const caps = { description: 1024, hint: 100, name: 100, names: 30 };

export function readPromptFile(whole: string): ReadPrompt {
  const text = whole.replace(/^\ufeff/, "");
  const end = /\r?\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, headerCap));
  const start = /^---[ \t]*\r?\n/.exec(text);
  if (start === null) return { header: {}, body: text.trim() };
  // Two lines of dashes with nothing between them.
  const isEmpty = /^---[ \t]*\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (isEmpty !== null) return { header: {}, body: text.slice(isEmpty[0].length).trim() };
  if (end === null) return { header: {}, body: text.trim() };
  const lines = text.slice(start[0].length, end.index).split(/\r?\n/);
  return { header: headerOf(readFields(lines)), body: text.slice(end.index + end[0].length).trim() };
}

type Fields = ReadonlyMap<string, string>;

/** Reads the first value of each key; a list has a line for each item. */
function readFields(lines: readonly string[]): Fields {
  const fields = new Map<string, string>();
  let key: string | undefined;
  for (const line of lines) {
    const found = /^([A-Za-z][\w-]*)[ \t]*:(?=[ \t]|$)(.*)$/.exec(line);
    if (found !== null) {
      const name = (found[1] ?? "").toLowerCase();
      key = fields.has(name) ? undefined : name;
      if (key !== undefined) fields.set(key, (found[2] ?? "").trim());
    } else if (key !== undefined && /^(?:[ \t]|-[ \t])/.test(line)) {
      fields.set(key, `${fields.get(key) ?? ""}\n${line.trim()}`);
    }
  }
  return fields;
}

function headerOf(fields: Fields): PromptHeader {
  const asksFor = definedFields({
    model: listOf(fields.get("model"))[0],
    mode: lineOf(fields.get("mode") ?? fields.get("agent"), caps.name),
    tools: namesOf(fields.get("tools") ?? fields.get("allowed-tools")),
  });
  return definedFields({
    description: lineOf(fields.get("description"), caps.description),
    hint: lineOf(fields.get("argument-hint"), caps.hint),
    asksFor: Object.keys(asksFor).length === 0 ? undefined : asksFor,
  });
}

function namesOf(value: string | undefined): readonly string[] | undefined {
  const names = listOf(value);
  return names.length === 0 ? undefined : names;
}

/** `[a, "b"]`, `a, b`, or one `- a` a line. */
function listOf(value = ""): readonly string[] {
  const items = value
    .trim()
    .replace(/^\[(.*)\]$/s, "$1")
    .split(/[,\n]/);
  return items
    .slice(0, caps.names)
    .map((item) => lineOf(item.trim().replace(/^-[ \t]+/, ""), caps.name))
    .filter((item) => item !== undefined);
}

/** A value as one line, quotes and the mark of a block taken off; `undefined` for an empty one. */
function lineOf(value: string | undefined, cap: number): string | undefined {
  const given = value ?? "";
  const isBlock = /^[|>][-+\d]*[ \t]*(?:#[^\n]*)?(?=\n|$)/.exec(given);
  const lines = isBlock === null ? withoutComments(given) : given.slice(isBlock[0].length);
  const text = unquoted(lines.replaceAll(/[\s\u0085\u2028\u2029]+/g, " ").trim());
  const shown = revealHidden(text.slice(0, cap).toWellFormed());
  return shown === "" ? undefined : text.length > cap ? `${shown}…` : shown;
}

/** Removes the comments of a value without quotes. The `#` in *issue #12* begins none, because no blank follows it. */
function withoutComments(value: string): string {
  if (/^\s*["']/.test(value)) return value;
  return value
    .split("\n")
    .map((line) => line.split(/[ \t]#(?:[ \t]|$)/, 1)[0] ?? "")
    .join("\n");
}

/** Removes the quotes around a text and a comment behind them, and resolves what they escape. */
function unquoted(text: string): string {
  const [quote] = /^["']/.exec(text) ?? [];
  const end = quote === undefined ? -1 : closingQuote(text, quote);
  if (quote === undefined || end < 0 || !/^\s*(?:#.*)?$/s.test(text.slice(end + 1))) return text;
  const inner = text.slice(1, end).trim();
  return quote === '"' ? inner.replaceAll(/\\(["\\])/g, "$1") : inner.replaceAll("''", "'");
}

function closingQuote(text: string, quote: string): number {
  for (let at = 1; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (quote === '"' && one === "\\") at += 1;
    else if (one === quote && quote === "'" && text.charAt(at + 1) === "'") at += 1;
    else if (one === quote) return at;
  }
  return -1;
}
