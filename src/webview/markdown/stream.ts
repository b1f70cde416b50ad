/** Markdown that grows: finished blocks are read once and kept, only the tail is read again, so an update costs the tail and not the answer. */
import { Lexer, type Links, Tokenizer, type Tokens, type TokensList } from "marked";
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

export class MarkdownStream {
  readonly #frozen: MarkdownBlock[] = [];
  readonly #pieces: Piece[] = [];
  #links: Links = {};
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
    if (finished) {
      this.#fence = undefined;
      this.#freeze(this.#tail);
      this.#tailBlocks = [];
    } else if (!this.#growFence()) {
      this.#readTail();
    }
  }

  #reset(): void {
    this.#frozen.length = 0;
    this.#pieces.length = 0;
    this.#links = {};
    this.#seen = "";
    this.#tail = "";
    this.#tailBlocks = [];
    this.#fence = undefined;
    this.#finished = false;
    this.#generation += 1;
  }

  #readTail(): void {
    const tokens = lex(this.#tail, this.#links);
    const boundary = findBoundary(this.#tail, tokens);
    if (boundary > 0) {
      this.#freeze(this.#tail.slice(0, boundary));
      this.#readTail();
      return;
    }
    this.#tailBlocks = toBlocks(tokens);
    const fence = openFence(this.#tail, this.#tailBlocks);
    if (fence !== undefined) {
      this.#fence = fence;
      this.#growFence();
    }
  }

  /** Moves `raw` from the tail to what is kept. */
  #freeze(raw: string): void {
    const tokens = lex(raw, this.#links);
    this.#pieces.push({ raw, first: this.#frozen.length });
    this.#frozen.push(...toBlocks(tokens));
    this.#tail = this.#tail.slice(raw.length);
    const added = Object.entries(tokens.links).filter(([tag]) => !isRepeated(tag) && !(tag in this.#links));
    if (added.length === 0) return;
    this.#links = { ...this.#links, ...Object.fromEntries(added) };
    this.#resolveEarlier();
  }

  /** A definition may come after its use: what can refer to one is read again. Rare, and in proportion to the answer. */
  #resolveEarlier(): void {
    for (const { raw, first } of this.#pieces) {
      if (raw.includes("[")) toBlocks(lex(raw, this.#links)).forEach((block, at) => (this.#frozen[first + at] = block));
    }
    this.#generation += 1;
  }

  /** True while the tail is one open fence, shown without reading it all again. */
  #growFence(): boolean {
    const fence = this.#fence;
    if (fence === undefined) return false;
    for (;;) {
      const end = this.#tail.indexOf("\n", fence.scanned);
      if (end < 0) break;
      if (fence.closing.test(this.#tail.slice(fence.scanned, end))) {
        this.#fence = undefined;
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

function lex(text: string, links: Links): TokensList {
  const lexer = new Lexer({ gfm: true, breaks: false, pedantic: false, tokenizer: new StreamTokenizer() });
  Object.assign(lexer.tokens.links, links);
  lexer.lex(text);
  return lexer.tokens;
}

/**
 * The library's tokenizer with two differences, so that what stands before a blank line never depends on what comes after:
 * a definition ends at a blank line, as CommonMark says; and a repeated one is a token too, so that no text goes missing.
 */
class StreamTokenizer extends Tokenizer {
  override def(source: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(source)) return undefined;
    const blank = /\n[ \t]*\n/.exec(source);
    const token = super.def(blank ? source.slice(0, blank.index + 1) : source);
    if (token?.tag === undefined || !(token.tag in this.lexer.tokens.links)) return token;
    return { ...token, tag: `${token.tag}\0${Object.keys(this.lexer.tokens.links).length}` };
  }
}

/** No label holds a NUL: such a tag marks a definition that lost against an earlier one. */
function isRepeated(tag: string): boolean {
  return tag.includes("\0");
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

function openFence(tail: string, blocks: readonly MarkdownBlock[]): OpenFence | undefined {
  const [block] = blocks;
  const opening = /^(`{3,}|~{3,})[^\n]*\n/.exec(tail);
  const marker = opening?.[1];
  if (blocks.length !== 1 || block?.type !== "code" || opening === null || marker === undefined) return undefined;
  const closing = new RegExp(`^ {0,3}${marker}[~\`]* *$`);
  const textStart = opening[0].length;
  const closed = tail
    .slice(textStart)
    .split("\n")
    .some((line) => closing.test(line));
  return closed ? undefined : { block, closing, textStart, scanned: textStart };
}
