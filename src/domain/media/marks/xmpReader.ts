/** Reads marks from a packet of XMP: RDF as XML, in which a property is an element or an attribute. */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { generatedSourceType, markLimits, partlyGeneratedSourceType, type PictureMarks, xmpNamespaces } from "./marks";

/**
 * The first value of each property counts. Damaged XML gives the properties before the damage, or nothing. One pass: elements are not nested into a
 * tree.
 */
export function marksOfXmp(xmp: string): PictureMarks {
  const reader = new PropertyReader(xmp);
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, reader);
  tokenizer.write(xmp);
  tokenizer.end();
  const { properties } = reader;
  const sourceType = properties
    .get("Iptc4xmpExt:DigitalSourceType")
    ?.trim()
    .replace(/^https:/, "http:");
  const isGenerated = sourceType === generatedSourceType || sourceType === partlyGeneratedSourceType;
  const digits = properties.get("sluice:Seed")?.trim() ?? "";
  const seed = /^\d{1,16}$/.test(digits) ? Number(digits) : NaN;
  const textOf = (name: string): string | undefined => properties.get(name)?.trim() || undefined;
  const [model, prompt, task] = [
    textOf("Iptc4xmpExt:AISystemUsed"),
    textOf("Iptc4xmpExt:AIPromptInformation"),
    textOf("sluice:Task"),
  ];
  return {
    ...(isGenerated ? { isGenerated } : {}),
    ...(textOf("sluice:Rehearsed") === "True" ? { isRehearsed: true } : {}),
    ...(model === undefined ? {} : { model }),
    ...(task === undefined ? {} : { task }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(Number.isSafeInteger(seed) ? { seed } : {}),
    ...(textOf("sluice:OriginalHadCredentials") === "True" ? { hadCredentials: true } : {}),
  };
}

/** Our prefixes by the address of the namespace: the prefix may be another one in each file. */
const readNamespaces: ReadonlyMap<string, string> = new Map(
  Object.entries(xmpNamespaces).map(([prefix, uri]) => [uri, prefix]),
);
/** Characters of a name or an address that are looked at, and of a value that are kept. */
const maxName = 200;
const maxValue = markLimits.prompt + 1000;
const maxPrefixes = 64;

/** Collects the properties of the namespaces above, by their names with the prefix that they have here. */
class PropertyReader implements TokenizerCallbacks {
  readonly properties = new Map<string, string>();
  readonly #xmp: string;
  readonly #prefixes = new Map<string, string>();
  #element = "";
  #attributes: [name: string, value: string][] = [];
  #attribute = "";
  #value = "";
  /** The element whose text is collected; lists and their items may be inside it. */
  #open: string | undefined;
  #text = "";

  constructor(xmp: string) {
    this.#xmp = xmp;
  }

  onopentagname(start: number, end: number): void {
    this.#element = this.#nameAt(start, end);
    this.#attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#nameAt(start, end);
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value = this.#extended(this.#value, this.#xmp.slice(start, end));
  }

  onattribentity(codepoint: number): void {
    this.#value = this.#extended(this.#value, String.fromCodePoint(codepoint));
  }

  onattribend(): void {
    if (this.#attributes.length < maxPrefixes) this.#attributes.push([this.#attribute, this.#value]);
  }

  onopentagend(): void {
    this.#readAttributes();
    const name = this.#canonical(this.#element);
    if (this.#open !== undefined || name === undefined || name.startsWith("rdf:")) return;
    this.#open = name;
    this.#text = "";
  }

  onselfclosingtag(): void {
    this.#readAttributes();
  }

  onclosetag(start: number, end: number): void {
    if (this.#open === undefined || this.#canonical(this.#nameAt(start, end)) !== this.#open) return;
    this.#keep(this.#open, this.#text);
    this.#open = undefined;
  }

  ontext(start: number, end: number): void {
    if (this.#open !== undefined) this.#text = this.#extended(this.#text, this.#xmp.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    if (this.#open !== undefined) this.#text = this.#extended(this.#text, String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  oncomment(): void {
    // A comment holds no property.
  }

  ondeclaration(): void {
    // The entities of a document type are not read.
  }

  onprocessinginstruction(): void {
    // Processing instructions only frame the packet.
  }

  onend(): void {
    // A property that is cut is dropped.
  }

  #readAttributes(): void {
    for (const [name, value] of this.#attributes) {
      if (!name.startsWith("xmlns:") || this.#prefixes.size >= maxPrefixes) continue;
      const known = readNamespaces.get(value);
      if (known !== undefined) this.#prefixes.set(name.slice("xmlns:".length), known);
    }
    for (const [name, value] of this.#attributes) {
      const property = this.#canonical(name);
      if (property === "rdf:resource") this.#keep(this.#canonical(this.#element), value);
      else if (!property?.startsWith("rdf:")) this.#keep(property, value);
    }
  }

  #keep(property: string | undefined, value: string): void {
    if (property !== undefined && !this.properties.has(property)) this.properties.set(property, value);
  }

  /** `undefined` for a name of another namespace. */
  #canonical(name: string): string | undefined {
    const colon = name.indexOf(":");
    const prefix = this.#prefixes.get(name.slice(0, Math.max(colon, 0)));
    return prefix === undefined ? undefined : prefix + name.slice(colon);
  }

  #nameAt(start: number, end: number): string {
    return this.#xmp.slice(start, Math.min(end, start + maxName));
  }

  #extended(text: string, more: string): string {
    return text.length >= maxValue ? text : text + more.slice(0, maxValue - text.length);
  }
}
