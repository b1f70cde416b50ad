/** The Markdown library's lexer within limits: what is nested too deep, too wide or too long to be read in a moment is plain text. */
import { Lexer, type Links, type Token, Tokenizer, type Tokens, type TokensList } from "marked";

/** Quotes and lists in each other. */
const deepestBlock = 16;
/** Emphasis, links and struck text in each other; each level reads its text again. */
const deepestInline = 16;
/** Markup characters in one paragraph, heading or cell: the library compares each opening one with those behind it. */
const mostDelimiters = 600;
/** Characters of one word; the library looks for an address in it from each of them. */
const tooLongWord = /\S{3000}/;
/** The library fills up every row of a table to the width of its header. */
const mostCells = 10_000;
/** Characters of a link's definition, with its title. */
const longestDefinition = 2000;
/** What looks like a table at first and is none; the library reads all the lines behind each. */
const mostFalseTables = 20;
/** Definitions in a text; each can turn earlier text into links. */
const mostDefinitions = 500;

/** Reads a part of a text; `links` are the definitions of the parts before it. */
export function lex(text: string, links: Links): TokensList {
  const lexer = new BoundedLexer(new PartTokenizer(Object.keys(links).length));
  Object.assign(lexer.tokens.links, links);
  lexer.lex(text);
  return lexer.tokens;
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

function toText(source: string): Tokens.Text {
  return { type: "text", raw: source, text: source };
}

function isTooHard(text: string): boolean {
  return tooLongWord.test(text) || (text.match(/[*_~`[\]<!]/g)?.length ?? 0) > mostDelimiters;
}

/**
 * The library's tokenizer, so that what stands before a blank line never depends on what comes after: a definition ends at
 * a blank line, as CommonMark says; and a repeated one is a token too, so that no text goes missing.
 */
class PartTokenizer extends Tokenizer {
  #depth = 0;
  #defined: number;
  #repeated = 0;
  #falseTables = 0;

  constructor(defined: number) {
    super();
    this.#defined = defined;
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#nest(() => super.blockquote(source));
  }

  override list(source: string): Tokens.List | undefined {
    return this.#nest(() => super.list(source));
  }

  /** Reads what holds blocks itself; nothing when that would be too deep, and the lines become a paragraph. */
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
    const head = source.slice(0, longestDefinition);
    const blank = /\n[ \t]*\n/.exec(head);
    const token = super.def(blank ? head.slice(0, blank.index + 1) : head);
    if (token === undefined) return undefined;
    if (!(token.tag in this.lexer.tokens.links)) {
      if (this.#defined >= mostDefinitions) return undefined;
      this.#defined += 1;
      return token;
    }
    this.#repeated += 1;
    return { ...token, tag: `${token.tag}\0${this.#repeated}` };
  }

  override table(source: string): Tokens.Table | undefined {
    if (this.#falseTables >= mostFalseTables || !isTable(source)) return undefined;
    const token = super.table(source);
    if (token === undefined) this.#falseTables += 1;
    return token;
  }
}

/** No label holds a NUL: such a tag marks a definition that lost against an earlier one. */
function isRepeated(tag: string): boolean {
  return tag.includes("\0");
}

/** Whether a table that is not too large may begin here: the second line is one of dashes. Cheaper than the library's own look. */
function isTable(source: string): boolean {
  const second = source.indexOf("\n") + 1;
  if (second === 0 || !/^ {0,3}[|:-]/.test(source.slice(second, second + 4))) return false;
  const columns = source.slice(0, second).split("|").length;
  let end = second;
  for (let rows = 1; columns * rows <= mostCells; rows += 1) {
    const next = source.indexOf("\n", end);
    if (next < 0 || source.slice(end, next).trim() === "") return true;
    end = next + 1;
  }
  return false;
}
