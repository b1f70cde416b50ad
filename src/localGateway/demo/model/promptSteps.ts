/** Reads the requests for tool calls in a prompt by plain patterns, in English and, for the panel's suggestions, in Chinese. */
import { trimEnd } from "../../../base/text/cutText";
import { definedFields } from "../../../base/definedFields";

export type PromptStep =
  /** `isExplained`: the report describes the files and does not quote them. */
  | { readonly kind: "read"; readonly paths: readonly string[]; readonly isExplained?: true }
  | { readonly kind: "list"; readonly path?: string }
  | { readonly kind: "find"; readonly text: string; readonly path?: string }
  /** Finds files by name. */
  | { readonly kind: "locate"; readonly name: string }
  | { readonly kind: "replace"; readonly old: string; readonly replacement: string; readonly path: string }
  /** Writes a file that lists the files of the workspace. */
  | { readonly kind: "overview"; readonly path: string }
  /** Submits a task. `prompt`: its prompt, without the words that asked for it. */
  | { readonly kind: "make"; readonly media: "image" | "video"; readonly prompt: string }
  /** Runs a command line. `port`: the port that it serves, in the background. */
  | {
      readonly kind: "run";
      readonly command: string;
      readonly isBackground?: true;
      readonly port?: number;
      readonly isOutside?: true;
    }
  /** Reads a page: fetches it from the internet, or looks at it in a browser if its address is on this machine. */
  | { readonly kind: "fetch" | "look"; readonly url: string }
  /** Calls a declared tool by its name, once for each JSON object in the prompt. */
  | { readonly kind: "call"; readonly tool: string; readonly inputs: readonly string[] };

const verbs =
  "fetch|read|open|show|explain|summari[sz]e|describe|list|find|search|look|replace|change|edit|call|use|tell|run|start";
const clauseEnd = new RegExp(
  // The lookbehind makes `\s+` match from the first of several blanks only. To try from each of them would take quadratic time.
  String.raw`(?:[,;]|(?<!\s))\s+(?:and\s+)?then\b[,:]?\s*|;\s*|\n+|[.!?](?:\s+|$)|[。！？；]|，?然后|(?:,|(?<!\s))\s+and\s+(?=(?:${verbs})\b)`,
  "iu",
);

/** `toolNames`: only these can be called by name. */
export function readSteps(prompt: string, toolNames: readonly string[]): readonly PromptStep[] {
  const { text, quotes } = maskQuotes(withoutOuterQuotes(prompt));
  return text.split(clauseEnd).flatMap((part) => {
    const clause = new Clause(part.trim(), quotes);
    return (
      readCall(clause, toolNames) ??
      (toolNames.length === 0 ? undefined : readMake(clause)) ??
      readFetch(clause) ??
      readRun(clause) ??
      readOverview(clause) ??
      readReplace(clause) ??
      readList(clause) ??
      readFind(clause) ??
      readRead(clause) ??
      readNamed(clause) ??
      []
    );
  });
}

