/** Markdown as a plain tree: the library's tokens reduced to what is shown. Raw HTML becomes text, and an image a link with its alternative text. */
import type { MarkedToken, Token, Tokens } from "marked";

export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "strike"; readonly children: readonly Inline[] }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: "break" };

/** `continued`: the block continues the one before it, which was too long for a single block. */
export type MarkdownBlock =
  /** `plain` is a paragraph without its margins, as in a tight list. */
  | { readonly type: "paragraph" | "plain"; readonly children: readonly Inline[]; readonly continued?: true }
  | { readonly type: "heading"; readonly depth: number; readonly children: readonly Inline[] }
  | CodeBlock
  | { readonly type: "quote"; readonly children: readonly MarkdownBlock[]; readonly continued?: true }
  | ListBlock
  | TableBlock
  | { readonly type: "rule" };

export interface CodeBlock {
  readonly type: "code";
  /** The first word of the info string; empty when there is none. */
  readonly language: string;
  /** The file that the info string names. */
  readonly file?: string;
  readonly text: string;
}

export interface ListBlock {
  readonly type: "list";
  readonly ordered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
  readonly continued?: true;
}

export interface ListItem {
  /** Missing unless it is an item of a task list. */
  readonly ticked?: boolean;
  readonly children: readonly MarkdownBlock[];
}

export interface TableBlock {
  readonly type: "table";
  readonly align: readonly ("left" | "center" | "right" | null)[];
  /** The first row is the header, unless the table is continued. */
  readonly rows: readonly (readonly (readonly Inline[])[])[];
  readonly continued?: true;
}

export function toBlocks(tokens: readonly Token[]): MarkdownBlock[] {
  return markedTokens(tokens).flatMap((token): MarkdownBlock[] => {
    switch (token.type) {
      case "space":
      case "def":
      case "checkbox":
        return [];
      case "paragraph":
        return [{ type: "paragraph", children: toInlines(token.tokens) }];
      case "heading":
        return [{ type: "heading", depth: token.depth, children: toInlines(token.tokens) }];
      case "code":
        return [toCode(token)];
      case "blockquote":
        return [{ type: "quote", children: toBlocks(token.tokens) }];
      case "list":
        return [toList(token)];
      case "table":
        return [toTable(token)];
      case "hr":
        return [{ type: "rule" }];
      case "html":
        return [{ type: "paragraph", children: [{ type: "text", text: token.raw.trimEnd() }] }];
      case "text":
        return [{ type: "plain", children: toInlines([token]) }];
      case "list_item":
        return toBlocks(token.tokens);
      case "br":
      case "codespan":
      case "del":
      case "em":
      case "escape":
      case "image":
      case "link":
      case "strong":
        return [{ type: "plain", children: toInlines([token]) }];
    }
  });
}

export function toInlines(tokens: readonly Token[]): Inline[] {
  return joinInlines(markedTokens(tokens).flatMap(toInline));
}

/** Joins adjacent texts. */
export function joinInlines(parts: readonly Inline[]): Inline[] {
  const inlines: Inline[] = [];
  for (const inline of parts) {
    const last = inlines.at(-1);
    if (inline.type === "text" && last?.type === "text") {
      inlines[inlines.length - 1] = { type: "text", text: last.text + inline.text };
    } else {
      inlines.push(inline);
    }
  }
  return inlines;
}

function toInline(token: MarkedToken): Inline[] {
  switch (token.type) {
    case "text":
      return token.tokens ? toInlines(token.tokens) : [{ type: "text", text: decodeReferences(token.text) }];
    case "escape":
      return [{ type: "text", text: token.text }];
    case "codespan":
      return [{ type: "code", text: token.text }];
    case "strong":
      return [{ type: "strong", children: toInlines(token.tokens) }];
    case "em":
      return [{ type: "emphasis", children: toInlines(token.tokens) }];
    case "del":
      return [{ type: "strike", children: toInlines(token.tokens) }];
    case "br":
      return [{ type: "break" }];
    case "link":
      return toLink(token);
    case "image":
      return toImage(token);
    case "checkbox":
      return [];
    case "html":
    case "blockquote":
    case "code":
    case "def":
    case "heading":
    case "hr":
    case "list":
    case "list_item":
    case "paragraph":
    case "space":
    case "table":
      return [{ type: "text", text: token.raw }];
  }
}

function toLink(token: Tokens.Link): Inline[] {
  const url = readLink(token.autolink ? token.href : decodeReferences(token.href));
  const children = token.autolink ? [{ type: "text" as const, text: token.text }] : toInlines(token.tokens);
  if (url === undefined) return children;
  return [{ type: "link", url, children: children.length > 0 ? children : [{ type: "text", text: url }] }];
}

/** An image is never fetched: the request would reveal the reader to its server, and its URL can carry text of the chat. */
function toImage(token: Tokens.Image): Inline[] {
  const url = readLink(decodeReferences(token.href));
  const text = decodeReferences(token.text) || token.href;
  return url === undefined ? [{ type: "text", text }] : [{ type: "link", url, children: [{ type: "text", text }] }];
}

function toCode(token: Tokens.Code): CodeBlock {
  const info = decodeReferences(token.lang ?? "").trim();
  return { type: "code", ...readCodeInfo(info), text: token.text };
}

function toList(token: Tokens.List): ListBlock {
  const items = token.items.map((item): ListItem => {
    const children = toBlocks(item.tokens);
    return item.task ? { ticked: item.checked === true, children } : { children };
  });
  return { type: "list", ordered: token.ordered, start: token.start === "" ? 1 : token.start, items };
}

function toTable(token: Tokens.Table): TableBlock {
  const row = (cells: readonly Tokens.TableCell[]): Inline[][] => cells.map((cell) => toInlines(cell.tokens));
  return { type: "table", align: token.align, rows: [row(token.header), ...token.rows.map(row)] };
}

/** The library's type allows tokens of extensions, of which none is installed. */
function markedTokens(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[];
}

/** Named HTML character references that are decoded. */
const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  divide: "÷",
  plusmn: "±",
  deg: "°",
  le: "≤",
  ge: "≥",
  ne: "≠",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  euro: "€",
  pound: "£",
  sect: "§",
  para: "¶",
};

/** Decodes numeric references and the names that occur in prose. An unknown name stays as it was written. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/gi, (written, hex, decimal, name) => {
    if (typeof name === "string") return named[name] ?? written;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? String.fromCodePoint(code) : "\ufffd";
  });
}

/** The protocols whose addresses become links: web and mail addresses, which the host can open. None of them runs code. */
const openable = new Set(["http:", "https:", "mailto:"]);

/** The normalised address, or `undefined` for what stays text: relative paths, `javascript:`, `data:`, `command:`. */
export function readLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return openable.has(url.protocol) ? url.href : undefined;
}

/** The info string of a code block: its language, and the file that some models name in it. */
export interface CodeInfo {
  /** The first word; empty when there is none. */
  readonly language: string;
  readonly file?: string;
}

/** Reads `ts`, `ts:src/app.ts`, `ts src/app.ts` and `ts title="src/app.ts"`. */
export function readCodeInfo(info: string): CodeInfo {
  const language = info.split(/[\s{,:]/, 1)[0] ?? "";
  const named =
    /(?:title|file|filename|path)=["']?([^"'\s}]+)/.exec(info) ?? /^[^\s{,:=]+[:\s]\s*([^\s{}="']+\.\w+)/.exec(info);
  const file = named?.[1];
  return { language, ...(file === undefined ? {} : { file }) };
}
