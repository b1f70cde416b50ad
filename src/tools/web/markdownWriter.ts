/**
 * Writes the elements of a page as Markdown while they are read: no tree is built and nothing recurses, so depth costs nothing. What is not read by
 * a person is left out: scripts, styles, hidden parts.
 */
import { fenceCode, longestBackticks } from "../../base/text/codeFence";

export type Attributes = ReadonlyMap<string, string>;

/** Elements whose content is left out. */
const unread: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "math",
  "iframe",
  "object",
  "embed",
  "canvas",
  "audio",
  "video",
  "select",
  "datalist",
  "dialog",
  "nav",
]);
/** Elements that have no end. */
const empty: ReadonlySet<string> = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);
/** Elements with a blank line before and after each. */
const blocks: ReadonlySet<string> = new Set(
  `p div section article main header footer aside h1 h2 h3 h4 h5 h6 ul ol dl dt dd figure figcaption form fieldset address details summary blockquote
  pre table body html`.split(/\s+/),
);
const emphasis: Readonly<Record<string, string>> = { b: "**", strong: "**", i: "*", em: "*" };
/** Open elements that are known, and marks in front of a line: a page that opens more is read as text. */
const caps = { open: 256, depth: 8 };

interface Opened {
  readonly name: string;
  /** Returns what is written at its end, where something was written in it. */
  readonly end?: () => string;
  /** The number of texts that were written before its content. */
  readonly from: number;
  /** The number of pieces of the line before its own mark. */
  readonly at?: number;
}

/** The line that is written, as its pieces: a string that grows would be copied with each look at its end. */
class GrowingLine {
  #pieces: string[] = [];
  /** Characters of all pieces, also of those that were cut: it is a bound, not a count. */
  #characters = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get endsWithBlank(): boolean {
    return this.#pieces.at(-1)?.endsWith(" ") === true;
  }

  get length(): number {
    return this.#pieces.length;
  }

  get characters(): number {
    return this.#characters;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#characters += piece.length;
  }

  cutTo(length: number): void {
    this.#pieces.length = Math.min(this.#pieces.length, length);
  }

  take(): string {
    this.#characters = 0;
    return this.#pieces.splice(0).join("");
  }
}

export class MarkdownWriter {
  readonly #base: string;
  readonly #isMainOnly: boolean;
  /** Whether what is read now is written. */
  #isMain: boolean;
  /** The lines, with the line breaks between them. */
  readonly #lines: string[] = [];
  #characters = 0;
  readonly #line = new GrowingLine();
  /** Line breaks before the next text. */
  #gap = 0;
  #isSpaced = false;
  /** Whether the mark of a link or an emphasis was written last. */
  #isFresh = false;
  /** The mark of a heading or of an item before the next text. */
  #marker: string | undefined;
  readonly #open: Opened[] = [];
  readonly #lists: { readonly isOrdered: boolean; count: number }[] = [];
  #quotes = 0;
  #lastQuotes = 0;
  /** The element that is left out, and the depth inside of it. */
  #left: { readonly name: string; depth: number } | undefined;
  /** The text of code as it is, until its end. */
  #code: { readonly name: "pre" | "code"; text: string; language: string } | undefined;
  #tables = 0;
  #cells = 0;
  #rows = 0;
  #written = 0;
  title = "";
  #isTitle = false;
  /** The address to which the page leads without a click. */
  next: string | undefined;

  /** `isMainOnly`: only the element `main` is written, which the page has. */
  constructor(base: URL, isMainOnly: boolean) {
    this.#base = base.href;
    this.#isMain = !isMainOnly;
    this.#isMainOnly = isMainOnly;
  }

  /** An upper bound of the characters that were written. */
  get length(): number {
    return this.#characters + this.#line.characters;
  }

