/** Finds tool calls that a model wrote as text at the end of its answer: JSON, fenced or bare, or tags and tokens of its template (A14). Pure. */
import { asRecord, asText, isRecord, type JsonRecord, parseJson } from "../../base/jsonValue";
import { callCap } from "../../domain/chat/callBounds";
import { declaredName } from "../../domain/tools/calledTool";

/** Reads a text from an offset on. Each pattern is matched at the offset, and a match moves the offset behind it. */
class TextReader {
  protected readonly text: string;
  /** The offset of the next character. */
  protected at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** `pattern` is sticky. `undefined`, and nothing moves, where it does not match at the offset. */
  protected take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }
}

interface WrittenCall {
  readonly name: string;
  readonly input: JsonRecord;
  /** The text of the call, with what separates it from the text or the call before it. */
  readonly written: string;
}

export interface WrittenCalls {
  /** The offset at which the text before the calls ends. */
  readonly from: number;
  readonly calls: readonly WrittenCall[];
}

/** Characters at the end of the text in which calls are looked for. */
const maxLength = 200_000;
/** Places at which calls may begin. Only the last ones are tried, because each is read to the end of the text. */
const maxStarts = 40;

/** Matches where a call may begin: at the beginning of a line, or anywhere if it is a special token, which no sentence has. */
const start =
  /^[ \t]*(?=```|[{[<]|functools\[)|(?<!`)(?=<[|｜](?:start|channel|tool|DSML|python)|<[a-z:]{0,20}tool_calls?>|<start_function_call>)/gm;

/** Matches what only the template of a model writes, so that an answer which ends with it holds a call. */
const token =
  /(?<!`)<(?:[|｜]{1,2}(?:tool[▁_ ]|DSML|python_(?:tag|start)|START_ACTION)|[|｜](?:channel|start)[|｜]>\s?\w{1,20}\s{1,3}to=|[a-z:]{0,20}(?:tool_calls?|function_calls)>|start_function_call>|function=|(?:[a-z]{1,20}:)?(?:invoke|function_call|tool_call) name=|TOOLCALL>)|(?<!`)\[TOOL_CALLS\]/i;

const openParameter = />\s{0,100}<(?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]{1,20}:)?parameter(?:=| name=)[^<>]{1,130}>[^<]*$/;

/** Replaces entities such as `&lt;`, with which some services write the tags of a call that they did not recognise. */
function unescapeTags(text: string): string {
  if (!text.includes("&lt;")) return text;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
}

/** Whether the text ends with an element that has the name of a declared tool, which is Cline's form of a call. Its content is not read. */
export function endsWithToolTag(text: string, declared: readonly string[]): boolean {
  const tail = text.slice(-maxLength).trimEnd();
  const [, name = ""] = /<\/(\w{1,128})>$/.exec(tail) ?? [];
  const at = tail.lastIndexOf(`<${name}>`);
  return at >= 0 && declared.includes(name) && tail[at - 1] !== "`" && !isQuotedInBlock(tail, at);
}

/** Whether the text has a token of a template in it. */
export function hasCallTokens(text: string): boolean {
  return text.search(token) >= 0;
}

/** Whether the text ends with a call in the tokens of some template, also one of a form that `findWrittenCalls` does not read. */
export function endsWithCallTokens(given: string): boolean {
  const text = unescapeTags(given);
  const offset = Math.max(0, text.length - maxLength);
  const tail = text.slice(offset).trimEnd();
  const first = tail.search(token);
  // The model may not have closed the last value.
  if (first >= 0 && openParameter.test(tail) && !isQuotedInBlock(text, offset + first)) return true;
  if (!/[>}\])]$/.test(tail)) return false;
  if (first < 0 || isQuotedInBlock(text, offset + first)) return false;
  // If a sentence ends right before the last tag, the text is about the tag and makes no call.
  return !/[.!?:。！？：]\s*$/.test(tail.replace(/<[^<>]{0,200}>$/, ""));
}

/** The calls up to the end of the text. `undefined` where something else follows, or where one of them names no declared tool. */
export function findWrittenCalls(text: string, declared: readonly string[]): WrittenCalls | undefined {
  if (!/[}\]>`)]$/.test(text.trimEnd())) return undefined;
  const offset = Math.max(0, text.length - maxLength);
  const tail = text.slice(offset);
  const starts = [...tail.matchAll(start)].map((match) => match.index + match[0].length);
  for (const at of starts.slice(-maxStarts)) {
    if (isQuotedInBlock(text, offset + at)) continue;
    const found = new CallReader(tail.slice(at), declared).read();
    if (found === undefined) continue;
    const from = text.slice(0, offset + at).trimEnd().length;
    return { from, calls: withTexts(text.slice(from), offset + at - from, found) };
  }
  return undefined;
}

const fenceLine = /^[ \t]*(`{3,}|~{3,})([^\n]*)$/gm;

