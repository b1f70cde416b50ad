/** Reads growing Markdown: complete blocks are read once and frozen, only the tail is read again, so an update costs the tail and not the answer. */
import type { Links, TokensList } from "marked";
import { addedLinks, lex } from "./lexer";
import { type CodeBlock, type MarkdownBlock, toBlocks } from "./tree";

/** A part of the text that is frozen. */
interface FrozenPart {
  readonly raw: string;
  /** Index of its first block in `frozen`. */
  readonly first: number;
}

/** A code fence that is not closed yet. Each of its lines is tested once. */
interface OpenFence {
  readonly block: CodeBlock;
  readonly closing: RegExp;
  readonly textStart: number;
  /** Offset up to which no line closes the fence. */
  scanned: number;
}

/**
 * Characters that the library reads at once, which bounds the cost of an update. A longer block is split at the end of a line
 * into several; the text of an open fence is not read at all and may be longer.
 */
const longestPart = 16_384;

export class MarkdownStream {
  readonly #frozen: MarkdownBlock[] = [];
  readonly #parts: FrozenPart[] = [];
  #links: Links = {};
  /** Labels whose definitions came after the frozen parts were read. */
  #defined: string[] = [];
  #seen = "";
  #tail = "";
  #tailBlocks: readonly MarkdownBlock[] = [];
  #fence: OpenFence | undefined;
  #finished = false;
  #generation = 0;

  /** Blocks that don't change as long as `generation` is the same. */
  get frozen(): readonly MarkdownBlock[] {
    return this.#frozen;
  }

  /** Blocks that further text may change. */
  get tail(): readonly MarkdownBlock[] {
    return this.#tailBlocks;
  }

  /** Counts how often frozen blocks were read again: for a link's definition after its use, or for another text. */
  get generation(): number {
    return this.#generation;
  }

  /** Reads the whole text so far. Once `finished`, everything is frozen and equals `readMarkdown` of the text. */
  update(text: string, finished: boolean): void {
    if (!text.startsWith(this.#seen) || this.#finished) {
      if (text === this.#seen && finished === this.#finished) return;
      this.#reset();
    }
    // A trailing CR is held back: it may be the first half of CR LF.
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
    this.#parts.length = 0;
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
    // The last part of a finished text is read by `#freeze`.
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
      // The fence was closed beyond this part, and is frozen by now.
      if (this.#tail.length < length) continue;
      if (part.length === length) {
        this.#tailBlocks = blocks;
        return;
      }
      this.#freeze(endOfLines(part));
    }
  }

  /** Moves that many characters from the tail to the frozen parts. */
  #freeze(length: number): void {
    if (length === 0) return;
    const raw = this.#tail.slice(0, length);
    const tokens = lex(raw, this.#links);
    this.#parts.push({ raw, first: this.#frozen.length });
    this.#frozen.push(...toBlocks(tokens));
    this.#tail = this.#tail.slice(length);
    const added = addedLinks(tokens, this.#links);
    const labels = Object.keys(added);
    if (labels.length === 0) return;
    this.#defined.push(...labels);
    this.#links = { ...this.#links, ...added };
  }

  /** Reads the frozen parts again that may refer to a later definition. Rare, and linear in the length of the answer. */
  #resolveEarlier(): void {
    if (this.#defined.length === 0) return;
    const references = this.#defined.map((label) => `[${label}]`);
    this.#defined = [];
    for (const { raw, first } of this.#parts) {
      if (!raw.includes("[")) continue;
      const text = foldLabels(raw);
      if (!references.some((reference) => text.includes(reference))) continue;
      toBlocks(lex(raw, this.#links)).forEach((block, at) => (this.#frozen[first + at] = block));
    }
    this.#generation += 1;
  }

  /** True while the tail is one open fence, whose text is extended without reading it again. A closed fence is frozen. */
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
    // The last line is left out while it may become the closing fence.
    const last = this.#tail.slice(fence.scanned);
    const shown = /^ {0,3}[`~]+ *$/.test(last) ? this.#tail.slice(0, fence.scanned) : this.#tail;
    this.#tailBlocks = [{ ...fence.block, text: shown.slice(fence.textStart).replace(/\n$/, "") }];
    return true;
  }
}

/** The blocks of a whole text, read at once. */
export function readMarkdown(text: string): MarkdownBlock[] {
  return toBlocks(lex(text.replace(/\r\n?/g, "\n"), {}));
}

/**
 * The length of the beginning of the tail that no further text can change. A block ends at a blank line once the next line is complete,
 * because that line could continue a list or indented code; and before the complete opening line of a fence.
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

/** Where to split a part that is too long: before its last line that is not indented, else within a line, but not within a surrogate pair. */
function endOfLines(part: string): number {
  for (let end = part.lastIndexOf("\n"); end > 0; end = part.lastIndexOf("\n", end - 1)) {
    if (/^\S/.test(part.charAt(end + 1))) return end + 1;
  }
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}

/** Folds white space and letter case as the library does to compare labels. */
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
