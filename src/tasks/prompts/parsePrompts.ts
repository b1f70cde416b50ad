/**
 * Finds the prompts of a `*.prompts.md` file, for the CodeLenses above them: each paragraph or list item under a heading, with the settings that
 * apply to it.
 */
import { definedFields } from "../../base/definedFields";
import type { ComparedNames } from "../../base/text/cutText";
import {
  frontMatterOf,
  maxPromptFile,
  maxPromptProblems,
  mergeSettings,
  type PromptProblem,
  type PromptSettings,
  type PromptVariable,
  takeDirectives,
} from "./directives";
import { readFrontMatter } from "./frontMatter";
import {
  comparedVariables,
  expandVariants,
  maxVariantText,
  nearestVariable,
  type PromptVariant,
  type PromptVariables,
} from "./variants";

export interface FilePrompt {
  /** The text without list marker, indentation and comments; line breaks and the names of variables are kept. */
  readonly text: string;
  /** Lines, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
  /** The line of its heading; prompts with the same one can be submitted together. */
  readonly heading: number;
  readonly settings: PromptSettings;
  /**
   * The variants of the prompt: one, or one for each value of its variables and lists. Empty where a variable or a key of the settings has no value
   * that can be used, or where they are too many.
   */
  readonly variants: readonly PromptVariant[];
}

export interface ParsedPrompts {
  readonly prompts: readonly FilePrompt[];
  /** The lines of the headings, counted from 0, in the order of the file; a heading may have no prompt. */
  readonly headings: readonly number[];
  readonly problems: readonly PromptProblem[];
  /** Text that belongs to no prompt, setting, heading, code block or comment, in the order of the file: nothing is made of it. */
  readonly unread: readonly UnreadLines[];
}

/** Lines, counted from 0. */
export interface UnreadLines {
  readonly line: number;
  readonly lastLine: number;
  /** Its first line. */
  readonly text: string;
}

/** The most entries of a file; one more entry stands for all that follow. */
export const maxUnread = 100;

/**
 * Finds the prompts in one pass over the lines. Text before the first heading, quotes, code, tables, HTML, rules and comments are no prompts. Of a
 * long file whole sections are read, so that no prompt is cut.
 */
export function parsePrompts(text: string): ParsedPrompts {
  const end = text.length <= maxPromptFile ? text.length : lastHeading(text, maxPromptFile);
  const parsed = new PromptParser(text.slice(0, end)).parse();
  if (end === text.length) return parsed;
  const problem: PromptProblem = { start: end, end: markEnd(text, end), reason: "file-too-long", name: "" };
  const line = text.slice(0, end).split("\n").length - 1;
  const rest = { line, lastLine: text.split("\n").length - 1, text: text.slice(end, problem.end).trim() };
  return { ...parsed, problems: [...parsed.problems, problem], unread: [...parsed.unread, rest] };
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

/** The offset at which the marked text of a problem at `start` ends: with the line, after at least one and at most 100 characters. */
function markEnd(text: string, start: number): number {
  const [line = ""] = /^[^\r\n]+/.exec(text.slice(start, start + 100)) ?? [];
  return start + Math.max(1, line.length);
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

interface Section {
  readonly level: number;
  readonly line: number;
  settings: PromptSettings;
  /** Nothing but comments has followed its heading: what they set applies to the whole section. */
  isBeginning: boolean;
}

const headingLine = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const itemLine = /^( {0,3})(?:[-*+]|\d{1,9}[.)])([ \t]+|$)/;
/** In CommonMark a list item that ends a paragraph has text, and the number 1 where it is numbered: a line that begins with a year is none. */
const interruptingItem = /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const ruleLine = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const quoteLine = /^ {0,3}>/;
const tableLine = /^ {0,3}\|/;
/** The tags that begin a block of HTML as in CommonMark, also in a paragraph. Any other one belongs to the text, as `<lora:…>` of a prompt. */
const htmlLine =
  /^ {0,3}<(?:[!?]|(?:script|pre|style|textarea)(?:[\s>]|$)|\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$))/i;
/** A tag alone on a line; it does not end a paragraph. */
const loneTag = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>[ \t]*$/i;
/** Matches the definition of a link or a footnote; it does not end a paragraph. */
const definitionLine =
  /^ {0,3}\[(?:\^[^\]]+\]:|[^\]]+\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$)/;