  open(name: string, attributes: Attributes): void {
    // A `title` inside of a picture (SVG) is not the title of the page.
    if (name === "title" && this.#left === undefined) this.#isTitle = true;
    if (name === "meta") this.#readMeta(attributes);
    if (name === "main") this.#isMain = true;
    if (!this.#isMain) return;
    if (this.#left !== undefined) {
      if (name === this.#left.name) this.#left.depth += 1;
      return;
    }
    const isEmpty = empty.has(name);
    if ((unread.has(name) || isHidden(attributes)) && !isEmpty) {
      this.#left = { name, depth: 1 };
      return;
    }
    if (this.#code !== undefined) this.#openInCode(name, attributes);
    else if (name === "br") this.#break(1);
    else if (name === "img") this.#image(attributes);
    else if (name === "hr") this.#rule();
    else if (!isEmpty) this.#begin(name, attributes);
  }

  close(name: string): void {
    if (name === "title") this.#isTitle = false;
    if (!this.#isMain) return;
    if (this.#left !== undefined) {
      if (name !== this.#left.name) return;
      this.#left.depth -= 1;
      if (this.#left.depth === 0) this.#left = undefined;
      return;
    }
    if (this.#code !== undefined) {
      if (name === this.#code.name) this.#endCode(this.#code);
      return;
    }
    const at = this.#open.findLastIndex((one) => one.name === name);
    if (at >= 0) for (const one of this.#open.splice(at).reverse()) this.#end(one);
    if (blocks.has(name)) this.#break(2);
    if (name === "main" && this.#isMainOnly) this.#isMain = false;
  }

  text(text: string): void {
    if (this.#isTitle) {
      if (this.title.length < 300) this.title += text;
      return;
    }
    if (!this.#isMain || this.#left !== undefined) return;
    if (this.#code !== undefined) {
      this.#code.text += text;
      return;
    }
    const words = text.replaceAll(/[\s\u200b]+/g, " ");
    if (words === "") return;
    if (words.startsWith(" ")) this.#isSpaced = true;
    const plain = words.trim();
    if (plain === "") return;
    this.#write(this.#cells > 0 ? plain.replaceAll("|", "\\|") : plain);
    this.#isSpaced = words.endsWith(" ");
  }

  /** Returns the whole text, once the page has ended. */
  finish(): string {
    if (this.#code !== undefined) this.#endCode(this.#code);
    for (const one of this.#open.splice(0).reverse()) this.#end(one);
    this.#push(this.#line.take());
    return this.#lines.join("").trim();
  }

  #begin(name: string, attributes: Attributes): void {
    if (blocks.has(name)) this.#break(2);
    if (name === "pre" || name === "code") {
      this.#code = { name, text: "", language: languageOf(attributes) };
      return;
    }
    if (this.#open.length >= caps.open) return;
    if (/^h[1-6]$/.test(name)) this.#marker = `${"#".repeat(Number(name[1]))} `;
    else if (name === "li") this.#item();
    else if (name === "ul" || name === "ol") this.#list(name === "ol");
    else if (name === "blockquote") this.#quotes += 1;
    else if (name === "table") this.#tables += 1;
    else if (name === "tr" && this.#tables === 1) this.#row();
    else if (/^t[dh]$/.test(name) && this.#tables === 1) this.#cell();
    const mark = emphasis[name];
    if (mark !== undefined) this.#inline(name, mark, () => mark);
    else if (name === "a") this.#link(attributes);
    else this.#open.push({ name, from: this.#written });
  }

  #end({ name, end, from, at = 0 }: Opened): void {
    if (end !== undefined) {
      this.#isFresh = false;
      if (this.#written > from) this.#line.add(end());
      else this.#line.cutTo(at);
    }
    if (name === "ul" || name === "ol") this.#lists.pop();
    if (name === "blockquote") this.#quotes -= 1;
    if (name === "li") this.#break(1);
    if (/^h[1-6]$/.test(name)) this.#marker = undefined;
    if (name === "table") {
      this.#endRow();
      this.#tables -= 1;
      this.#rows = 0;
    }
    if (name === "tr" && this.#tables === 1) this.#endRow();
  }

  /** Asks for line breaks; inside of a link, an emphasis or a cell there are none, only a blank. */
  #break(count: number): void {
    if (this.#cells > 0 || this.#open.some(({ end }) => end !== undefined)) this.#isSpaced = true;
    else if (this.#marker === undefined) this.#gap = Math.max(this.#gap, count);
  }

  #write(text: string): void {
    this.#startLine();
    this.#addSpace();
    this.#isFresh = false;
    this.#line.add(text);
    this.#isSpaced = false;
    this.#written += 1;
  }

  #addSpace(): void {
    if (this.#isSpaced && !this.#line.isEmpty && !this.#isFresh && !this.#line.endsWithBlank) this.#line.add(" ");
  }

  /** The marks of quotations and the indent of lists, in front of a line. */
  get #marks(): string {
    const depth = Math.min(this.#lists.length, caps.depth);
    const isItem = this.#marker !== undefined && !this.#marker.startsWith("#");
    return "> ".repeat(Math.min(this.#quotes, caps.depth)) + "  ".repeat(Math.max(0, isItem ? depth - 1 : depth));
  }

  /** Many short lines are joined, so that the last join has few pieces and does not hold the thread. */
  #push(...pieces: readonly string[]): void {
    for (const piece of pieces) this.#characters += piece.length;
    this.#lines.push(...pieces);
    if (this.#lines.length > 4096) this.#lines.push(this.#lines.splice(0).join(""));
  }

  /** Writes what comes before text: line breaks, the marks of quotations, the mark of an item or heading. */
  #startLine(): void {
    if (this.#gap > 0 && (!this.#line.isEmpty || this.#lines.length > 0)) {
      const between = ">"
        .repeat(Math.min(this.#quotes, this.#lastQuotes, caps.depth))
        .split("")
        .join(" ");
      this.#push(this.#line.take(), this.#gap > 1 ? `\n${between}\n` : "\n");
      this.#isSpaced = false;
    }
    this.#gap = 0;
    if (this.#line.isEmpty) this.#line.add(this.#marks);
    this.#lastQuotes = this.#quotes;
    if (this.#marker !== undefined) this.#line.add(this.#marker);
    this.#marker = undefined;
  }

  #inline(name: string, begin: string, end: () => string): void {
    if (this.#open.some((one) => one.name === name)) return;
    this.#startLine();
    this.#addSpace();
    this.#isSpaced = false;
    this.#isFresh = true;
    const at = this.#line.length;
    this.#line.add(begin);
    this.#open.push({ name, end, from: this.#written, at });
  }

  #link(attributes: Attributes): void {
    const href = attributes.get("href");
    if (href === undefined || !URL.canParse(href, this.#base)) return;
    const { protocol, href: whole } = new URL(href, this.#base);
    if (/^(?:https?|mailto):$/.test(protocol)) this.#inline("a", "[", () => `](${whole})`);
  }

  #image(attributes: Attributes): void {
    const words = (attributes.get("alt") ?? "").replaceAll(/\s+/g, " ").trim();
    const src = attributes.get("src") ?? "";
    if (words === "" || !URL.canParse(src, this.#base)) return;
    const { protocol, href } = new URL(src, this.#base);
    this.#write(/^https?:$/.test(protocol) ? `![${words}](${href})` : words);
  }

  #rule(): void {
    this.#break(2);
    this.#write("---");
    this.#break(2);
  }

  #list(isOrdered: boolean): void {
    if (this.#lists.length > 0) this.#gap = Math.min(this.#gap, 1);
    this.#lists.push({ isOrdered, count: 0 });
  }

  #item(): void {
    // The item before may have no end tag.
    const before = this.#open.findLastIndex(({ name }) => name === "li");
    const list = this.#open.findLastIndex(({ name }) => name === "ul" || name === "ol");
    if (before > list) for (const one of this.#open.splice(before).reverse()) this.#end(one);
    const last = this.#lists.at(-1);
    if (last !== undefined) last.count += 1;
    this.#marker = undefined;
    this.#break(1);
    this.#marker = last?.isOrdered === true ? `${last.count}. ` : "- ";
  }

  #row(): void {
    this.#endRow();
    this.#break(this.#rows === 0 ? 2 : 1);
  }

  #cell(): void {
    const before = this.#cells;
    this.#cells = 0;
    if (before === 0) this.#startLine();
    this.#line.add(before === 0 ? "| " : " | ");
    this.#isSpaced = false;
    this.#cells = before + 1;
  }

  #endRow(): void {
    const cells = this.#cells;
    if (cells === 0) return;
    this.#cells = 0;
    this.#line.add(" |");
    this.#isSpaced = false;
    this.#rows += 1;
    this.#written += 1;
    this.#break(1);
    if (this.#rows > 1) return;
    this.#startLine();
    this.#line.add(`|${" --- |".repeat(cells)}`);
    this.#break(1);
  }

  #openInCode(name: string, attributes: Attributes): void {
    if (this.#code === undefined) return;
    if (name === "br") this.#code.text += "\n";
    if (name === "code" && this.#code.language === "") this.#code.language = languageOf(attributes);
  }

  #endCode({
    name,
    text,
    language,
  }: {
    readonly name: string;
    readonly text: string;
    readonly language: string;
  }): void {
    this.#code = undefined;
    if (text.trim() === "") return;
    if (name === "code" || this.#cells > 0) {
      const line = text.replaceAll(/[\r\n]+/g, " ").trim();
      const ticks = "`".repeat(longestBackticks(line) + 1);
      this.#write(ticks.length === 1 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`);
      return;
    }
    const fenced = fenceCode(text.replace(/^\r?\n/, "").trimEnd(), language);
    const end = fenced.indexOf("\n");
    this.#break(2);
    this.#write(fenced.slice(0, end));
    // The lines are written at once: each by itself would take a microsecond, and a page has millions of them.
    this.#line.add(fenced.slice(end).replaceAll("\n", `\n${this.#marks}`));
    this.#break(2);
  }

  #readMeta(attributes: Attributes): void {
    if (attributes.get("http-equiv")?.toLowerCase() !== "refresh") return;
    const [, target] = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(attributes.get("content") ?? "") ?? [];
    if (target !== undefined && URL.canParse(target.trim(), this.#base))
      this.next = new URL(target.trim(), this.#base).href;
  }
}

function isHidden(attributes: Attributes): boolean {
  if (attributes.has("hidden") || attributes.get("aria-hidden") === "true") return true;
  return /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get("style") ?? "");
}

/** `language-ts`, `lang-ts`, `highlight-source-ts`. */
function languageOf(attributes: Attributes): string {
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(attributes.get("class") ?? "")?.[1] ?? "";
}
