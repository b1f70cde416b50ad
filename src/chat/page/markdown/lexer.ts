/** The Markdown library's lexer with limits on nesting, width and length. Whatever exceeds a limit is plain text, so that no text blocks the page. */
import { Lexer, type Links, type Token, Tokenizer, type Tokens, type TokensList } from "marked";
import { withCjkFlanking } from "./openMarks";

/** The maximum levels of nested quotes and lists. */
const deepestBlock = 16;
/** The maximum levels of nested emphasis, links and struck text. The library reads the text again at each level. */
const deepestInline = 16;
/** The maximum number of markup characters in one paragraph, heading or cell. The library compares each opening one with all that follow. */
const maxDelimiters = 600;
/** The maximum characters of a paragraph that are read at once where it can be cut, and the minimum of a piece. */
const longSegment = 4096;
const shortSegment = 128;
/** Matches a word that is too long, because the library searches for an address from each of its characters. */
const tooLongWord = /(?<!\S)\S{3000}/;
/** Punctuation of Chinese and Japanese, including the quotation marks and dots that these scripts share with others. */
const wideMark = /[\u2018-\u201d\u2026\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;
/** The maximum number of cells that the library adds to the rows of a table to make them as wide as its header. */
const maxPadding = 10_000;
/** The maximum length of a link's definition with its title, in characters. */
const maxDefinitionLength = 2000;
/** The maximum number of lines that look like a table's header but are none. The library reads all following lines for each. */
const maxFalseTables = 20;
/** The maximum number of definitions in a text. Each can turn earlier text into links. */
const maxDefinitions = 500;

/** Reads a part of a text; `links` are the link definitions of the parts before it, `padding` the cells added to its first table so far. */
export function lex(text: string, links: Links, padding = 0): TokensList {
  const lexer = createLexer(links, padding);
  lexer.lex(text);
  return lexer.tokens;
}

/** Reads text within a paragraph. */
export function lexInline(text: string, links: Links): Token[] {
  return createLexer(links, 0).inlineTokens(text);
}

function createLexer(links: Links, padding: number): BoundedLexer {
  const lexer = new BoundedLexer(new PartTokenizer(Object.keys(links).length, padding));
  Object.assign(lexer.tokens.links, links);
  return lexer;
}

/** Folds white space and letter case as the library does to compare labels. */
export function foldLabels(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\[ /g, "[").replace(/ \]/g, "]").toLowerCase().toUpperCase().toLowerCase();
}

/** The definitions that a part adds to those before it. */
export function addedLinks(tokens: TokensList, before: Links): Links {
  const added = Object.entries(tokens.links).filter(([tag]) => !isRepeated(tag) && !(tag in before));
  return Object.fromEntries(added);
}

class BoundedLexer extends Lexer {
  #inlineDepth = 0;

  constructor(tokenizer: Tokenizer) {
    super({ gfm: true, breaks: false, pedantic: false, tokenizer });
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth === 0 && source.length > longSegment) return this.#readSegments(source, tokens);
    return this.#readInline(source, tokens);
  }

  /** Reads a long paragraph piece by piece, so that the limits apply to each piece and not to the whole. */
  #readSegments(source: string, tokens: Token[]): Token[] {
    let rest = source;
    while (rest.length > longSegment) {
      const end = findCut(rest.slice(0, longSegment), (segment) => this.#readInline(segment, []));
      if (end === 0) break;
      this.#readInline(rest.slice(0, end), tokens);
      rest = rest.slice(end);
    }
    return this.#readInline(rest, tokens);
  }

  #readInline(source: string, tokens: Token[]): Token[] {
    if (this.#inlineDepth >= deepestInline || (this.#inlineDepth === 0 && isTooHard(source))) {
      if (source !== "") tokens.push(toText(source));
      return tokens;
    }
    this.#inlineDepth += 1;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#inlineDepth -= 1;
    }
  }
}

/**
 * The position where a paragraph can be read in two pieces with the same result, or 0. It is between two words, where no earlier markup is open. Any
 * earlier character that could still begin or end markup, such as a lone star, makes a cut impossible.
 */
export function findCut(text: string, read: (segment: string) => readonly Token[]): number {
  const ends = Array.from(
    text.matchAll(/[\p{L}\p{N}.,;:!?)] (?=\p{L})/gu),
    ({ index, 0: { length } }) => index + length,
  );
  for (const end of new Set([ends.at(-1), ends.at(-12), ends[ends.length >> 1], ends[ends.length >> 2]])) {
    if (end !== undefined && end >= shortSegment && isClosed(read(text.slice(0, end)))) return end;
  }
  return 0;
}

