/** A code fence that is not closed yet. Its lines are collected and never read as Markdown. */
import { definedFields } from "../../../base/definedFields";
import type { CodeBlock, CodeInfo } from "./tree";

/** Code that still arrives. `text` is joined only when it is read. */
export class GrowingCode implements CodeBlock {
  readonly type = "code";
  readonly language: string;
  readonly file?: string;
  /** Complete lines with their line ends. Later versions of the block append to the same array. */
  readonly lines: readonly string[];
  /** How many of the lines are in this version. */
  readonly count: number;
  /** The part of the next line that has arrived. */
  readonly rest: string;

  constructor({ language, file }: CodeInfo, lines: readonly string[], rest: string) {
    this.language = language;
    if (file !== undefined) this.file = file;
    this.lines = lines;
    this.count = lines.length;
    this.rest = rest;
  }

  get text(): string {
    return toCodeText(this.lines.slice(0, this.count).join("") + this.rest);
  }
}

export class OpenFence {
  readonly #info: CodeInfo;
  readonly #marker: string;
  readonly #lines: string[] = [];
  #rest = "";

  /** `marker`: the fence's backticks or tildes. */
  constructor({ language, file }: CodeInfo, marker: string) {
    this.#info = { language, ...definedFields({ file }) };
    this.#marker = marker;
  }

  /** Adds text, each of whose lines is tested once. Returns what comes after the closing line; `undefined` while there is none. */
  add(text: string): string | undefined {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = this.#rest + text.slice(start, end);
      this.#rest = "";
      start = end + 1;
      if (this.#closes(line)) return text.slice(start);
      this.#lines.push(`${line}\n`);
    }
    this.#rest += text.slice(start);
    return undefined;
  }

  /**
   * Whether the line has at least as many of the same marks, and nothing else. They are compared as text, because a pattern made of an answer's marks
   * could be too long to compile.
   */
  #closes(line: string): boolean {
    const [, marks = ""] = /^ {0,3}(`+|~+) *$/.exec(line) ?? [];
    return marks.startsWith(this.#marker);
  }

  /** The block so far. The last line is left out while it may become the closing fence. */
  get growing(): GrowingCode {
    return new GrowingCode(this.#info, this.#lines, /^ {0,3}[`~]+ *$/.test(this.#rest) ? "" : this.#rest);
  }

  /** The block at the end of the text or of the fence. */
  get complete(): CodeBlock {
    const rest = this.#closes(this.#rest) ? "" : this.#rest;
    return { type: "code", ...this.#info, text: toCodeText(this.#lines.join("") + rest) };
  }
}

/** Leaves out the last line end, unless the code ends with an empty line, as the library does. */
function toCodeText(lines: string): string {
  return lines.endsWith("\n") && lines !== "\n" && !lines.endsWith("\n\n") ? lines.slice(0, -1) : lines;
}
