/** Reasons to ask that lie in the text of a change: addresses that something may load without a click, and what a program runs. */
import * as z from "zod/mini";
import type { ProposedChange } from "../../domain/tools/tool";
import type { AskReason } from "../../domain/chat/chat";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { locate, toSlashes } from "./pathNames";
import { isPlainFile, isSecretPath } from "./sensitiveNames";

/** Characters of both texts that are looked at; a longer change asks. */
const maxTextLength = 2 * 1024 * 1024;

export function reasonsOfChange({ before, after, preview: { path } }: ProposedChange): readonly AskReason[] {
  if (before.length + after.length > maxTextLength) return ["remote-reference"];
  const reasons: AskReason[] = [];
  if (adds(before, after, (text) => referencesIn(text, path))) reasons.push("remote-reference");
  if (isMacro(after, path) || adds(before, after, (text) => programsIn(text, path))) reasons.push("executed");
  return reasons;
}

/** Whether the new text has a match that the old text has not. */
function adds(before: string, after: string, find: (text: string) => readonly string[]): boolean {
  const found = find(after);
  if (found.length === 0) return false;
  const known = new Set(find(before));
  return found.some((one) => !known.has(one));
}

/** The first group of each match. Each pattern takes time in proportion to the text. */
function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([whole, first = whole]) => first);
}

function programsIn(text: string, path: string): readonly string[] {
  const found = directives.flatMap(([paths, pattern]) => (paths.test(path) ? matches(text, pattern) : []));
  return [...found, ...(/(?:^|\/)package\.json$/iu.test(path) ? scripts(text) : [])];
}

