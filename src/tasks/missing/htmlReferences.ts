/**
 * References in HTML and in the templates that are like it: htmlparser2's tokenizer alone, which takes time in proportion to the length of any text.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { definedFields } from "../../base/definedFields";
import { candidatesOf } from "./candidates";
import { codeReferences, type WastedReading } from "./codeReferences";
import {
  contextLength,
  type FoundReference,
  isMediaPath,
  largestSize,
  maxReferences,
  type PathTest,
  pixelsOf,
  type ReferenceUse,
  servedPath,
} from "./foundReference";
import { styleReferences } from "./styleReferences";

interface Attribute {
  readonly name: string;
  readonly start: number;
  end: number;
}

/** Attributes that hold one path, in any tag: components have them too. */
const pathAttributes =
  /^(?:src|href|xlink:href|poster|data-src|data-original|data-lazy|data-bg|data-background|data-background-image|data-image|data-poster|image|img|icon|logo|cover|avatar|thumbnail|thumb|background|banner|photo|lazy-src)$/i;
const htmlAttributes = /^(?:src|href|xlink:href|poster|background|data-.*)$/i;
const onlyPathAttributes = /^(?:src|href|xlink:href|poster)$/i;
const setAttributes = /^(?:srcset|data-srcset|imagesrcset)$/i;
const boundAttributes = /^(?::|v-bind:|x-bind:|\[)(?:src|href|poster|image|img|icon|logo|srcset)\]?$/i;

/**
 * Finds the references in a text of HTML. `offset` is added to their places. `isWanted` selects among the paths in attributes and styles. In scripts and
 * bound expressions any string could be a path, so only strings with the ending of an image or a video count.
 */
export function htmlReferences(text: string, offset = 0, isWanted: PathTest = isMediaPath): readonly FoundReference[] {
  return new HtmlReader(text, offset, isWanted).read();
}

class HtmlReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #isWanted: PathTest;
  readonly #found: FoundReference[] = [];
  #tag = "";
  /** The tag is a component, which decides itself what a name without a folder means. */
  #isComponent = false;
  #attributes: Attribute[] = [];
  #value: { start: number; end: number } | undefined;
  #name = "";
  #nameStart = 0;
  readonly #values = new Map<string, string>();
  #heading = "";
  #isHeading = false;
  /** The tag whose text is code or style. */
  #raw: string | undefined;
  #rawStart: number | undefined;
  #rawEnd = 0;
  readonly #effort: WastedReading = { wasted: 0 };

  constructor(text: string, offset: number, isWanted: PathTest) {
    this.#text = text;
    this.#offset = offset;
    this.#isWanted = isWanted;
  }

  read(): readonly FoundReference[] {
    const callbacks: TokenizerCallbacks = {
      onopentagname: (start, end) => {
        this.#closeRaw();
        const tag = this.#text.slice(start, Math.min(end, start + 100));
        this.#isComponent = /^[A-Z]|\./.test(tag);
        this.#tag = tag.toLowerCase();
        this.#attributes = [];
        this.#values.clear();
      },
      onattribname: (start, end) => {
        this.#name = this.#text.slice(start, Math.min(end, start + 100));
        this.#nameStart = end;
        this.#value = undefined;
      },
      onattribdata: (start, end) => {
        if (this.#value === undefined) this.#value = { start, end };
        else this.#value.end = end;
      },
      onattribentity: () => undefined,
      onattribend: (_quote, end) => this.#endAttribute(end),
      onopentagend: () => this.#endTag(),
      onselfclosingtag: () => this.#endTag(),
      onclosetag: () => {
        this.#closeRaw();
        this.#isHeading = false;
      },
      ontext: (start, end) => this.#onText(start, end),
      ontextentity: () => undefined,
      oncomment: () => undefined,
      oncdata: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => this.#closeRaw(),
    };
    const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, callbacks);
    tokenizer.write(this.#text);
    tokenizer.end();
    return this.#found;
  }

  #endAttribute(end: number): void {
    const value = this.#value ?? { start: Math.min(end, this.#nameStart + 1), end };
    if (this.#attributes.length < 200) this.#attributes.push({ name: this.#name, ...value });
    const name = this.#name.toLowerCase();
    if (!this.#values.has(name))
      this.#values.set(name, this.#text.slice(value.start, Math.min(value.end, value.start + contextLength)));
  }

  #onText(start: number, end: number): void {
    if (this.#raw !== undefined) {
      this.#rawStart ??= start;
      this.#rawEnd = end;
    } else if (this.#isHeading) {
      this.#heading = this.#text.slice(start, Math.min(end, start + 200)).trim() || this.#heading;
    }
  }

  #closeRaw(): void {
    const { start, end } = { start: this.#rawStart, end: this.#rawEnd };
    if (start !== undefined) {
      const text = this.#text.slice(start, end);
      const inside =
        this.#raw === "style"
          ? styleReferences(text, this.#offset + start, this.#isWanted)
          : codeReferences(text, this.#offset + start, "module", this.#effort);
      this.#push(...inside);
    }
    this.#raw = undefined;
    this.#rawStart = undefined;
  }

  #push(...references: readonly FoundReference[]): void {
    this.#found.push(...references.slice(0, maxReferences - this.#found.length));
  }

  #endTag(): void {
    const tag = this.#tag;
    if (/^(?:h[1-6]|title)$/.test(tag)) this.#isHeading = true;
    if (tag === "style" || (tag === "script" && !/json|template/i.test(this.#values.get("type") ?? "")))
      this.#raw = tag;
    if (this.#found.length >= maxReferences) return;
    for (const attribute of this.#attributes) this.#read(attribute);
  }

  #read({ name, start, end }: Attribute): void {
    const value = this.#text.slice(start, end);
    if (value.length === 0) return;
    if (setAttributes.test(name)) this.#readSet(value, start);
    else if (name.toLowerCase() === "content") {
      if (this.#isSocial()) this.#add(value, start, "social", undefined);
      else if (/^msapplication-.*(?:image|logo)/i.test(this.#values.get("name") ?? "")) this.#add(value, start, "icon");
    } else if (pathAttributes.test(name) && this.#isPath(name, value)) this.#add(value, start, this.#iconUse(name));
    else if (/^(?:style|class|classname)$/i.test(name) && value.includes("url("))
      this.#push(...styleReferences(value, this.#offset + start, this.#isWanted));
    else if (boundAttributes.test(name))
      this.#push(...codeReferences(value, this.#offset + start, "expression", this.#effort));
  }

  /** In the attributes of HTML each value is a path; in others only a value with a folder and the ending of a medium is. */
  #isPath(name: string, value: string): boolean {
    if (!isMediaPath(servedPath(value.trim()))) return onlyPathAttributes.test(name);
    if (this.#isComponent) return /^\s*(?:\.{0,2}\/|[@~]|%)/.test(value);
    return htmlAttributes.test(name) || value.includes("/");
  }

  #isSocial(): boolean {
    const named = [this.#values.get("property"), this.#values.get("name"), this.#values.get("itemprop")];
    return named.some(
      (name) =>
        name !== undefined &&
        /^(?:(?:og|twitter):(?:image|video|player:stream)(?::url|:secure_url|:src)?|image)$/i.test(name.trim()),
    );
  }

  #iconUse(name: string): ReferenceUse {
    if (/^square\d+x\d+logo$/.test(this.#tag)) return "icon";
    if (this.#tag !== "link" || name.toLowerCase() !== "href") return "page";
    return /icon/i.test(this.#values.get("rel") ?? "") ? "icon" : "page";
  }

  #readSet(value: string, start: number): void {
    const width = pixelsOf(this.#values.get("width"));
    const height = pixelsOf(this.#values.get("height"));
    for (const { written, at, count = 0, unit } of candidatesOf(value, this.#isWanted)) {
      const scaled = (pixels: number | undefined): number | undefined => pixels && Math.round(pixels * count);
      const size =
        unit === "w"
          ? { width: count, ...(width && height ? { height: Math.round((height * count) / width) } : {}) }
          : unit === "x"
            ? definedFields({ width: scaled(width), height: scaled(height) })
            : definedFields({ width, height });
      this.#add(written, start + at, "page", size);
    }
  }

  /** `size`: `undefined` where the attributes of the tag are not those of the file. */
  #add(
    value: string,
    start: number,
    use: ReferenceUse,
    size: { readonly width?: number; readonly height?: number } | undefined = this.#size(),
  ): void {
    const written = value.trim();
    const at = start + value.indexOf(written);
    if (this.#found.length >= maxReferences || !this.#isWanted(servedPath(written))) return;
    const alt = ["alt", "aria-label", "title", "figcaption"]
      .map((name) => this.#values.get(name)?.trim())
      .find((one) => one);
    this.#found.push({
      written,
      start: this.#offset + at,
      end: this.#offset + at + written.length,
      use,
      ...size,
      ...definedFields({ alt, near: this.#heading === "" ? undefined : this.#heading }),
    });
  }

  #size(): { readonly width?: number; readonly height?: number } {
    const fromTag = /^square(\d+)x(\d+)logo$/.exec(this.#tag);
    if (fromTag) return definedFields({ width: pixelsOf(fromTag[1]), height: pixelsOf(fromTag[2]) });
    if (this.#tag === "link" || this.#tag === "meta") return largestSize(this.#values.get("sizes")) ?? {};
    return definedFields({ width: pixelsOf(this.#values.get("width")), height: pixelsOf(this.#values.get("height")) });
  }
}
