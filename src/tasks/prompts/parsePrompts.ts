/** Finds the prompts of a `*.prompts.md` file, for the CodeLenses above them: each paragraph or list item under a heading, with the settings that apply to it. */
import {
  frontMatterOf,
  maxPromptProblems,
  mergeSettings,
  type PromptProblem,
  type PromptSettings,
  type PromptVariable,
  readDirective,
  readFrontMatter,
} from "./directives";
import { expandPrompt, maxVariantText, type PromptVariant } from "./variants";

export interface FilePrompt {
  /** Without list marker, indentation and comments; line breaks are kept, and the names of variables. */
  readonly text: string;
  /** Lines, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
  /** The line of its heading; prompts with the same one can be submitted together. */
  readonly heading: number;
  readonly settings: PromptSettings;
  /** What is made of it: one, or one for each value of its variables and lists. None where a variable or a key of the settings has no value that can be used, or where they are too many. */
  readonly variants: readonly PromptVariant[];
}

export interface ParsedPrompts {
  readonly prompts: readonly FilePrompt[];
  readonly problems: readonly PromptProblem[];
}

/** Characters of a file that are read. */
export const maxPromptFile = 256 * 1024;

/**
 * One pass over the lines. What is no prompt: text before the first heading, quotes, code, tables, HTML, rules and comments. Of a long file
 * whole sections are read, so that no prompt is cut.
 */
export function parsePrompts(text: string): ParsedPrompts {
  const end = text.length <= maxPromptFile ? text.length : lastHeading(text, maxPromptFile);
  const { prompts, problems } = new PromptParser(text.slice(0, end)).parse();
  const unread: PromptProblem = { start: end, end: markEnd(text, end), reason: "file-too-long", name: "" };
  return { prompts, problems: end < text.length ? [...problems, unread] : problems };
}

/** The offset of the last heading before `limit`; one without indentation, which ends also the list items above it. */
function lastHeading(text: string, limit: number): number {
  const heading = /#{1,6}(?:[ \t\r\n]|$)/y;
  for (let line = text.lastIndexOf("\n", limit) + 1; line > 1; line = text.lastIndexOf("\n", line - 2) + 1) {
    heading.lastIndex = line;
    if (heading.test(text)) return line;
  }
  return 0;
}

/** Where the marked text of a problem at `start` ends: with the line, after at least one and at most 100 characters. */
function markEnd(text: string, start: number): number {
  const [line = ""] = /^[^\r\n]+/.exec(text.slice(start, start + 100)) ?? [];
  return start + Math.max(1, line.length);
}

/** The prompt of a document that holds one only, and what its own directives set. */
export function readSinglePrompt(text: string): ReturnType<typeof takeDirectives> {
  return takeDirectives(text, 0);
}

/** Comments taken out of a prompt, and what those of them that are directives set. */
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

function directiveIn(comment: string): { readonly text: string; readonly start: number } | undefined {
  const [begin] = /^\s*sluice:/i.exec(comment) ?? [];
  return begin === undefined ? undefined : { text: comment.slice(begin.length), start: begin.length };
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

interface Section {
  readonly level: number;
  readonly line: number;
  settings: PromptSettings;
}

const headingLine = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const itemLine = /^( {0,3})(?:[-*+]|\d{1,9}[.)])([ \t]+|$)/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const ruleLine = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Quotes, tables, HTML other than comments, and definitions of links. */
const otherLine = /^ {0,3}(?:>|\||<(?!!--)[A-Za-z/!?]|\[[^\]]+\]:)/;

class PromptParser {
  readonly #file: string;
  readonly #lines: readonly Line[];
  readonly #prompts: FilePrompt[] = [];
  readonly #problems: PromptProblem[] = [];
  /** From the file down to the heading that the current line is under. */
  readonly #sections: Section[] = [{ level: 0, line: -1, settings: {} }];
  readonly #used = new Set<string>();
  #variables: readonly PromptVariable[] = [];
  #variantRoom = maxVariantText;
  #next = 0;
  /** The first line with text that no heading is above. */
  #unheaded: number | undefined;
  /** The line with the first `-->` after the last comment that was read. Remembered, so that many comments without an end search the rest of the file once. */
  #commentEnd = -1;

