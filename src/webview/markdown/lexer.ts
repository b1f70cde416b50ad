/** The Markdown library's lexer with limits on nesting, width and length: what exceeds them is plain text, so that no text blocks the page. */
import { Lexer, type Links, type Token, Tokenizer, type Tokens, type TokensList } from "marked";

/** Levels of quotes and lists. */
const deepestBlock = 16;
/** Levels of emphasis, links and struck text; the library reads the text again at each level. */
const deepestInline = 16;
/** Markup characters in one paragraph, heading or cell; the library compares each opening one with all that follow. */
const mostDelimiters = 600;
/** A word that is too long: the library searches for an address from each of its characters. */
const tooLongWord = /\S{3000}/;
/** Cells of a table; the library pads every row to the width of the header. */
const mostCells = 10_000;
/** Characters of a link's definition, with its title. */
const longestDefinition = 2000;
/** Lines that look like a table's header and are none; the library reads all following lines for each. */
const mostFalseTables = 20;
/** Definitions in a text; each can turn earlier text into links. */
const mostDefinitions = 500;

/** Reads a part of a text; `links` are the link definitions of the parts before it. */
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
 * The library's tokenizer with two changes, so that text before a blank line never depends on text after it: a link definition
 * ends at a blank line, as in CommonMark, and a repeated definition is a token too, so that the tokens cover the whole text.
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

/** A NUL, which no label can hold, marks the tag of a repeated definition; the first one counts. */
function isRepeated(tag: string): boolean {
  return tag.includes("\0");
}

/** Whether a table within the limit may begin here: its second line consists of dashes. Cheaper than the library's own test. */
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
