/** Markdown that grows: finished blocks are read once and kept, only the tail is read again, so an update costs the tail and not the answer. */
import type { Links, TokensList } from "marked";
import { addedLinks, lex } from "./lexer";
import { type CodeBlock, type MarkdownBlock, toBlocks } from "./tree";

/** A piece of the text between two blank lines, and what it became. */
interface Piece {
  readonly raw: string;
  /** Where its blocks begin in `frozen`. */
  readonly first: number;
}

/** A fence that is not closed yet: its lines are looked at once each. */
interface OpenFence {
  readonly block: CodeBlock;
  readonly closing: RegExp;
  readonly textStart: number;
  /** Up to here every line is known not to close it. */
  scanned: number;
}

/**
 * Characters that are read together. A longer block is cut at a line end and goes on as another one, so that neither an
 * update nor a whole text costs more than this at a time; an open fence is not read at all and may be longer.
 */
const longestPart = 16_384;

export class MarkdownStream {
  readonly #frozen: MarkdownBlock[] = [];
  readonly #pieces: Piece[] = [];
  #links: Links = {};
  /** Labels that were defined since earlier parts were read. */
  #defined: string[] = [];
  #seen = "";
  #tail = "";
  #tailBlocks: readonly MarkdownBlock[] = [];
  #fence: OpenFence | undefined;
  #finished = false;
  #generation = 0;

  /** Blocks that stay as they are, unless `generation` moves. */
  get frozen(): readonly MarkdownBlock[] {
    return this.#frozen;
  }

  /** Blocks that the next text may still change. */
  get tail(): readonly MarkdownBlock[] {
    return this.#tailBlocks;
  }

  /** Moves when frozen blocks were read anew: a link's definition came later than its use, or the text is another one. */
  get generation(): number {
    return this.#generation;
  }