/** Lines by which a file has a program run or loaded: by `go generate`, Tailwind and Less, .NET, Scala. */
const directives: readonly (readonly [paths: RegExp, pattern: RegExp])[] = [
  [/\.go$/iu, /^[ \t]*\/\/go:generate[ \t]([^\n]*)$/gmu],
  [/\.(?:css|scss|sass|less|styl|vue|svelte|astro|html?)$/iu, /@(?:plugin|config)\b[^;\n]*/giu],
  [/\.cs$/iu, /^[ \t]*#:[^\n]*$/gmu],
  [/\.(?:scala|java)$/iu, /^[ \t]*\/\/>[^\n]*$/gmu],
];

/** Code that compilers run while they compile other files: rust-analyzer and Erlang's servers run it as soon as it is saved. */
function isMacro(text: string, path: string): boolean {
  return (
    (/\.rs$/iu.test(path) && /\bproc_macro/u.test(text)) || (/\.erl$/iu.test(path) && text.includes("parse_transform"))
  );
}

function referencesIn(text: string, path: string): readonly string[] {
  const found = schemas.flatMap((pattern) => matches(text, pattern)).filter((address) => isRemote(address));
  if (!/\.(?:mdx?|markdown|rst|adoc|txt|[ct]sv|bib|tex|html?|vue|svelte|astro|css|scss|sass|less|styl)$/iu.test(path))
    return [...found, ...importedAddresses(text)];
  // An escape may itself be escaped, as in the style of an element.
  const once = unescaped(text);
  const readings = new Set([text, once, unescaped(once)]);
  return [...found, ...[...readings].flatMap((reading) => [...addressesIn(reading), ...elements(reading)])];
}

/** Whether an address has a scheme or a host, also where JSON or HTML escapes them. */
function isRemote(address: string): boolean {
  return /^[\0-\x20]*(?:[a-z][a-z0-9+.-]+:(?!$)|(?:\\?\/|\\){2})|\\u00|&#|&colon;|&sol;/iu.test(address);
}

/** Editors fetch a schema, and parsers an entity, as soon as the file is open. A key may be written with escapes. */
const schemas = [
  /(?:\$|\\u0024)(?:s|\\u0073)[\w\\]{2,30}["']?[ \t]*[:=]\s*["']?([^\s"',}]+)/giu,
  /#:schema[ \t]+(\S+)/giu,
  /schemaLocation\s*=\s*["']([^"']*)/giu,
  /\b(?:SYSTEM|PUBLIC)\s+["']([^"'\n]*)/gu,
];

/**
 * Everything that names a host, with what follows. It is not examined which of it a viewer would load: each viewer parses
 * differently, and a link that one of them takes for an image would be missed.
 */
function addressesIn(text: string): readonly string[] {
  return addresses.flatMap((pattern) => matches(text, pattern));
}

/**
 * Beyond ASCII any character may be read as a letter of the host or as nothing; a user name and the first name of a host may begin
 * with signs. The second pattern goes on after a blank, to the end of its quotes or brackets.
 */
const addresses = [
  /(?:\b(?:https?|wss?|ftp|file):|[\\/](?:[\t\r\n]{0,3}[\\/]){1,4})[!"$-,:->@\]^`{-~]*[^\s!-,:-@\]^`{-~]\S*/giu,
  /["'<][ \t]{0,9}(?:(?:https?|wss?|ftp|file):|[\\/]{2})[^"'<>\n]*/giu,
];

/** Resolves escapes of HTML, CSS, JSON and Markdown; in CSS a backslash removes a line break, and leaves most letters as they are. */
function unescaped(text: string): string {
  return text.replace(
    /&(sol|bsol|colon|period|tab|newline);|&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?|\\(?:u([0-9a-f]{4})|([0-9a-f]{1,6})\s?|\r?\n|(?=\S))/giu,
    (whole: string, name?: string, hex?: string, decimal?: string, json?: string, css?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const digits = hex ?? json ?? css;
      const code = digits === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(digits, 16);
      if (Number.isNaN(code)) return "";
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const named: Readonly<Record<string, string>> = { sol: "/", bsol: "\\", colon: ":", period: ".", tab: "", newline: "" };

/** Values with an address in the elements that load something. Line breaks in a value are not part of the address. */
function elements(text: string): readonly string[] {
  const tags = matches(
    text,
    /<((?:img|image|source|video|audio|iframe|embed|object|link|script|input|picture|track|base|meta|use|svg)\b(?:"[^"]*"|'[^']*'|[^>"'])*)/giu,
  );
  const values = tags.flatMap((tag) => matches(tag, /=\s*(?:"([^"]*)|'[^']*|[^\s"'>]+)/gu));
  return values
    .map((value) => value.replace(/^=\s*'?/u, "").replace(/[\t\r\n]/gu, ""))
    .filter((value) => isRemote(value));
}

const manifest = z.looseObject({ scripts: z.optional(z.record(z.string(), z.unknown())) });

/** The scripts that a package manager runs, automatically or by name. An unreadable file counts as a whole. */
function scripts(text: string): readonly string[] {
  try {
    const read = manifest.safeParse(JSON.parse(text.replace(/^\ufeff/u, "")));
    if (!read.success) return [text];
    return Object.entries(read.data.scripts ?? {}).map((entry) => JSON.stringify(entry));
  } catch {
    return text.trim() === "" ? [] : [text];
  }
}

/** Matches a string, or an included name, from its first mark to any other. Where marks pair in another way, each still begins one. */
const names = /["'`<]((?:[^"'`<>\n\\]|\\(?:\r\n|[^]))+)/gu;

const address = /^[\0-\x20]*(?:(?:https?|wss?|file):|[\\/]{2})/iu;

/** Matches the end of the text before an imported name. */
const importing = /\b(?:(?:from|import|export|part|embed)|(?:include|require)\w*!?|(?:path|types)\s*=)$/iu;

/** Comments that name what is imported. */
const comments = /@jsxImportSource[ \t]+((?:https?:|[\\/]{2})\S*)/giu;

/** Characters before a quoted name in which `importing` is searched for. */
const maxBefore = 200;

/** The addresses that a text imports. A name at the beginning of a line counts, too: its statement may begin on a line before. */
export function importedAddresses(text: string): readonly string[] {
  const named = [...text.matchAll(comments)].map(([, given = ""]) => given);
  const imported = [...text.matchAll(names)].flatMap(({ 1: name = "", index }) =>
    isAddress(name) && isImported(text, index) ? [name] : [],
  );
  return [...named, ...imported];
}

/** Whether the name is an address, as it is written or with its escapes undone. */
function isAddress(name: string): boolean {
  return address.test(name) || (name.includes("\\") && address.test(unescapedName(name)));
}

/** Resolves escapes of JavaScript and its like: a letter without a meaning is itself. What an address ignores is removed. */
function unescapedName(name: string): string {
  return name.replace(
    /\\(?:u\{0*([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|[bfnrtv\r\n\u2028\u2029]|)/giu,
    (_, ...[braced, four, two, octal]: readonly (string | undefined)[]) => {
      const code = octal === undefined ? Number.parseInt(braced ?? four ?? two ?? "", 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

function isImported(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - maxBefore), at).split(/[\n\r\u2028\u2029]/u);
  let line = near.at(-1) ?? "";
  for (;;) {
    line = line.replace(/(?<![\s(])[\s(]+$/u, "");
    if (!line.endsWith("*/")) return line === "" || importing.test(line);
    // What is before a comment that begins further up is not known.
    const start = line.lastIndexOf("/*");
    if (start < 0) return true;
    line = line.slice(0, start);
  }
}

/** The guard's tests of files, by their names and by the text of a change. */
export function filePolicyOf(workspace: Pick<ReadableWorkspace, "roots">): {
  readonly isPlainFile: (path: string) => boolean;
  readonly reasonsOf: (change: ProposedChange) => readonly AskReason[];
  readonly isSecret: (path: string) => boolean;
} {
  // A root may itself be in a folder of secrets, so the absolute path is judged too.
  const isInSecret = (path: string): boolean => {
    const roots = workspace.roots();
    return roots.length > 0 && locate(roots, path).some((place) => isSecretPath(toSlashes(place.path)));
  };
  return { isPlainFile, reasonsOf: reasonsOfChange, isSecret: (path) => isSecretPath(path) || isInSecret(path) };
}
