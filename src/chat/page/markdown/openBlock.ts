/**
 * Reads a long block that still grows: its complete beginning (items, rows, sentences) is cut off, read once and joined with the rest. Pure; for
 * `MarkdownStream`.
 */
import type { Links, Token, Tokens } from "marked";
import { countCells, findCut, lex, lexInline, paddingOf } from "./lexer";
import { joinInlines, type MarkdownBlock, toBlocks, toInlines } from "./tree";

/** Matches a line that would be code if it were not within a paragraph. */
const indentedLine = /\n(?: {4}| {0,3}\t)/;

export type OpenKind = "list" | "table" | "quote" | "paragraph";

/** The beginning of an open block that no further text can change. */
export interface Piece {
  readonly kind: OpenKind;
  /** Header and delimiter row of a table, which all its pieces need; otherwise empty. */
  readonly head: string;
  /** The text of the piece, without the head. */
  readonly raw: string;
  /** The first line of the next item. It is read with the piece, because a blank line before it makes the list loose. */
  readonly probe: string;
}

/** The context in which a part of a block is read. */
export interface PartShape {
  readonly kind: OpenKind;
  readonly head: string;
  /** Whether other parts of the block come before this one. */
  readonly continued: boolean;
  /** Whether a later item made the list loose. */
  readonly loose: boolean;
}

/** The piece that can be cut off the only block of `tail`, if there is one. */
export function cutPiece(tail: string, tokens: readonly Token[], links: Links): Piece | undefined {
  const [token, ...rest] = tokens;
  if (token === undefined || rest.some(({ type }) => type !== "space") || !tail.startsWith(token.raw)) return undefined;
  switch (token.type) {
    case "list":
      return cutList(tail, token as Tokens.List);
    case "table":
      return cutTable(tail);
    case "blockquote":
      return cutQuote(tail, token as Tokens.Blockquote);
    case "paragraph":
      return cutParagraph(tail, links);
    default:
      return undefined;
  }
}

function cutList(tail: string, { items }: Tokens.List): Piece | undefined {
  const length = items.slice(0, -1).reduce((sum, { raw }) => sum + raw.length, 0);
  const end = tail.indexOf("\n", length) + 1;
  if (length === 0 || end === 0) return undefined;
  return { kind: "list", head: "", raw: tail.slice(0, length), probe: tail.slice(length, end) };
}

function cutTable(tail: string): Piece | undefined {
  const start = tail.indexOf("\n", tail.indexOf("\n") + 1) + 1;
  const end = tail.lastIndexOf("\n", tail.length - 2) + 1;
  if (start === 0 || end <= start) return undefined;
  return { kind: "table", head: tail.slice(0, start), raw: tail.slice(start, end), probe: "" };
}

function cutQuote(tail: string, { tokens }: Tokens.Blockquote): Piece | undefined {
  const lines = tail.split("\n");
  if (lines.slice(0, -1).some((line) => !/^ {0,3}>/.test(line)) || !/^ {0,3}(?:>|$)/.test(lines.at(-1) ?? ""))
    return undefined;
  const inner = lines.map((line) => line.replace(/^ {0,3}>[ \t]?/, "")).join("\n");
  const boundary = findBoundary(inner, tokens);
  if (boundary === 0) return undefined;
  const count = inner.slice(0, boundary).split("\n").length - 1;
  const raw = lines.slice(0, count).join("\n");
  return { kind: "quote", head: "", raw: `${raw}\n`, probe: "" };
}

/** The piece of a paragraph. A paragraph with indented lines is not cut, because the library reads it in parts and joins them. */
function cutParagraph(tail: string, links: Links): Piece | undefined {
  if (indentedLine.test(tail)) return undefined;
  const end = findCut(tail, (segment) => lexInline(segment, links));
  return end === 0 ? undefined : { kind: "paragraph", head: "", raw: tail.slice(0, end), probe: "" };
}

/** The block of a piece, the definitions in it, and whether it makes its list loose. */
export function readPiece(
  piece: Piece,
  links: Links,
): { block: MarkdownBlock; tokens: ReturnType<typeof lex>; loose: boolean } {
  const { kind, head, raw, probe } = piece;
  if (kind === "paragraph") {
    const block = { type: "paragraph", children: toInlines(lexInline(raw, links)) } as const;
    return { block, tokens: lex("", links), loose: false };
  }
  const tokens = lex(head + raw + probe, links);
  const [block] = toBlocks(tokens);
  if (block === undefined) throw new Error(`A piece of a ${kind} is empty`);
  const [token] = tokens;
  const loose = token?.type === "list" && (token as Tokens.List).loose;
  return { block: block.type === "list" ? { ...block, items: block.items.slice(0, -1) } : block, tokens, loose };
}

