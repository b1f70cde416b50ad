/**
 * Writes an HTML page as Markdown, with htmlparser2's tokenizer alone: its parser, and every converter that builds a tree, take quadratic time or
 * overflow the stack on a page of nothing but open tags.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { TimeSlices } from "../../base/async/timeSlices";
import { MarkdownWriter } from "./markdownWriter";

/** Characters of all attributes of a tag; those beyond are not read. */
const attributeCap = 20_000;
/** Characters of the page between two looks at the time. */
const step = 4096;
/** Characters that are written. The address of a page may be repeated by each of its links, so a page of 2 MB could become one of 500. */
const writtenCap = 4 * 1024 * 1024;

/** `url`: that of the page. Reads in time slices. Rejects with the reason of the slices' signal. */
export async function pageToMarkdown(html: string, url: URL, slices: TimeSlices): Promise<string> {
  const hasMain = isMain(html);
  const main = await read(html, url, hasMain, slices);
  const whole = hasMain && main.text.length < shortText ? await read(html, url, false, slices) : main;
  const title = whole.title.replaceAll(/\s+/g, " ").trim();
  const isSaid = title === "" || whole.text.split("\n", 5).some((line) => line === `# ${title}`);
  const next =
    whole.next === undefined ? "" : `\n\n(The page leads on to ${whole.next} by itself, which was not followed.)`;
  return `${isSaid ? "" : `# ${title}\n\n`}${whole.text}${next}`.trim();
}

/** Characters. Where the one main part of a page has fewer, the rest is read as well. */
const shortText = 200;

function isMain(html: string): boolean {
  return (html.match(/<main[\s>]/gi) ?? []).length === 1;
}

interface ReadPage {
  readonly text: string;
  readonly title: string;
  readonly next: string | undefined;
}

async function read(html: string, url: URL, isMainOnly: boolean, slices: TimeSlices): Promise<ReadPage> {
  const writer = new MarkdownWriter(url, isMainOnly);
  const reader = new TagReader(html, writer);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  let at = 0;
  for (; at < html.length && writer.length < writtenCap; at += step) {
    tokenizer.write(html.slice(at, at + step));
    reader.writeLongText();
    if (slices.isSpent) await slices.next();
  }
  tokenizer.end();
  const text = writer.finish();
  const isCut = at < html.length || text.length > writtenCap;
  const cut = isCut ? "\n\n(cut: the rest of the page was not read)" : "";
  return { text: `${text.slice(0, writtenCap)}${cut}`, title: writer.title, next: writer.next };
}

/** Pieces, or characters of one. */
const maxPieces = 16_384;

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

  /** Text without an element is written in parts, each of which is short work. */
  writeLongText(): void {
    if (this.#text.length > maxPieces || this.#to - this.#from > maxPieces) this.#flush();
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

  // These are neither text nor elements.
  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
}

const ignore = (): void => undefined;