/** The parts of a prompt as they were typed, including those without a request. */
export function clausesOf(prompt: string): readonly string[] {
  const { text, quotes } = maskQuotes(prompt);
  const clauses = text.split(clauseEnd).map((part) => new Clause(part.trim(), quotes).plain);
  return clauses.filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

function readCall(clause: Clause, toolNames: readonly string[]): PromptStep | undefined {
  if (!/^(?:call|use|invoke)\b/i.test(clause.text)) return undefined;
  const words = clause.plain.split(/\s+/);
  const tool = toolNames.find((name) => words.includes(name));
  return tool === undefined ? undefined : { kind: "call", tool, inputs: objectsIn(clause.plain) };
}

/** Reads *make a picture of …*, only when tools are declared. *Draw …* and *paint …* put a picture into the answer itself. */
function readMake(clause: Clause): PromptStep | undefined {
  const line = clause.plain.split(/\s+/).join(" ");
  const found =
    /\b(?:make|create|generate) (?:an? )?(picture|image|video|clip) of /i.exec(line) ??
    /(?:制作|生成)一(?:张|幅|段)?(图片|视频)[：:]/.exec(line);
  const prompt = found && line.slice(found.index + found[0].length).trim();
  if (!prompt) return undefined;
  return { kind: "make", media: /^(?:video|clip|视频)$/i.test(found[1] ?? "") ? "video" : "image", prompt };
}

/** Words for the scripts of a project, and their command lines. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:please )?(?:run|start|execute)\b.{0,40}\b(?:tests?|test suite)$|^test (?:it|the code|the project)$|^(?:运行|执行|跑).{0,10}测试$/i,
    "npm test",
  ],
  [/^(?:please )?(?:run|do|start)\b.{0,40}\bbuild$|^build (?:it|the project|the app)$|^构建/i, "npm run build"],
  [/^(?:please )?(?:run|start)\b.{0,40}\b(?:lint|linter)$|^lint /i, "npm run lint"],
  [
    /^(?:please )?(?:run|start)\b (?:it|the app|the project|the program)$|^(?:运行|启动)(?:应用|程序|项目)$/i,
    "npm start",
  ],
];

/** _Run `npm test`_, _Run the tests_, _Start `npm run dev` in the background_, _Start the dev server on port 5173_. */
function readRun(clause: Clause): PromptStep | undefined {
  const { text } = clause;
  const named = scripts.find(([words]) => words.test(clause.plain));
  if (named !== undefined) return { kind: "run", command: named[1] };
  const isServer = hasInOrder(text, /\b(?:start|run)\b/i, /\bserver\b/i) || hasInOrder(text, /启动/, /服务器/);
  const [quoted] = clause.quoted;
  if (!isServer && (quoted === undefined || !/^(?:run|start|execute)\b|^(?:运行|启动)/i.test(text))) return undefined;
  const [, port] = /(?:\bport |端口 ?)(\d{1,5})(?!\d)/iu.exec(text) ?? [];
  const isBackground = isServer || port !== undefined || /\bbackground\b|后台/i.test(text);
  const isOutside = /\boutside\b|沙盒外/i.test(text);
  return {
    kind: "run",
    command: quoted ?? "npm run dev",
    ...(isBackground ? { isBackground: true } : {}),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(isOutside ? { isOutside: true } : {}),
  };
}

/** *Fetch https://…*, *Read https://…*, *What does http://localhost:3000 look like*. */
function readFetch(clause: Clause): PromptStep | undefined {
  const [url] = /\bhttps?:\/\/[^\s"'`<>“”，。]+/i.exec(clause.plain) ?? [];
  if (
    url === undefined ||
    !/\b(?:fetch|get|read|open|show|look|visit|summari[sz]e|what|see)\b|读取|打开/i.test(clause.text)
  )
    return undefined;
  const isHere = /^https?:\/\/(?:localhost|127\.|\[::1\])/i.test(url);
  return { kind: isHere ? "look" : "fetch", url: trimEnd(url, ".,;:!?)") };
}

function readOverview(clause: Clause): PromptStep | undefined {
  const isOverview = hasInOrder(clause.text, /\bwrite\b/i, /\boverview\b/i) || hasInOrder(clause.text, /概览/, /写/);
  const path = clause.paths.at(-1);
  return isOverview && path !== undefined ? { kind: "overview", path } : undefined;
}

function readReplace(clause: Clause): PromptStep | undefined {
  if (!/\b(?:replace|change|rename|edit)\b|替换|改为/i.test(clause.text)) return undefined;
  const path = clause.paths.at(-1);
  const [old, replacement] = clause.quoted.filter((text) => text !== path);
  if (path === undefined || old === undefined || replacement === undefined) return undefined;
  return { kind: "replace", old, replacement, path };
}

function readList(clause: Clause): PromptStep | undefined {
  const isList =
    hasInOrder(clause.text, /\b(?:list|which|what|show)\b/i, /\b(?:files?|folders?|director(?:y|ies)|workspace)\b/i) ||
    hasInOrder(clause.text, /列出/, /文件|目录/);
  if (!isList) return undefined;
  const [path] = clause.paths;
  // "Show the file src/app.ts" requests its text.
  if (path !== undefined && /\.\w+$/.test(path)) return undefined;
  return { kind: "list", ...definedFields({ path }) };
}

/** Whether `second` matches after the first match of `first`. One pattern with `.*` between them would take quadratic time. */
export function hasInOrder(text: string, first: RegExp, second: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && second.test(text.slice(found.index + found[0].length));
}

function readFind(clause: Clause): PromptStep | undefined {
  const [, rest] =
    /(?:\b(?:find|search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s|查找|搜索)\s*(.+)/i.exec(clause.text) ?? [];
  if (rest === undefined) return undefined;
  const [path] = clause.paths;
  const text = clause.quoted.find((quote) => quote !== path) ?? rest.split(/\s/, 1)[0] ?? "";
  return { kind: "find", text, ...definedFields({ path: path === text ? undefined : path }) };
}

function readRead(clause: Clause): PromptStep | undefined {
  const isRead =
    /\b(?:read|open|show|view|explain|summari[sz]e|describe|review|what(?: is| does)?|tell me about)\b|读取|打开|解释|总结/i;
  if (!isRead.test(clause.text) || clause.paths.length === 0) return undefined;
  const isExplained = /\b(?:explain|summari[sz]e|describe|what|about)\b|解释|总结/i.test(clause.text);
  return { kind: "read", paths: clause.paths, ...(isExplained ? { isExplained } : {}) };
}

/** Removes the quotes that some agents put around a prompt from the command line. */
function withoutOuterQuotes(prompt: string): string {
  const [, inner] = /^\s*"([^"]+)"\s*$/.exec(prompt) ?? [];
  return inner ?? prompt;
}

/** Reads _What does priceOf do_ as a search for the name. */
function readNamed(clause: Clause): PromptStep | undefined {
  const [, name] =
    /^(?:explain|describe|what (?:is|does)|how does|where is)(?: the)?(?: (?:function|class|method|type|variable))? ([\w$]{2,60})(?:\(\))?(?: do| work| mean| defined)?$/i.exec(
      clause.plain.replaceAll("`", ""),
    ) ??
    /^(?:解释|说明)(?:函数|类)? ?([\w$]{2,60})$|^([\w$]{2,60}) ?(?:是做什么的|在哪里)$/.exec(
      clause.plain.replaceAll("`", ""),
    ) ??
    [];
  // A plain word is no name from code, as in "what is rain".
  const isCode =
    name !== undefined &&
    (/[a-z][A-Z]|_|\d/.test(name) || /`|\(\)|\b(?:function|class|method|type|variable)\b/i.test(clause.plain));
  return isCode ? { kind: "find", text: name } : undefined;
}

const quotedText = /`([^`]+)`|"([^"\n]+)"|“([^“”\n]+)”/g;
const quoteMark = /\uE000(\d+)\uE001/g;

interface Quote {
  readonly inner: string;
  readonly whole: string;
}

/** Replaces each quoted text by a mark, so that words inside quotes are not read as requests. */
function maskQuotes(prompt: string): { readonly text: string; readonly quotes: readonly Quote[] } {
  const quotes: Quote[] = [];
  const text = prompt.replace(quotedText, (whole: string, ...groups: readonly unknown[]) => {
    quotes.push({ whole, inner: groups.slice(0, 3).find((group) => typeof group === "string") ?? "" });
    return `\uE000${quotes.length - 1}\uE001`;
  });
  return { text, quotes };
}

/** One part of a masked prompt. */
class Clause {
  readonly text: string;
  /** The part with its quotes as they were typed. */
  readonly plain: string;
  /** The quoted texts without quotation marks. */
  readonly quoted: readonly string[];
  /** The paths in the part, quoted or not, each once. */
  readonly paths: readonly string[];

  constructor(text: string, quotes: readonly Quote[]) {
    this.text = text;
    this.plain = text.replace(quoteMark, (_, index: string) => quotes[Number(index)]?.whole ?? "");
    this.quoted = [...text.matchAll(quoteMark)].map(([, index]) => quotes[Number(index)]?.inner ?? "");
    const words = text
      .replace(quoteMark, (_, index: string) => quotes[Number(index)]?.inner ?? "")
      .split(/[\s,;()，（）]+/);
    this.paths = [...new Set(words.map((word) => word.replace(/(?<![.:!?…])[.:!?…]+$/, "")).filter(isPath))];
  }
}

/** Whether a word is a path: it has a slash in it, a letter after its last dot or a dot at the start (`.env`), or is an absolute path. */
function isPath(word: string): boolean {
  return /^(?:[^\s/]+\/)+[^\s/]*$|^[^\s/]+\.[a-z]\w*$|^\.[a-z][^\s/]*$|^\/[^\s/]+\/\S+$|^[a-z]:[\\/]\S+$/iu.test(word);
}

/** The JSON objects in a text; braces inside strings don't count. */
function objectsIn(text: string): readonly string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|[{}]/g)) {
    if (token === "{") {
      if (depth === 0) start = index;
      depth += 1;
    } else if (token === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) objects.push(text.slice(start, index + 1));
    }
  }
  return objects;
}
