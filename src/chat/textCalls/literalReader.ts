/** Reads calls in the form of a programming language: Python's (`read_file(path="a")`) and Gemma's (`call:read_file{path:<escape>a<escape>}`). Pure; time is linear. */
import type { JsonRecord } from "../../base/jsonValue";
import { TextReader } from "./textReader";

interface LiteralCall {
  readonly name: string;
  readonly input: JsonRecord;
  /** Behind its last character. */
  readonly end: number;
}

/** Levels of lists and dictionaries in a value. */
const maxDepth = 20;

const space = /\s*/y;
const callName = /([\w.-]{1,128})\s*\(/y;
const wrapper = /print\s*\(\s*/y;
const keyword = /([A-Za-z_]\w{0,127})\s*=(?!=)\s*/y;
const number = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /(?:True|true|False|false|None|null)\b/y;
const gemmaName = /call:\s*([\w.-]{1,128})\s*\{/y;
const gemmaKey = /([\w.-]{1,128})\s*:\s*/y;
const gemmaQuote = /<\|"\|>|<escape>/y;
const opening = /"""|'''|"|'/y;

const words: Readonly<Record<string, unknown>> = { true: true, True: true, false: false, False: false };
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

/** What is there is no literal. */
class NoLiteral extends Error {}

/** `undefined` where no call with named literals as arguments begins. */
export function readPythonCall(text: string, from: number): LiteralCall | undefined {
  return attempt(() => new LiteralReader(text, from).pythonCall());
}

/** In brackets, as Llama writes them: `[a(x=1), b()]`. */
export function readPythonList(text: string, from: number): readonly LiteralCall[] | undefined {
  return attempt(() => new LiteralReader(text, from).pythonList());
}

export function readGemmaCall(text: string, from: number): LiteralCall | undefined {
  return attempt(() => new LiteralReader(text, from).gemmaCall());
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class LiteralReader extends TextReader {
  pythonCall(): LiteralCall {
    const isPrinted = this.take(wrapper) !== undefined;
    const name = this.take(callName)?.[1];
    if (name === undefined) throw new NoLiteral();
    const input = Object.fromEntries(this.#members(")", keyword));
    if (isPrinted) this.#expect(")");
    // Llama's own tools are called by a method.
    return { name: name.replace(/\.call$/, ""), input, end: this.at };
  }

  pythonList(): readonly LiteralCall[] {
    const calls: LiteralCall[] = [];
    this.#expect("[");
    do {
      this.take(space);
      calls.push(this.pythonCall());
    } while (this.#skips(","));
    this.#expect("]");
    return calls.map((call) => ({ ...call, end: this.at }));
  }

  gemmaCall(): LiteralCall {
    const name = this.take(gemmaName)?.[1];
    if (name === undefined) throw new NoLiteral();
    return { name, input: Object.fromEntries(this.#members("}", gemmaKey)), end: this.at };
  }

  /** Up to the closing sign, with a comma behind the last one or without. */
  #members(close: string, key: RegExp, depth = 0): [string, unknown][] {
    const members: [string, unknown][] = [];
    while (!this.#skips(close)) {
      if (members.length > 0) this.#expect(",");
      if (this.#skips(close)) break;
      const name = this.take(key)?.[1];
      if (name === undefined) throw new NoLiteral();
      members.push([name, this.#value(depth)]);
    }
    return members;
  }

  #value(depth: number): unknown {
    this.take(space);
    if (depth > maxDepth) throw new NoLiteral();
    const quote = this.take(gemmaQuote)?.[0];
    if (quote !== undefined) return this.#until(quote);
    const sign = this.text.charAt(this.at);
    if (sign === '"' || sign === "'") return this.#string();
    if (this.#skips("[")) return this.#items("]", depth);
    if (this.#skips("(")) return this.#items(")", depth);
    if (this.#skips("{")) return this.#dictionary(depth);
    const digits = this.take(number)?.[0];
    if (digits !== undefined) return Number(digits);
    const name = this.take(word)?.[0];
    if (name === undefined) throw new NoLiteral();
    return words[name] ?? null;
  }

  #items(close: string, depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#skips(close)) {
      if (items.length > 0) this.#expect(",");
      if (this.#skips(close)) break;
      items.push(this.#value(depth + 1));
    }
    return items;
  }

  /** With keys in quotes, or as Gemma has them without. */
  #dictionary(depth: number): unknown {
    const members: [string, unknown][] = [];
    while (!this.#skips("}")) {
      if (members.length > 0) this.#expect(",");
      if (this.#skips("}")) break;
      const bare = this.take(gemmaKey)?.[1];
      const name = bare ?? this.#value(depth + 1);
      if (typeof name !== "string") throw new NoLiteral();
      if (bare === undefined) this.#expect(":");
      members.push([name, this.#value(depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  #string(): string {
    const quote = this.take(opening)?.[0];
    if (quote === undefined) throw new NoLiteral();
    let value = "";
    for (let from = this.at; ; from = this.at) {
      const end = this.#nextOf(quote, from);
      value += this.text.slice(from, end);
      this.at = end;
      if (this.text.startsWith(quote, end)) {
        this.at += quote.length;
        return value;
      }
      value += this.#escaped();
    }
  }

  /** The place of the closing quote or the next escape. A line ends no text of three quotes only. */
  #nextOf(quote: string, from: number): number {
    for (let at = from; at < this.text.length; at += 1) {
      const sign = this.text[at];
      if (sign === "\\" || (sign === quote[0] && this.text.startsWith(quote, at))) return at;
      if (sign === "\n" && quote.length === 1) break;
    }
    throw new NoLiteral();
  }

  #escaped(): string {
    const sign = this.text.charAt(this.at + 1);
    const digits = { x: 2, u: 4, U: 8 }[sign];
    if (digits === undefined) {
      this.at += 2;
      return escapes[sign] ?? (/[\\'"]/.test(sign) ? sign : `\\${sign}`);
    }
    const code = this.text.slice(this.at + 2, this.at + 2 + digits);
    if (code.length < digits || !/^[0-9a-f]+$/i.test(code) || parseInt(code, 16) > 0x10ffff) throw new NoLiteral();
    this.at += 2 + digits;
    return String.fromCodePoint(parseInt(code, 16));
  }

  #until(quote: string): string {
    const end = this.text.indexOf(quote, this.at);
    if (end < 0) throw new NoLiteral();
    const value = this.text.slice(this.at, end);
    this.at = end + quote.length;
    return value;
  }

  /** With white space around it. */
  #skips(sign: string): boolean {
    this.take(space);
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    this.take(space);
    return true;
  }

  #expect(sign: string): void {
    if (!this.#skips(sign)) throw new NoLiteral();
  }
}
