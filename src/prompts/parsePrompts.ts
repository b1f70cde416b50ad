/** Finds the prompts of a `*.prompts.md` file, for the CodeLenses above them: each paragraph or list item under a heading, with the settings that apply to it. */
import { type PromptProblem, type PromptSettings, readDirective, readFrontMatter } from "./directives";

export interface FilePrompt {
  /** Without list marker, indentation and comments; line breaks are kept. */
  readonly text: string;
  /** Lines, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
  /** The line of its heading; prompts with the same one can be submitted together. */
  readonly heading: number;
  readonly settings: PromptSettings;
}

export interface ParsedPrompts {
  readonly prompts: readonly FilePrompt[];
  readonly problems: readonly PromptProblem[];
}

/** One pass over the lines. What is no prompt: text before the first heading, quotes, code, tables, HTML, rules and comments. */
export function parsePrompts(text: string): ParsedPrompts {
  return new PromptParser(text).parse();
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
  if (!text.includes("<!--")) return { text: text.trim(), settings: {}, problems: [] };
  let settings: PromptSettings = {};
  const problems: PromptProblem[] = [];
  const rest = text.replaceAll(/[ \t]*<!--([\s\S]*?)(?:-->|$)/g, (whole: string, inner: string, at: number) => {
    const directive = directiveIn(inner);
    if (directive) {
      const start = offset + at + whole.indexOf("<!--") + 4 + directive.start;
      const read = readDirective(directive.text, start);
      settings = mergeSettings(settings, read.settings);
      problems.push(...read.problems);
    }
    return "";
  });
  return { text: rest.replaceAll(/\n{3,}/g, "\n\n").trim(), settings, problems };
}

/** References add up only within one place: a heading's own list replaces the one of the file. */
function mergeSettings(before: PromptSettings, after: PromptSettings): PromptSettings {
  return { ...before, ...after };
}

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
  readonly #lines: readonly Line[];
  readonly #prompts: FilePrompt[] = [];
  readonly #problems: PromptProblem[] = [];
  /** From the file down to the heading that the current line is under. */
  readonly #sections: Section[] = [{ level: 0, line: -1, settings: {} }];
  #next = 0;

  constructor(text: string) {
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
    return { prompts: this.#prompts, problems: this.#problems };
  }

  #text(line: number): string {
    return this.#lines[line]?.text ?? "";
  }

  #readFrontMatter(): void {
    if (this.#text(0).trimEnd() !== "---") return;
    const end = this.#lines.findIndex(({ text }, line) => line > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text));
    if (end === -1) return;
    const text = this.#lines
      .slice(1, end)
      .map((line) => line.text)
      .join("\n");
    const joined = readFrontMatter(text, 0);
    // Offsets in the joined lines are those of the file only where lines end without a carriage return.
    this.#problems.push(...joined.problems.map((problem) => this.#placed(problem, text, 1)));
    this.#setDefaults(joined.settings);
    this.#next = end + 1;
  }

  /** Moves a problem from lines that were joined by line feeds to the file. */
  #placed(problem: PromptProblem, joined: string, firstLine: number): PromptProblem {
    const before = joined.slice(0, problem.start);
    const line = firstLine + (before.match(/\n/g)?.length ?? 0);
    const column = problem.start - (before.lastIndexOf("\n") + 1);
    const start = (this.#lines[line]?.offset ?? 0) + column;
    return { ...problem, start, end: start + problem.end - problem.start };
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
    const end = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`);
    this.#next += 1;
    while (this.#next < this.#lines.length && !end.test(this.#text(this.#next))) this.#next += 1;
    this.#next += 1;
  }

  #skipParagraph(): void {
    while (this.#next < this.#lines.length && this.#text(this.#next).trim() !== "") this.#next += 1;
  }

  /** A comment on lines of its own. As a directive it applies to what follows under the heading. */
  #readComment(): void {
    const begin = this.#next;
    let end = begin;
    while (end < this.#lines.length && !this.#text(end).includes("-->")) end += 1;
    const lines = this.#lines.slice(begin, end + 1).map(({ text }) => text);
    const joined = lines.join("\n");
    const close = joined.indexOf("-->");
    const tail = close === -1 ? "" : joined.slice(close + 3);
    if (tail.trim() !== "" && !tail.trim().startsWith("<!--")) {
      // Text behind it: the comment belongs to that paragraph.
      this.#readParagraph();
      return;
    }
    const read = takeDirectives(joined, 0);
    this.#problems.push(...read.problems.map((problem) => this.#placed(problem, joined, begin)));
    this.#setDefaults(read.settings);
    this.#next = end + 1;
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
    const cut = new RegExp(`^ {0,${indent}}`);
    this.#add(begin, last + 1, (text, line) =>
      (line === begin ? text.slice(marker.length).replace(/^\[[ xX]\][ \t]+/, "") : text.replace(cut, "")).trimEnd(),
    );
    this.#next = last + 1;
  }

  #add(begin: number, end: number, clean: (text: string, line: number) => string): void {
    const lines = this.#lines.slice(begin, end);
    const raw = lines.map(({ text }) => text).join("\n");
    const inline = raw.includes("<!--") ? takeDirectives(raw, 0) : undefined;
    this.#problems.push(...(inline?.problems ?? []).map((problem) => this.#placed(problem, raw, begin)));
    const cleaned = lines.map(({ text }, index) => clean(text, begin + index)).join("\n");
    const text = inline ? takeDirectives(cleaned, 0).text : cleaned.trim();
    const section = this.#sections.at(-1);
    if (text === "" || section === undefined || section.level === 0) return;
    const settings = inline ? mergeSettings(section.settings, inline.settings) : section.settings;
    this.#prompts.push({ text, line: begin, lastLine: end - 1, heading: section.line, settings });
  }
}