class PromptParser {
  readonly #file: string;
  readonly #lines: readonly Line[];
  readonly #prompts: FilePrompt[] = [];
  readonly #headings: number[] = [];
  readonly #problems: PromptProblem[] = [];
  /** The sections from the file down to the heading that the current line is under. */
  readonly #sections: Section[] = [{ level: 0, line: -1, settings: {}, isBeginning: true }];
  readonly #used = new Set<string>();
  #variables: PromptVariables = new Map();
  /** Made with the first unknown name. */
  #compared: ComparedNames | undefined;
  readonly #unread: UnreadLines[] = [];
  /** Comments between two prompts, which set something for the second one. */
  #forNext: { settings: PromptSettings; readonly line: number; lastLine: number } | undefined;
  #variantRoom = maxVariantText;
  #next = 0;
  /** The first line with text that no heading is above. */
  #unheaded: number | undefined;
  /**
   * The line with the first `-->` after the last comment that was read. Remembered, so that many comments without an end search the rest of the file
   * once.
   */
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
    this.#leaveForNext();
    const unused = [...this.#variables.values()].filter(({ name }) => !this.#used.has(name));
    this.#addProblems(unused.map(({ start, end, name }) => ({ start, end, reason: "unused-variable", name })));
    if (this.#prompts.length === 0 && this.#unheaded !== undefined) {
      const start = this.#lines[this.#unheaded]?.offset ?? 0;
      this.#addProblems([{ start, end: markEnd(this.#file, start), reason: "no-heading", name: "" }]);
    }
    return {
      prompts: this.#prompts,
      headings: this.#headings,
      problems: this.#problems,
      unread: this.#allUnread(unused),
    };
  }

