/**
 * The text of an HTML page as Markdown. htmlparser2's tokenizer alone: its parser, and every converter that builds a tree, take quadratic time or
 * overflow the stack on a page of nothing but open tags.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { MarkdownWriter } from "./markdownWriter";

/** Characters of all attributes of a tag; the others of it are not read. */
const attributeCap = 20_000;

/** `url`: of the page. */
export function pageToMarkdown(html: string, url: URL): string {
  const main = read(html, url, isMain(html));
  const whole = isMain(html) && main.text.length < shortText ? read(html, url, false) : main;
  const title = whole.title.replaceAll(/\s+/g, " ").trim();
  const isSaid = title === "" || whole.text.split("\n", 5).some((line) => line === `# ${title}`);
  const next =
    whole.next === undefined ? "" : `\n\n(The page leads on to ${whole.next} by itself, which was not followed.)`;
  return `${isSaid ? "" : `# ${title}\n\n`}${whole.text}${next}`.trim();
}

/** Where the one main part of a page has less, the rest is read as well. */
const shortText = 200;

function isMain(html: string): boolean {
  return (html.match(/<main[\s>]/gi) ?? []).length === 1;
}

interface ReadPage {
  readonly text: string;
  readonly title: string;
  readonly next: string | undefined;
}

function read(html: string, url: URL, isMainOnly: boolean): ReadPage {
  const writer = new MarkdownWriter(url, isMainOnly);
  const tokenizer = new Tokenizer({ decodeEntities: true }, new TagReader(html, writer));
  tokenizer.write(html);
  tokenizer.end();
  return { text: writer.finish(), title: writer.title, next: writer.next };
}

/** Makes elements of the tokenizer's pieces, which are places in the text. */
class TagReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #writer: MarkdownWriter;
  #name = "";
  #attributes = new Map<string, string>();
  #attribute = "";
  #value = "";
  #length = 0;
  /** Text that is not written yet: whole pieces, then the place of the last. */
  #text: string[] = [];
  #from = -1;
  #to = -1;

  constructor(html: string, writer: MarkdownWriter) {
    this.#html = html;
    this.#writer = writer;
  }

  ontext(start: number, end: number): void {
    if (start !== this.#to) {
      this.#take();
      this.#from = start;
    }
    this.#to = end;
  }

  ontextentity(codepoint: number): void {
    this.#take();
    this.#text.push(String.fromCodePoint(codepoint));
  }

  /** Text comes in pieces of a character at worst: they are written as one. */
  #flush(): void {
    this.#take();
    if (this.#text.length > 0) this.#writer.text(this.#text.join(""));
    this.#text = [];
  }

  #take(): void {
    if (this.#to > this.#from) this.#text.push(this.#html.slice(this.#from, this.#to));
    this.#from = this.#to = -1;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, Math.min(end, start + 100)).toLowerCase();
    this.#attributes = new Map();
    this.#length = 0;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, Math.min(end, start + 100)).toLowerCase();
    this.#value = "";
    this.#length += end - start;
  }

  onattribdata(start: number, end: number): void {
    this.#length += end - start;
    if (this.#length <= attributeCap) this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#length += 1;
    if (this.#length <= attributeCap) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#length <= attributeCap && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#flush();
    this.#writer.open(this.#name, this.#attributes);
  }

  onselfclosingtag(): void {
    this.#flush();
    this.#writer.open(this.#name, this.#attributes);
  }

  onclosetag(start: number, end: number): void {
    this.#flush();
    this.#writer.close(this.#html.slice(start, Math.min(end, start + 100)).toLowerCase());
  }

  onend(): void {
    this.#flush();
  }

  // What is no text and no element.
  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
}

const ignore = (): void => undefined;
