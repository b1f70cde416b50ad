/**
 * Reads growing Markdown. What no further text can change is read once and frozen, and only the rest is read again, so an update costs its delta and
 * not the answer.
 */
import type { Links, Tokens, TokensList } from "marked";
import type { TextPieces } from "./growth";
import { addedLinks, foldLabels, lex } from "./lexer";
import {
  beginsLikeTable,
  cutPiece,
  findBoundary,
  joinBlocks,
  paddingOfPiece,
  type PartShape,
  readPiece,
  shapePart,
} from "./openBlock";
import { OpenFence } from "./openFence";
import { type MarkdownBlock, toBlocks } from "./tree";

/** The text that was added to a growing text since the last update, with LF as line ends; for `MarkdownStream`. */
interface AddedText {
  readonly text: string;
  /** The new text does not begin with the previous one, so it is read from the start. */
  readonly restarts: boolean;
}

class TextInput {
  #seen = "";
  #growth: TextPieces | undefined;
  /** The last character was a CR, which may be the first half of CR LF. */
  #heldReturn = false;
  #finished = false;

  /** Takes the whole text so far; `growth` holds its pieces. `undefined` when nothing changed. */
  take(text: string, finished: boolean, growth?: TextPieces): AddedText | undefined {
    const known = this.#growth;
    const wasFinished = this.#finished;
    this.#growth = growth;
    this.#finished = finished;
    // The pieces are used because a joined text becomes one string only when it is compared or cut. That would copy the whole text at each update.
    if (!wasFinished && growth !== undefined && growth.pieces === known?.pieces && growth.count >= known.count) {
      const added = growth.pieces.slice(known.count, growth.count).join("");
      this.#seen += added;
      return { text: this.#normalise(added), restarts: false };
    }
    if (wasFinished && finished && text === this.#seen) return undefined;
    const restarts = wasFinished || !text.startsWith(this.#seen);
    if (restarts) this.#heldReturn = false;
    const added = restarts ? text : text.slice(this.#seen.length);
    this.#seen = text;
    return { text: this.#normalise(added), restarts };
  }

  #normalise(added: string): string {
    const text = (this.#heldReturn ? "\r" : "") + added;
    this.#heldReturn = !this.#finished && text.endsWith("\r");
    return (this.#heldReturn ? text.slice(0, -1) : text).replace(/\r\n?/g, "\n");
  }
}

/** A part of the text that is frozen. */
interface FrozenPart {
  /** The source of the part, with the head of its table. */
  readonly raw: string;
  /** The index of its first block in `frozen`. */
  readonly first: number;
  /** The shape of the part; only for a part of a long block. */
  shape: PartShape | undefined;
}

/** The long block at the start of the tail, whose beginning was cut off. */
interface OpenBlock {
  shape: PartShape;
  /** Index in `#parts` of its first part. */
  readonly firstPart: number;
  /** The pieces that are read and not frozen yet. */
  pending: MarkdownBlock | undefined;
  raw: string;
  /** The number of cells that were added to its rows. */
  padding: number;
  /** A complete item made the list loose. */
  loose: boolean;
}

/**
 * The maximum number of characters that the library reads at once, which limits the cost of an update. A longer block of which no piece can be cut
 * off is split at the end of a line.
 */
const maxPartLength = 16_384;
/** The minimum length of a block from which pieces are cut off, in characters. */
const shortBlock = 160;
/** The minimum length of a frozen part of a long block, in characters. */
const partLength = 4096;

export class MarkdownStream {
  readonly #input = new TextInput();
  readonly #frozen: MarkdownBlock[] = [];
  readonly #parts: FrozenPart[] = [];
  #links: Links = {};
  /** Labels that were defined after frozen parts had been read. */
  #defined: string[] = [];
  #tail = "";
  #tailBlocks: readonly MarkdownBlock[] = [];
  #open: OpenBlock | undefined;
  /** The minimum length of the tail before the next search for a piece. */
  #cutFrom = shortBlock;
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

  /** Counts how often frozen blocks were read again: for a link's definition after its use, for a list that became loose, or for another text. */
  get generation(): number {
    return this.#generation;
  }

  /** Reads the whole text so far; `growth` holds its pieces. Once `finished`, everything is frozen and equals `readMarkdown` of the text. */
  update(text: string, finished: boolean, growth?: TextPieces): void {
    const added = this.#input.take(text, finished, growth);
    if (added === undefined) return;
    if (added.restarts) this.#reset();
    this.#finished = finished;
    if (!this.#addToFence(added.text)) this.#readTail();
    if (finished) this.#finish();
    this.#resolveEarlier();
  }

  #reset(): void {
    this.#frozen.length = 0;
    this.#parts.length = 0;
    this.#links = {};
    this.#defined = [];
    this.#tail = "";
    this.#tailBlocks = [];
    this.#open = undefined;
    this.#cutFrom = shortBlock;
    this.#fence = undefined;
    this.#generation += 1;
  }

  #finish(): void {
    if (this.#fence) this.#frozen.push(this.#fence.complete);
    this.#fence = undefined;
    if (this.#open?.shape.kind === "paragraph" && this.#reopen(lex(this.#tail, this.#links))) this.#readTail();
    this.#freeze(this.#tail.length);
    this.#tailBlocks = [];
  }

  /** True while the text is within an open fence. The text after a closed fence becomes the tail. */
  #addToFence(text: string): boolean {
    const after = this.#fence?.add(text);
    if (this.#fence !== undefined && after === undefined) {
      this.#tailBlocks = [this.#fence.growing];
      return true;
    }
    if (this.#fence !== undefined) this.#frozen.push(this.#fence.complete);
    this.#fence = undefined;
    this.#tail += after ?? text;
    return false;
  }

  #readTail(): void {
    // The last part of a finished text is read by `#freeze`.
    while (!this.#finished || this.#tail.length > maxPartLength) {
      const part = this.#tail.slice(0, maxPartLength);
      const tokens = lex(part, this.#links, this.#open?.padding);
      if (this.#reopen(tokens)) continue;
      const boundary = findBoundary(part, tokens);
      if (boundary > 0) {
        this.#freeze(boundary);
        continue;
      }
      if (this.#cut(part, tokens)) continue;
      const fence = this.#open ? undefined : openFence(part, tokens);
      if (fence !== undefined) {
        const text = this.#tail.slice(part.indexOf("\n") + 1);
        this.#tail = "";
        this.#fence = fence;
        if (this.#addToFence(text)) return;
        continue;
      }
      if (part.length === this.#tail.length) {
        this.#tailBlocks = this.#inContext(toBlocks(tokens), isLoose(tokens));
        return;
      }
      this.#freeze(endOfLines(part));
    }
  }

  /** Cuts a complete piece off the long block in the tail; false when there is none. */
  #cut(part: string, tokens: TokensList): boolean {
    if (part.length < this.#cutFrom) return false;
    const piece = cutPiece(part, tokens, this.#links);
    if (piece === undefined || (this.#open !== undefined && this.#open.shape.kind !== piece.kind)) {
      this.#cutFrom = part.length + shortBlock / 2;
      return false;
    }
    this.#cutFrom = shortBlock;
    const { kind, head, raw } = piece;
    const shape: PartShape = { kind, head, continued: false, loose: false };
    const open = (this.#open ??= {
      shape,
      firstPart: this.#parts.length,
      pending: undefined,
      raw: "",
      padding: 0,
      loose: false,
    });
    const { block, tokens: read, loose } = readPiece(piece, this.#links);
    open.pending = open.pending === undefined ? block : joinBlocks(open.pending, block);
    open.raw += raw;
    open.padding += paddingOfPiece(piece);
    open.loose ||= loose;
    this.#tail = head + this.#tail.slice(head.length + raw.length);
    this.#define(read);
    if (open.raw.length >= partLength && open.pending !== undefined) {
      this.#push(open.shape.head + open.raw, [open.pending], open.shape);
      Object.assign(open, { pending: undefined, raw: "", shape: { ...open.shape, continued: true } });
    }
    return true;
  }

  /** Reads a cut paragraph again as a whole if it turns out to be another block: an underline makes it a heading or a table. */
  #reopen(tokens: TokensList): boolean {
    const open = this.#open;
    if (open?.shape.kind !== "paragraph" || this.#tail === "") return false;
    if (tokens[0]?.type === "paragraph" && !beginsLikeTable(this.#tail)) return false;
    const parts = this.#parts.splice(open.firstPart);
    if (parts[0]) {
      this.#frozen.length = parts[0].first;
      this.#generation += 1;
    }
    this.#tail = parts.map(({ raw }) => raw).join("") + open.raw + this.#tail;
    this.#open = undefined;
    this.#cutFrom = this.#tail.length + shortBlock;
    return true;
  }

  /** The blocks of the tail. The first one is joined with the pieces that were cut off it. */
  #inContext(blocks: readonly MarkdownBlock[], loose: boolean): MarkdownBlock[] {
    const open = this.#open;
    if (open === undefined) return [...blocks];
    this.#setLoose(open, open.loose || loose);
    const { pending, shape } = open;
    const [first, ...rest] = blocks;
    const joined = first && (pending === undefined ? first : joinBlocks(pending, first));
    const all = joined === undefined ? [...(pending ? [pending] : []), ...blocks] : [joined, ...rest];
    return all.flatMap((block, index) => (index === 0 ? this.#shape(block, shape) : [block]));
  }

  #shape(block: MarkdownBlock, shape: PartShape): MarkdownBlock[] {
    const shaped = shapePart(block, shape);
    return shaped.type === "table" && shaped.rows.length === 0 ? [] : [shaped];
  }

  /** A blank line between two items makes all items of their list loose. */
  #setLoose(open: OpenBlock, loose: boolean): void {
    if (open.shape.loose === loose) return;
    open.shape = { ...open.shape, loose };
    for (const part of this.#parts.slice(open.firstPart)) {
      if (part.shape) part.shape = { ...part.shape, loose };
      this.#readAgain(part);
    }
    if (this.#parts.length > open.firstPart) this.#generation += 1;
  }

  /** Moves that many characters from the tail to the frozen parts, together with the pieces that were cut off its first block. */
  #freeze(length: number): void {
    const open = this.#open;
    if (length === 0 && open === undefined) return;
    const raw = this.#tail.slice(0, length);
    const tokens = lex(raw, this.#links, open?.padding);
    const blocks = this.#inContext(toBlocks(tokens), isLoose(tokens));
    this.#open = undefined;
    this.#cutFrom = shortBlock;
    this.#tail = this.#tail.slice(length);
    const whole = open === undefined ? raw : open.shape.head + open.raw + raw.slice(open.shape.head.length);
    this.#parts.push({ raw: whole, first: this.#frozen.length, shape: open?.shape });
    this.#frozen.push(...blocks);
    this.#define(tokens);
  }

  #push(raw: string, blocks: readonly MarkdownBlock[], shape: PartShape): void {
    this.#parts.push({ raw, first: this.#frozen.length, shape });
    this.#frozen.push(...blocks.map((block) => shapePart(block, shape)));
  }

  #define(tokens: TokensList): void {
    const added = addedLinks(tokens, this.#links);
    const labels = Object.keys(added);
    if (labels.length === 0) return;
    this.#defined.push(...labels);
    this.#links = { ...this.#links, ...added };
  }

  #readAgain({ raw, first, shape }: FrozenPart): void {
    const blocks = toBlocks(lex(raw, this.#links));
    blocks
      .flatMap((block, index) => (index === 0 && shape ? this.#shape(block, shape) : [block]))
      .forEach((block, at) => (this.#frozen[first + at] = block));
  }

  /** Reads the frozen parts again that may refer to a later definition. Rare, and linear in the length of the answer. */
  #resolveEarlier(): void {
    if (this.#defined.length === 0) return;
    const references = this.#defined.map((label) => `[${label}]`);
    this.#defined = [];
    for (const part of this.#parts) {
      if (!part.raw.includes("[")) continue;
      const text = foldLabels(part.raw);
      if (references.some((reference) => text.includes(reference))) this.#readAgain(part);
    }
    if (this.#open?.pending) {
      [this.#open.pending] = toBlocks(lex(this.#open.shape.head + this.#open.raw, this.#links));
      this.#readTail();
    }
    this.#generation += 1;
  }
}

/** The blocks of a whole text, read at once. */
export function readMarkdown(text: string): MarkdownBlock[] {
  return toBlocks(lex(text.replace(/\r\n?/g, "\n"), {}));
}

function isLoose([first]: TokensList): boolean {
  return first?.type === "list" && (first as Tokens.List).loose;
}

/** The position at which a too long part is split: before its last unindented line, otherwise within a line, but never within a surrogate pair. */
function endOfLines(part: string): number {
  for (let end = part.lastIndexOf("\n"); end > 0; end = part.lastIndexOf("\n", end - 1)) {
    if (/^\S/.test(part.charAt(end + 1))) return end + 1;
  }
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}

/** The fence, if the text is one unclosed fence that is not indented and whose opening line is complete. */
function openFence(tail: string, tokens: TokensList): OpenFence | undefined {
  const marker = /^(`{3,}|~{3,})/.exec(tail)?.[1];
  const [block] = toBlocks(tokens);
  if (tokens.length !== 1 || block?.type !== "code" || marker === undefined || !tail.includes("\n")) return undefined;
  return new OpenFence(block, marker);
}