/** Whether the place is in an open code block, behind other text of that block: a call there is an example, not a call. */
function isQuotedInBlock(text: string, at: number): boolean {
  let open: { readonly marks: string; readonly from: number } | undefined;
  for (const { index, 0: line, 1: marks = "", 2: behind = "" } of text.slice(0, at).matchAll(fenceLine)) {
    if (open === undefined) open = { marks, from: index + line.length };
    else if (marks.startsWith(open.marks) && behind.trim() === "") open = undefined;
  }
  return open !== undefined && text.slice(open.from, at).trim() !== "";
}

interface FoundCall {
  readonly name: string;
  readonly input: JsonRecord;
  /** The offset at which it ends in the text that was read. */
  readonly end: number;
}

/** Gives each call its piece of the text, so that the joined pieces are the whole text. */
function withTexts(text: string, offset: number, found: readonly FoundCall[]): readonly WrittenCall[] {
  return found.map(({ name, input, end }, at) => {
    const before = found[at - 1];
    const from = before === undefined ? 0 : offset + before.end;
    return { name, input, written: text.slice(from, at === found.length - 1 ? undefined : offset + end) };
  });
}

/** Tags around calls, which have no content of their own. Some are special tokens that servers leave in the text. */
const mark = new RegExp(
  [
    String.raw`</?(?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]{1,20}:)?(?:tool_calls?|function_calls?|tools?|TOOLCALL)>`,
    String.raw`\[/?TOOL_CALLS\]|functools(?=\[)|</s>|<(?:start|end)_function_call>|<\|tool_call>|<tool_call\|>`,
    String.raw`<\|(?:/?tool_call(?:_start|_end)?|python_(?:tag|start|end)|im_end|eot_id|eom_id|eot|eom|end|call|(?:START|END)_ACTION)\|>`,
    String.raw`<[|｜](?:tool[▁_]calls?(?:[▁_]section)?[▁_](?:begin|end)|end[▁_]of[▁_]sentence)[|｜]>(?<!tool[▁_]call[▁_]begin[|｜]>)`,
  ].join("|"),
  "y",
);
const space = /\s*/y;
const fence = /```(json[c5]?|tool_?calls?|tool_code|tools?|xml)?[ \t]*\r?\n/y;
const functionTag = /<function=([\w.:-]{1,128})>([^]*?)(?:<\/function>|(?=<\/(?:[a-z]{1,20}:)?tool_call>))/y;
const invokeTag =
  /<((?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]{1,20}:)?(?:invoke|function_call|tool_call|tool)) name="([\w.:-]{1,128})"[ ]?>([^]*?)<\/\1>/y;
/** Cline's form: the tag is the tool, and each tag in it an argument. */
const toolTag = /<(\w{1,128})>([^]*?)<\/\1>/y;
const toolArgument = /\s*<(\w{1,128})>([^]*?)<\/\1>\s*/y;
/** A name and its arguments as JSON, between the tokens of Kimi, of DeepSeek, and of the harmony format. */
const tokenNames = [
  /<[|｜]tool[▁_]call[▁_]begin[|｜]>\s*([\w.:-]{1,128})\s*<[|｜]tool[▁_]call[▁_]argument[▁_]begin[|｜]>/y,
  /<[|｜]tool[▁_]call[▁_]begin[|｜]>\s*(?:function\s*<[|｜]tool[▁_]sep[|｜]>\s*)?([\w.:-]{1,128})\s*(?:<[|｜]tool[▁_]sep[|｜]>)?/y,
  /(?:<\|start\|>\w{0,40})?<\|channel\|>\s?\w{1,20}\s{1,3}to=([\w.:-]{1,128})(?:\s{1,3}\w{0,20})?(?:<\|constrain\|>\s?\w{0,20})?\s{0,3}<\|message\|>/y,
  /<\|start\|>(?:\w{1,40}\s{1,3})?to=([\w.:-]{1,128})\s{0,3}(?:<\|channel\|>[\w ]{0,40})?(?:<\|constrain\|>\s?\w{0,20})?\s{0,3}<\|message\|>/y,
];
const namedJson = /([\w.:-]{1,128})(?:\[ARGS\]|\s*\n?)(?=\{)/y;
const keyedName = /([\w.:-]{1,128})\s*(?=<arg_key>)/y;
const parameter =
  /\s*<(?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]{1,20}:)?parameter(?:=| name=")([\w.-]{1,128})"?(?: string="(true|false)")?>/y;
const parameterEnd = /<\/(?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]{1,20}:)?parameter>\s*/g;
const keyed = /<arg_key>\s*([\w.-]{1,128})\s*<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>\s*/y;

class CallReader extends TextReader {
  readonly #declared: readonly string[];
  readonly #calls: FoundCall[] = [];
  /** Whether a tag around the calls was read. */
  #isMarked = false;

  constructor(text: string, declared: readonly string[], isMarked = false) {
    super(text);
    this.#declared = declared;
    this.#isMarked = isMarked;
  }

  /** `undefined` where the text is anything but calls of declared tools. */
  read(): readonly FoundCall[] | undefined {
    for (;;) {
      this.take(space);
      if (this.take(mark)) {
        this.#isMarked = true;
        continue;
      }
      if (this.at === this.text.length) break;
      if (this.#calls.length >= callCap || !this.#readOne()) return undefined;
    }
    return this.#calls.length > 0 ? this.#calls : undefined;
  }

  #readOne(): boolean {
    const fenced = this.take(fence);
    if (fenced) {
      const isOfTools = fenced[1]?.startsWith("tool") === true;
      const inner = new CallReader(this.#takeFenced(), this.#declared, isOfTools).read();
      return inner?.every(({ name, input }) => this.#add(name, input)) === true;
    }
    const tagged = this.take(functionTag);
    if (tagged) return this.#add(tagged[1] ?? "", readBody(tagged[2] ?? ""));
    const invoked = this.take(invokeTag);
    if (invoked) return this.#add(invoked[2] ?? "", readBody(invoked[3] ?? ""));
    for (const tokens of tokenNames) {
      const named = this.take(tokens);
      if (named) return this.#add(named[1] ?? "", this.#takeArguments());
    }
    const tool = this.take(toolTag);
    if (tool) return this.#add(tool[1] ?? "", readToolTag(tool[2] ?? ""));
    return (this.#isMarked && this.#readMarked()) || this.#readJson();
  }

  /** Reads the forms that count as a call only after a tag, because they could also be something else. */
  #readMarked(): boolean {
    const keyedCall = this.take(keyedName);
    if (keyedCall) return this.#add(keyedCall[1] ?? "", this.#takeKeyed());
    const literal = readGemmaCall(this.text, this.at) ?? readPythonCall(this.text, this.at);
    if (literal) {
      this.at = literal.end;
      return this.#add(literal.name, literal.input);
    }
    const named = this.take(namedJson);
    return named !== undefined && this.#add(named[1] ?? "", asRecord(this.#takeJson()));
  }

  #readJson(): boolean {
    const json = this.#takeJson();
    if (json === undefined) {
      const literals = readPythonList(this.text, this.at) ?? [];
      this.at = literals.at(-1)?.end ?? this.at;
      return literals.length > 0 && literals.every(({ name, input }) => this.#add(name, input));
    }
    const listed = Array.isArray(json) ? (json as unknown[]) : (asList(asRecord(json)?.["tool_calls"]) ?? [json]);
    return listed.length > 0 && listed.every((one) => this.#addJson(one));
  }

  /** Reads JSON behind a token, also in a fence. There may be none, because a tool may take no arguments. */
  #takeArguments(): JsonRecord | undefined {
    this.take(space);
    if (this.take(fence)) return asInput(parseJson(this.#takeFenced()));
    if (this.at === this.text.length || this.text.charAt(this.at) === "<") return {};
    return asInput(this.#takeJson());
  }

  #addJson(value: unknown): boolean {
    const { name, input } = readCall(value, this.#isMarked);
    return this.#add(name ?? "", input);
  }

  /** Each call of a list ends where the list ends, so the first one has the text of the whole list and the others have none. */
  #add(called: string, input: JsonRecord | undefined): boolean {
    const name = input === undefined ? undefined : declaredName(called, this.#declared);
    if (input === undefined || name === undefined) return false;
    this.#calls.push({ name, input, end: this.at });
    return true;
  }

  /** Reads up to the closing fence: the first one that is followed by white space, a tag or the end of the text. */
  #takeFenced(): string {
    const from = this.at;
    for (let end = this.text.indexOf("```", from); end >= 0; end = this.text.indexOf("```", end + 3)) {
      if (!/^(?:[\s<]|$)/.test(this.text.charAt(end + 3))) continue;
      this.at = end + 3;
      return this.text.slice(from, end);
    }
    return "";
  }

  #takeKeyed(): JsonRecord {
    const members: [string, string][] = [];
    for (let pair = this.take(keyed); pair; pair = this.take(keyed)) members.push([pair[1] ?? "", valueOf(pair[2])]);
    return Object.fromEntries(members);
  }

  #takeJson(): unknown {
    const end = endOfJson(this.text, this.at);
    if (end === undefined) return this.#isMarked ? this.#takeOpenList() : undefined;
    const value = parseJson(this.text.slice(this.at, end));
    if (value !== undefined) this.at = end;
    return value;
  }

  /** Reads the whole calls of a list that is never closed, up to the end of the text. */
  #takeOpenList(): unknown {
    if (this.text.charAt(this.at) !== "[") return undefined;
    const value = parseJson(`${this.text.slice(this.at)}]`);
    if (value !== undefined) this.at = this.text.length;
    return value;
  }
}

const nameFields = ["name", "tool_name", "function_name", "tool", "function", "action"];
const inputFields = ["arguments", "parameters", "args", "input", "params", "tool_input", "action_input"];
/** Fields that a call may have in addition to name and arguments. A JSON object with any other field is data, not a call. */
const otherFields = new Set(["id", "type", "index", "tool_call_id", "call_id"]);

/** `isMarked`: a call of a tool without arguments may lack the field. */
function readCall(
  value: unknown,
  isMarked: boolean,
): { readonly name?: string | undefined; readonly input?: JsonRecord | undefined } {
  const call = asRecord(value);
  if (call === undefined) return {};
  // The API nests a call: `{"type": "function", "function": {"name", "arguments"}}`.
  if (isRecord(call["function"])) return readCall(call["function"], isMarked);
  const nameField = nameFields.find((field) => asText(call[field]) !== undefined);
  const inputField = inputFields.find((field) => Object.hasOwn(call, field));
  const isCall = Object.keys(call).every(
    (field) => field === nameField || field === inputField || otherFields.has(field),
  );
  if (nameField === undefined || !isCall) return {};
  const given = inputField === undefined ? (isMarked ? {} : undefined) : call[inputField];
  return { name: asText(call[nameField]), input: asInput(given) };
}

/** Reads arguments that are an object, or JSON that was encoded as a string once or twice. */
function asInput(given: unknown): JsonRecord | undefined {
  const once = typeof given === "string" ? parseJson(given) : given;
  return asRecord(typeof once === "string" ? parseJson(once) : once);
}

/** Reads a body that has nothing but tags, each with the value of an argument. */
function readToolTag(body: string): JsonRecord | undefined {
  const members: [string, string][] = [];
  const { length } = body.trimEnd();
  for (let at = 0; at < length; at = toolArgument.lastIndex) {
    toolArgument.lastIndex = at;
    const [, name, value] = toolArgument.exec(body) ?? [];
    if (name === undefined) return undefined;
    members.push([name, valueOf(value)]);
  }
  return Object.fromEntries(members);
}

/** The content of a tag that names the tool: JSON, or a tag for each argument. */
function readBody(body: string): JsonRecord | undefined {
  if (body.trim() === "") return {};
  if (body.trimStart().startsWith("{")) return asRecord(parseJson(body.trim()));
  const members: [string, unknown][] = [];
  for (let at = 0; at < body.length; at = parameterEnd.lastIndex) {
    parameter.lastIndex = at;
    const [, name, isText] = parameter.exec(body) ?? [];
    parameterEnd.lastIndex = parameter.lastIndex;
    const from = parameter.lastIndex;
    const end = name === undefined ? undefined : parameterEnd.exec(body)?.index;
    if (name === undefined || end === undefined) return undefined;
    const value = valueOf(body.slice(from, end));
    members.push([name, isText === "false" ? (parseJson(value) ?? value) : value]);
  }
  return Object.fromEntries(members);
}

/** Removes a line break after the opening tag and one before the closing tag, which belong to the form. */
function valueOf(text = ""): string {
  return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}

/** The end of the object or list that begins there. */
function endOfJson(text: string, from: number): number | undefined {
  if (text[from] !== "{" && text[from] !== "[") return undefined;
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (isText) {
      if (char === "\\") at += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/**
 * A call in the syntax of a programming language: Python's (`read_file(path="a")`) or Gemma's (`call:read_file{path:<escape>a<escape>}`). Reading
 * it is pure and takes linear time.
 */
interface LiteralCall {
  readonly name: string;
  readonly input: JsonRecord;
  /** The offset behind its last character. */
  readonly end: number;
}

/** Levels of lists and dictionaries in a value. */
const maxDepth = 20;

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

/** Thrown where the text is no literal. */
class NoLiteral extends Error {}

/** `undefined` where no call with named literals as arguments begins. */
function readPythonCall(text: string, from: number): LiteralCall | undefined {
  return attempt(() => new LiteralReader(text, from).pythonCall());
}

/** Reads calls in brackets, as Llama writes them: `[a(x=1), b()]`. */
function readPythonList(text: string, from: number): readonly LiteralCall[] | undefined {
  return attempt(() => new LiteralReader(text, from).pythonList());
}

function readGemmaCall(text: string, from: number): LiteralCall | undefined {
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
    // Llama calls its own tools by a method `call`.
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

  /** Reads members up to the closing sign. A comma may follow the last one. */
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

  /** Reads a dictionary with keys in quotes, or without quotes as Gemma writes them. */
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

  /** The offset of the closing quote or the next escape. Only a text in three quotes may have a line break. */
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

  /** Skips a sign with the white space around it. */
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