function isClosed(tokens: readonly Token[]): boolean {
  return (tokens as readonly Tokens.Generic[]).every((token) => {
    if (token.type === "html") return false;
    if (token.tokens !== undefined) return isClosed(token.tokens);
    return token.type !== "text" || !/[*_~[\]<`]/.test(token.raw.replace(/(?<=\w)_+(?=\w)/g, ""));
  });
}

function toText(source: string): Tokens.Text {
  return { type: "text", raw: source, text: source };
}

function isTooHard(text: string): boolean {
  return tooLongWord.test(text) || (text.match(/[*_~`[\]<!]/g)?.length ?? 0) > maxDelimiters;
}

/** The replaced rules, made once, because the library has one rules object for all lexers with the same options. */
const flankings = new WeakMap<Tokenizer["rules"]["inline"], Tokenizer["rules"]>();

function flankingOf(rules: Tokenizer["rules"]): Tokenizer["rules"] {
  let made = flankings.get(rules.inline);
  if (made === undefined) {
    made = withCjkFlanking(rules);
    flankings.set(rules.inline, made);
    // The rules for the text within a mark are these rules already.
    flankings.set(made.inline, made);
  }
  return made;
}

/**
 * The library's tokenizer with four changes. Text before a blank line never depends on text after it: a link definition ends at a
 * blank line, as in CommonMark, and a repeated definition is a token too, so that the tokens cover the whole text. Emphasis is read as
 * Chinese and Japanese have it, and an address ends where their punctuation begins.
 */
class PartTokenizer extends Tokenizer {
  #depth = 0;
  #defined: number;
  #repeated = 0;
  #falseTables = 0;
  #padding: number;

  constructor(defined: number, padding: number) {
    super();
    this.#defined = defined;
    this.#padding = padding;
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#nest(() => super.blockquote(source));
  }

  override list(source: string): Tokens.List | undefined {
    return this.#nest(() => super.list(source));
  }

  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return source.startsWith("*")
      ? this.#beside(() => super.emStrong(source, masked, before))
      : super.emStrong(source, masked, before);
  }

  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#beside(() => super.del(source, masked, before));
  }

  /** GitHub's rules end an address at ASCII punctuation only. In Chinese and Japanese the rest of the sentence would then be part of the address. */
  override url(source: string): Tokens.Link | undefined {
    const link = super.url(source);
    const end = link?.raw.search(wideMark) ?? -1;
    return end > 0 ? super.url(source.slice(0, end)) : link;
  }

  /**
   * Runs `read` with the rules for Chinese, Japanese and Korean. They also apply to the text within the mark, and have patterns of their own for `_`.
   */
  #beside<T>(read: () => T): T {
    const { rules } = this;
    this.rules = flankingOf(rules);
    try {
      return read();
    } finally {
      this.rules = rules;
    }
  }

  /** Reads a block that contains blocks; `undefined` when it is nested too deep, and its lines become a paragraph. */
  #nest<T>(read: () => T | undefined): T | undefined {
    if (this.#depth >= deepestBlock) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  override def(source: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(source)) return undefined;
    const head = source.slice(0, maxDefinitionLength);
    const blank = /\n[ \t]*\n/.exec(head);
    const token = super.def(blank ? head.slice(0, blank.index + 1) : head);
    if (token === undefined) return undefined;
    if (!(token.tag in this.lexer.tokens.links)) {
      if (this.#defined >= maxDefinitions) return undefined;
      this.#defined += 1;
      return token;
    }
    this.#repeated += 1;
    return { ...token, tag: `${token.tag}\0${this.#repeated}` };
  }

  override table(source: string): Tokens.Table | undefined {
    if (this.#falseTables >= maxFalseTables || !isTable(source)) return undefined;
    const token = super.table(source.slice(0, endOfTable(source, this.#padding)));
    if (token === undefined) this.#falseTables += 1;
    this.#padding = 0;
    return token;
  }
}

/** Whether the tag contains a NUL, which marks a repeated definition, because no label can hold one. Only the first definition counts. */
function isRepeated(tag: string): boolean {
  return tag.includes("\0");
}

/** Whether a table may begin here: its second line consists of dashes. Cheaper than the library's own test. */
function isTable(source: string): boolean {
  const second = source.indexOf("\n") + 1;
  return second !== 0 && /^ {0,3}[|:-]/.test(source.slice(second, second + 4));
}

/** The end of the table's source where too many cells were added to its rows; the length of the source if they were not. */
function endOfTable(source: string, padding: number): number {
  const columns = countCells(source.slice(0, source.indexOf("\n")));
  let left = maxPadding - padding;
  let start = source.indexOf("\n", source.indexOf("\n") + 1) + 1;
  while (start > 0 && start < source.length) {
    const next = source.indexOf("\n", start);
    const row = source.slice(start, next < 0 ? source.length : next);
    if (row.trim() === "") return source.length;
    left -= paddingOf(row, columns);
    if (left < 0) return start;
    start = next + 1;
  }
  return source.length;
}

/** Estimates the cells that are added to a row by counting its bars. */
export function paddingOf(row: string, columns: number): number {
  return Math.max(0, columns - countCells(row));
}

export function countCells(row: string): number {
  return row.split("|").length;
}