/** Joins two parts of one block; `undefined` when they are of different kinds. */
export function joinBlocks(before: MarkdownBlock, next: MarkdownBlock): MarkdownBlock | undefined {
  if (before.type === "list" && next.type === "list") return { ...before, items: [...before.items, ...next.items] };
  if (before.type === "table" && next.type === "table")
    return { ...before, rows: [...before.rows, ...next.rows.slice(1)] };
  if (before.type === "quote" && next.type === "quote")
    return { ...before, children: [...before.children, ...next.children] };
  if (before.type === "paragraph" && next.type === "paragraph")
    return { ...before, children: joinInlines([...before.children, ...next.children]) };
  return undefined;
}

/** A part as it is shown: marked as continued, without a second header, and loose if its list is. */
export function shapePart(block: MarkdownBlock, { continued, loose }: PartShape): MarkdownBlock {
  switch (block.type) {
    case "list": {
      const items = loose ? block.items.map((item) => ({ ...item, children: item.children.map(loosen) })) : block.items;
      return { ...block, items, ...(continued ? { continued } : {}) };
    }
    case "table":
      return continued ? { ...block, rows: block.rows.slice(1), continued } : block;
    case "quote":
    case "paragraph":
      return continued ? { ...block, continued } : block;
    case "code":
    case "heading":
    case "plain":
    case "rule":
      return block;
  }
}

function loosen(block: MarkdownBlock): MarkdownBlock {
  return block.type === "plain" ? { ...block, type: "paragraph" } : block;
}

/** The cells that the library adds to the rows of a table's piece. */
export function paddingOfPiece({ kind, head, raw }: Piece): number {
  if (kind !== "table") return 0;
  const columns = countCells(head.slice(0, head.indexOf("\n")));
  return raw.split("\n").reduce((sum, row) => sum + (row === "" ? 0 : paddingOf(row, columns)), 0);
}

/**
 * The length of the beginning of the tail that no further text can change. A block ends at a blank line once the next line is complete,
 * because that line could continue a list or indented code; before the complete opening line of a fence; and where the complete first
 * lines of a list, table or quote ended a paragraph.
 */
export function findBoundary(tail: string, tokens: readonly Token[]): number {
  const lastLine = tail.lastIndexOf("\n") + 1;
  let boundary = 0;
  let end = 0;
  let before: Token | undefined;
  for (const token of tokens) {
    if (token.type === "code" && end > 0 && /^(`{3,}|~{3,})/.test(token.raw) && tail.includes("\n", end))
      boundary = end;
    if (!tail.startsWith(token.raw, end)) break;
    if (endsBlock(before, token.type) && isBegun(tail, end, token.type)) boundary = end;
    before = token;
    end += token.raw.length;
    if (end < lastLine && /\n[ \t]*\n$/.test(tail.slice(0, end).slice(-200)) && /\S/.test(tail.slice(end, lastLine))) {
      boundary = end;
    }
  }
  return boundary;
}

/**
 * Whether a text may begin with a table: the second line contains only characters of a delimiter row. Then it matters where the first line begins.
 */
export function beginsLikeTable(text: string): boolean {
  const second = text.indexOf("\n") + 1;
  return second > 0 && /^ {0,3}[|:-][|: -]*(?:\n|$)/.test(text.slice(second, second + 4096));
}

/** Whether a block of that type ends the one before it. Indented lines of a paragraph, and lines that look like a table's, depend on later lines. */
function endsBlock(before: Token | undefined, type: string): boolean {
  const isParagraph = before?.type === "paragraph" && !/\n(?: {4}| {0,3}\t)|\||^ *:?-+:? *$/m.test(before.raw);
  const isEnded = isParagraph || before?.type === "heading" || before?.type === "hr";
  return isEnded && (type === "list" || type === "table" || type === "blockquote");
}

/** Whether the first line of the block is complete; for a table, the second one. Only some lists can end a paragraph. */
function isBegun(tail: string, start: number, type: string): boolean {
  const end = tail.indexOf("\n", start);
  if (type === "list" && !/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/.test(tail.slice(start, start + 80))) return false;
  if (type !== "table") return end >= 0;
  return end >= 0 && /^[^\n|]*\|.*\n/.test(tail.slice(end + 1));
}