  constructor(text: string) {
    this.#file = text;
    let offset = 0;
    this.#lines = text.split("\n").map((line) => {
      const read = { text: line.endsWith("\r") ? line.slice(0, -1) : line, offset };
      offset += line.length + 1;
      return read;
    });
  }

  parse(): ParsedPrompts {
    this.#readFrontMatter();
    while (this.#next < this.#lines.length) this.#readBlock();
    const unused = this.#variables.filter(({ name }) => !this.#used.has(name));
    this.#addProblems(unused.map(({ start, end, name }) => ({ start, end, reason: "unused-variable", name })));
    if (this.#prompts.length === 0 && this.#unheaded !== undefined) {
      const start = this.#lines[this.#unheaded]?.offset ?? 0;
      this.#addProblems([{ start, end: markEnd(this.#file, start), reason: "no-heading", name: "" }]);
    }
    return { prompts: this.#prompts, problems: this.#problems };
  }

  #text(line: number): string {
    return this.#lines[line]?.text ?? "";
  }

  #readFrontMatter(): void {
    const front = frontMatterOf(this.#file);
    if (front === undefined) return;
    const read = readFrontMatter(front.text, front.start);
    this.#addProblems(read.problems);
    this.#setDefaults(read.settings);
    this.#variables = read.variables;
    this.#next = this.#lines.findIndex(({ offset }) => offset === front.end) + 1;
  }

  /** The lines from `begin` up to `end`, as the file has them, without the last line's end. */
  #raw(begin: number, end: number): string {
    const last = this.#lines[end - 1];
    return this.#file.slice(this.#lines[begin]?.offset, (last?.offset ?? 0) + (last?.text.length ?? 0));
  }

  #addProblems(problems: readonly PromptProblem[]): void {
    for (const problem of problems) {
      const left = maxPromptProblems - this.#problems.length;
      if (left >= 0) this.#problems.push(left > 0 ? problem : { ...problem, reason: "more-problems" });
    }
  }

  #setDefaults(settings: PromptSettings): void {
    const section = this.#sections.at(-1);
    if (section) section.settings = mergeSettings(section.settings, settings);
  }

  #readBlock(): void {
    const line = this.#next;
    const text = this.#text(line);
    const [fence, mark = ""] = fenceLine.exec(text) ?? [];
    const [, hashes] = headingLine.exec(text) ?? [];
    if (text.trim() === "" || ruleLine.test(text)) this.#next += 1;
    else if (fence !== undefined) this.#skipFence(mark);
    else if (hashes !== undefined) this.#beginSection(hashes.length, line, line + 1);
    else if (/^\s*<!--/.test(text)) this.#readComment();
    else if (otherLine.test(text)) this.#skipParagraph();
    else if (itemLine.test(text)) this.#readItem();
    else this.#readParagraph();
  }

  #beginSection(level: number, line: number, next: number): void {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    const settings = this.#sections.at(-1)?.settings ?? {};
    this.#sections.push({ level, line, settings });
    this.#next = next;
  }

  #skipFence(mark: string): void {
    const isEnd = (line: string): boolean => {
      const [, other = ""] = fenceLine.exec(line) ?? [];
      return other.startsWith(mark) && line.trim() === other;
    };
    this.#next += 1;
    while (this.#next < this.#lines.length && !isEnd(this.#text(this.#next))) this.#next += 1;
    this.#next += 1;
  }

  #skipParagraph(): void {
    while (this.#next < this.#lines.length && this.#text(this.#next).trim() !== "") this.#next += 1;
  }

  /** A comment on lines of its own. As a directive it applies to what follows under the heading. */
  #readComment(): void {
    const begin = this.#next;
    if (this.#commentEnd < begin) {
      this.#commentEnd = begin;
      while (this.#commentEnd < this.#lines.length && !this.#text(this.#commentEnd).includes("-->"))
        this.#commentEnd += 1;
    }
    const end = Math.min(this.#commentEnd + 1, this.#lines.length);
    const last = this.#text(this.#commentEnd);
    const tail = last.slice(last.indexOf("-->") + 3);
    if (tail.trim() !== "" && !tail.trim().startsWith("<!--")) {
      // Text behind it: the comment belongs to that paragraph.
      this.#readParagraph();
      return;
    }
    const read = takeDirectives(this.#raw(begin, end), this.#lines[begin]?.offset ?? 0);
    this.#addProblems(read.problems);
    this.#setDefaults(read.settings);
    this.#next = end;
  }

  #readParagraph(): void {
    const begin = this.#next;
    let end = begin + 1;
    for (; end < this.#lines.length; end += 1) {
      const text = this.#text(end);
      if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(text) && end === begin + 1) {
        // A heading that is underlined.
        this.#beginSection(text.trim().startsWith("=") ? 1 : 2, begin, end + 1);
        return;
      }
      if (this.#endsParagraph(text)) break;
    }
    this.#add(begin, end, (text) => text.trim());
    this.#next = end;
  }

  #endsParagraph(text: string): boolean {
    return (
      text.trim() === "" || [headingLine, itemLine, fenceLine, ruleLine, otherLine].some((form) => form.test(text))
    );
  }

  /** With everything that is indented under it, blank lines and nested items too. */
  #readItem(): void {
    const begin = this.#next;
    const first = this.#text(begin);
    const [marker = ""] = itemLine.exec(first) ?? [];
    const indent = marker.length === first.length ? marker.length + 1 : marker.length;
    let end = begin + 1;
    let last = begin;
    for (; end < this.#lines.length; end += 1) {
      const text = this.#text(end);
      if (text.trim() === "") continue;
      const isInside =
        text.length - text.trimStart().length >= Math.min(indent, 2) && !/^ ?(?:[-*+]|\d+[.)])\s/.test(text);
      const isLazy = last === end - 1 && !this.#endsParagraph(text);
      if (!isInside && !isLazy) break;
      last = end;
    }
    this.#add(begin, last + 1, (text, line) =>
      (line === begin
        ? text.slice(marker.length).replace(/^\[[ xX]\][ \t]+/, "")
        : text.slice(Math.min(indent, text.search(/[^ ]|$/)))
      ).trimEnd(),
    );
    this.#next = last + 1;
  }

  #add(begin: number, end: number, clean: (text: string, line: number) => string): void {
    const raw = this.#raw(begin, end);
    const inline = raw.includes("<!--") ? takeDirectives(raw, this.#lines[begin]?.offset ?? 0) : undefined;
    this.#addProblems(inline?.problems ?? []);
    const lines = this.#lines.slice(begin, end);
    const cleaned = lines.map(({ text }, index) => clean(text, begin + index)).join("\n");
    const text = inline ? takeDirectives(cleaned, 0).text : cleaned.trim();
    const section = this.#sections.at(-1);
    if (text === "" || section === undefined) return;
    if (section.level === 0) {
      this.#unheaded ??= begin;
      return;
    }
    const settings = inline ? mergeSettings(section.settings, inline.settings) : section.settings;
    const expanded = expandPrompt({ text, settings }, this.#variables, this.#variantRoom);
    this.#variantRoom -= expanded.size;
    for (const name of expanded.names) this.#used.add(name);
    const offset = this.#lines[begin]?.offset ?? 0;
    this.#addProblems(expanded.problems.map((problem) => placedIn(raw, offset, problem)));
    const place = { line: begin, lastLine: end - 1, heading: section.line };
    this.#prompts.push({ text, ...place, settings, variants: expanded.variants });
  }
}

/** At the name of the variable, else at the first line of the prompt. */
function placedIn(raw: string, offset: number, problem: Pick<PromptProblem, "reason" | "name">): PromptProblem {
  const name = raw.indexOf(`{{${problem.name}}}`);
  const start = Math.max(0, name);
  const end = name < 0 ? markEnd(raw, 0) : name + problem.name.length + 4;
  return { ...problem, start: offset + start, end: offset + end };
}