  /** All unread lines, with the keys of the front matter that are neither settings nor named by a prompt. */
  #allUnread(unused: readonly PromptVariable[]): readonly UnreadLines[] {
    const front = unused.map(({ start, end }) => {
      const line = this.#lineAt(start);
      return { line, lastLine: this.#lineAt(end - 1), text: this.#text(line).trim() };
    });
    const all = [...front, ...this.#unread];
    const [last] = all.slice(-1);
    const left = all[maxUnread];
    if (all.length <= maxUnread + 1 || left === undefined || last === undefined) return all;
    return [...all.slice(0, maxUnread), { ...left, lastLine: last.lastLine }];
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle]?.offset ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #leaveUnread(line: number, end: number): void {
    while (end - 1 > line && this.#text(end - 1).trim() === "") end -= 1;
    this.#unread.push({ line, lastLine: end - 1, text: this.#text(line).trim() });
  }

  /** Counts comments with settings that no prompt follows as unread. */
  #leaveForNext(): void {
    if (this.#forNext) this.#leaveUnread(this.#forNext.line, this.#forNext.lastLine + 1);
    this.#forNext = undefined;
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
    this.#variables = new Map(read.variables.map((one) => [one.name, one]));
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

  #nearestTo(name: string, settings: PromptSettings): string | undefined {
    this.#compared ??= comparedVariables(this.#variables);
    return nearestVariable(name, settings, this.#compared);
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
    const isComment = /^\s*<!--/.test(text);
    const section = this.#sections.at(-1);
    if (text.trim() === "" || ruleLine.test(text)) this.#next += 1;
    else if (hashes !== undefined) this.#beginSection(hashes.length, line, line + 1);
    else if (isComment) this.#readComment();
    else {
      if (fence !== undefined) this.#skipFence(mark);
      else if (this.#isOther(line)) this.#skipParagraph();
      else if (itemLine.test(text)) this.#readItem();
      else this.#readParagraph();
      if (section && section.level > 0) section.isBeginning = false;
    }
  }

  /** Whether the line is a quote, a table, HTML other than a comment, or the definition of a link. */
  #isOther(line: number): boolean {
    const text = this.#text(line);
    return [quoteLine, tableLine, htmlLine, loneTag, definitionLine].some((form) => form.test(text));
  }

  #beginSection(level: number, line: number, next: number): void {
    this.#leaveForNext();
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    const settings = this.#sections.at(-1)?.settings ?? {};
    this.#sections.push({ level, line, settings, isBeginning: true });
    this.#headings.push(line);
    this.#next = next;
  }

  #skipFence(mark: string): void {
    const isEnd = (line: string): boolean => {
      const [, other = ""] = fenceLine.exec(line) ?? [];
      return other.startsWith(mark) && line.trim() === other;
    };
    const begin = this.#next;
    this.#next += 1;
    while (this.#next < this.#lines.length && !isEnd(this.#text(this.#next))) this.#next += 1;
    // A fence without an end makes code of all that follows, which the person hardly means.
    if (this.#next >= this.#lines.length) this.#leaveUnread(begin, this.#lines.length);
    this.#next += 1;
  }

  #skipParagraph(): void {
    const begin = this.#next;
    while (this.#next < this.#lines.length && this.#text(this.#next).trim() !== "") this.#next += 1;
    this.#leaveUnread(begin, this.#next);
  }

  /** Reads a comment on lines of its own. A directive below a heading applies to all that is under it, any other one to the next prompt. */
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
      // Text follows the comment, so the comment belongs to that paragraph.
      this.#readParagraph();
      return;
    }
    const read = takeDirectives(this.#raw(begin, end), this.#lines[begin]?.offset ?? 0);
    this.#addProblems(read.problems);
    if (this.#sections.at(-1)?.isBeginning === true) this.#setDefaults(read.settings);
    else if (Object.keys(read.settings).length > 0) {
      const settings = mergeSettings(this.#forNext?.settings ?? {}, read.settings);
      this.#forNext = { settings, line: this.#forNext?.line ?? begin, lastLine: end - 1 };
    }
    if (this.#commentEnd >= this.#lines.length) this.#leaveUnread(begin, end);
    this.#next = end;
  }

  #readParagraph(): void {
    const begin = this.#next;
    let end = begin + 1;
    for (; end < this.#lines.length; end += 1) {
      const text = this.#text(end);
      if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(text) && end === begin + 1) {
        // The line is a heading that is underlined.
        this.#beginSection(text.trim().startsWith("=") ? 1 : 2, begin, end + 1);
        return;
      }
      if (this.#endsParagraph(end)) break;
    }
    this.#add(begin, end, (text) => text.trim());
    this.#next = end;
  }

  #endsParagraph(line: number): boolean {
    const text = this.#text(line);
    const ends = [headingLine, interruptingItem, fenceLine, ruleLine, quoteLine, htmlLine];
    if (text.trim() === "" || ends.some((form) => form.test(text) && !/^\s*<!--/.test(text))) return true;
    return tableLine.test(text) && isDelimiterRow(this.#text(line + 1));
  }

  /** Reads an item with everything that is indented under it, blank lines and nested items too. */
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
      // A comment between two items belongs to the second one.
      const isLazy = last === end - 1 && !itemLine.test(text) && !/^\s*<!--/.test(text) && !this.#endsParagraph(end);
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
      this.#leaveUnread(begin, end);
      return;
    }
    let { settings } = section;
    if (this.#forNext) settings = mergeSettings(settings, this.#forNext.settings);
    if (inline) settings = mergeSettings(settings, inline.settings);
    this.#forNext = undefined;
    const expanded = expandVariants({ text, settings }, this.#variables, this.#variantRoom);
    this.#variantRoom -= expanded.size;
    for (const name of expanded.names) this.#used.add(name);
    const offset = this.#lines[begin]?.offset ?? 0;
    // Finding the place of a problem and the name that is meant takes time, so it is done for those that are listed only.
    const left = Math.max(0, maxPromptProblems + 1 - this.#problems.length);
    for (const problem of expanded.problems.slice(0, left)) {
      const isUnknown = problem.reason === "unknown-variable";
      const nearest = isUnknown ? this.#nearestTo(problem.name, settings) : undefined;
      this.#addProblems([{ ...placedIn(raw, offset, problem), ...definedFields({ nearest }) }]);
    }
    const place = { line: begin, lastLine: end - 1, heading: section.line };
    this.#prompts.push({ text, ...place, settings, variants: expanded.variants });
  }
}

/** Whether the line is the one below the head of a table. */
function isDelimiterRow(text: string): boolean {
  return /^[\t :|-]+$/.test(text) && text.includes("-") && text.includes("|");
}

/** Places a problem at the name of the variable, else at the first line of the prompt. */
function placedIn(
  raw: string,
  offset: number,
  { written, ...problem }: ReturnType<typeof expandVariants>["problems"][number],
): PromptProblem {
  const found = written === undefined ? -1 : raw.indexOf(written);
  const start = Math.max(0, found);
  const end = found < 0 || written === undefined ? markEnd(raw, 0) : found + written.length;
  return { ...problem, start: offset + start, end: offset + end };
}