  /** Takes the whole text so far. After `finished` everything is frozen and equals one reading of the whole. */
  update(text: string, finished: boolean): void {
    if (!text.startsWith(this.#seen) || this.#finished) {
      if (text === this.#seen && finished === this.#finished) return;
      this.#reset();
    }
    // Half a line ending is held back until it is known which one it is.
    const end = !finished && text.endsWith("\r") ? text.length - 1 : text.length;
    this.#tail += text.slice(this.#seen.length, end).replace(/\r\n?/g, "\n");
    this.#seen = text.slice(0, end);
    this.#finished = finished;
    if (!this.#growFence()) this.#readTail();
    if (finished) {
      this.#fence = undefined;
      this.#freeze(this.#tail.length);
      this.#tailBlocks = [];
    }
    this.#resolveEarlier();
  }

  #reset(): void {
    this.#frozen.length = 0;
    this.#pieces.length = 0;
    this.#links = {};
    this.#defined = [];
    this.#seen = "";
    this.#tail = "";
    this.#tailBlocks = [];
    this.#fence = undefined;
    this.#finished = false;
    this.#generation += 1;
  }

  #readTail(): void {
    // The last part of a finished text is read when it is kept.
    while (!this.#finished || this.#tail.length > longestPart) {
      const { length } = this.#tail;
      const part = this.#tail.slice(0, longestPart);
      const tokens = lex(part, this.#links);
      const boundary = findBoundary(part, tokens);
      if (boundary > 0) {
        this.#freeze(boundary);
        continue;
      }
      const blocks = toBlocks(tokens);
      this.#fence = openFence(part, blocks);
      if (this.#growFence()) return;
      // A fence that was closed behind the part is kept by now.
      if (this.#tail.length < length) continue;
      if (part.length === length) {
        this.#tailBlocks = blocks;
        return;
      }
      this.#freeze(endOfLines(part));
    }
  }

  /** Moves so many characters from the tail to what is kept. */
  #freeze(length: number): void {
    if (length === 0) return;
    const raw = this.#tail.slice(0, length);
    const tokens = lex(raw, this.#links);
    this.#pieces.push({ raw, first: this.#frozen.length });
    this.#frozen.push(...toBlocks(tokens));
    this.#tail = this.#tail.slice(length);
    const added = addedLinks(tokens, this.#links);
    const labels = Object.keys(added);
    if (labels.length === 0) return;
    this.#defined.push(...labels);
    this.#links = { ...this.#links, ...added };
  }

  /** A definition may come after its use: what can refer to one is read again. Rare, and in proportion to the answer. */
  #resolveEarlier(): void {
    if (this.#defined.length === 0) return;
    const references = this.#defined.map((label) => `[${label}]`);
    this.#defined = [];
    for (const { raw, first } of this.#pieces) {
      if (!raw.includes("[")) continue;
      const text = foldLabels(raw);
      if (!references.some((reference) => text.includes(reference))) continue;
      toBlocks(lex(raw, this.#links)).forEach((block, at) => (this.#frozen[first + at] = block));
    }
    this.#generation += 1;
  }

  /** True while the tail is one open fence, shown without reading it all again; a closed one is kept as it is. */
  #growFence(): boolean {
    const fence = this.#fence;
    if (fence === undefined) return false;
    for (;;) {
      const end = this.#tail.indexOf("\n", fence.scanned);
      if (end < 0) break;
      if (fence.closing.test(this.#tail.slice(fence.scanned, end))) {
        this.#fence = undefined;
        this.#freeze(end + 1);
        return false;
      }
      fence.scanned = end + 1;
    }
    // A last line that may become the closing fence is not shown as code for a moment.
    const last = this.#tail.slice(fence.scanned);
    const shown = /^ {0,3}[`~]+ *$/.test(last) ? this.#tail.slice(0, fence.scanned) : this.#tail;
    this.#tailBlocks = [{ ...fence.block, text: shown.slice(fence.textStart).replace(/\n$/, "") }];
    return true;
  }
}

/** One reading of a whole text: what a stream must arrive at. */
export function readMarkdown(text: string): MarkdownBlock[] {
  return toBlocks(lex(text.replace(/\r\n?/g, "\n"), {}));
}

/**
 * How much of the tail no further text can change. Blocks end at a blank line once the next line is whole (it could have
 * continued a list or indented code), and before a whole opening line of a fence.
 */
function findBoundary(tail: string, tokens: TokensList): number {
  const lastLine = tail.lastIndexOf("\n") + 1;
  let boundary = 0;
  let end = 0;
  for (const token of tokens) {
    if (token.type === "code" && end > 0 && /^(`{3,}|~{3,})/.test(token.raw) && tail.includes("\n", end))
      boundary = end;
    if (!tail.startsWith(token.raw, end)) break;
    end += token.raw.length;
    if (end < lastLine && /\n[ \t]*\n$/.test(tail.slice(0, end).slice(-200)) && /\S/.test(tail.slice(end, lastLine))) {
      boundary = end;
    }
  }
  return boundary;
}

/** Where a part that is too long is cut: before its last line that is not indented, else within a line, but not within a character. */
function endOfLines(part: string): number {
  for (let end = part.lastIndexOf("\n"); end > 0; end = part.lastIndexOf("\n", end - 1)) {
    if (/^\S/.test(part.charAt(end + 1))) return end + 1;
  }
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}

/** Labels as the library compares them: white space and letter case don't count. */
function foldLabels(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\[ /g, "[").replace(/ \]/g, "]").toLowerCase().toUpperCase().toLowerCase();
}

function openFence(tail: string, blocks: readonly MarkdownBlock[]): OpenFence | undefined {
  const [block] = blocks;
  const textStart = tail.indexOf("\n") + 1;
  const marker = /^(`{3,}|~{3,})/.exec(tail)?.[1];
  if (blocks.length !== 1 || block?.type !== "code" || textStart === 0 || marker === undefined) return undefined;
  const closing = new RegExp(`^ {0,3}${marker}[~\`]* *$`);
  const closed = tail
    .slice(textStart)
    .split("\n")
    .some((line) => closing.test(line));
  return closed ? undefined : { block, closing, textStart, scanned: textStart };
}
