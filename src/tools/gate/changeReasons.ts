/** Reasons to ask that lie in the text of a change: addresses that something loads without a click, and scripts that a program runs. */
import * as z from "zod/mini";
import type { ProposedChange } from "../../domain/tools/tool";
import type { AskReason } from "../../domain/chat/chat";

/** Characters of both texts that are looked at; a longer change asks. */
const maxTextLength = 2 * 1024 * 1024;

export function reasonsOfChange({ before, after, preview: { path } }: ProposedChange): readonly AskReason[] {
  if (before.length + after.length > maxTextLength) return ["remote-reference"];
  const reasons: AskReason[] = [];
  if (adds(before, after, (text) => referencesIn(text, path))) reasons.push("remote-reference");
  if (isMacro(after, path) || adds(before, after, (text) => programsIn(text, path))) reasons.push("executed");
  return reasons;
}

/** Whether the new text has one that the old text has not. */
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
  return [...matches(text, generator), ...(/(?:^|\/)package\.json$/iu.test(path) ? scripts(text) : [])];
}

/** `go generate` runs the rest of such a line. */
const generator = /^[ \t]*\/\/go:generate[ \t]([^\n]*)$/gmu;

/** rust-analyzer compiles and runs it as soon as it is saved. */
function isMacro(text: string, path: string): boolean {
  return /\.rs$/iu.test(path) && /\bproc_macro/u.test(text);
}

function referencesIn(text: string, path: string): readonly string[] {
  const found = schemas.flatMap((pattern) => matches(text, pattern)).filter((address) => isRemote(address));
  if (/\.(?:md|mdx|markdown|rst|adoc|txt|html?|vue|svelte|astro|css|scss|less)$/iu.test(path)) {
    found.push(...images(text), ...elements(text));
    found.push(...otherImages.flatMap((pattern) => matches(text, pattern)).filter((address) => isRemote(address)));
  }
  return found;
}

/** With a scheme or a host, also where JSON or HTML escapes them. */
function isRemote(address: string): boolean {
  return /^\s*(?:[a-z][a-z0-9+.-]+:(?!$)|\\?\/\\?\/|\\\\)|\\u00|&#|&colon;|&sol;/iu.test(address);
}

/** Editors fetch a schema, and parsers an entity, as soon as the file is open. A key may be written with escapes. */
const schemas = [
  /(?:\$|\\u0024)(?:s|\\u0073)[\w\\]{2,30}["']?[ \t]*[:=]\s*["']?([^\s"',}]+)/giu,
  /#:schema[ \t]+(\S+)/giu,
  /schemaLocation\s*=\s*["']([^"']*)/giu,
  /\b(?:SYSTEM|PUBLIC)\s+["']([^"'\n]*)/gu,
];

/** In reStructuredText, AsciiDoc and CSS. */
const otherImages = [
  /\.\.[ \t]+(?:image|figure)::[ \t]*(\S+)/giu,
  /\bimage::?([^\s[]{1,500})\[/giu,
  /\burl\([ \t]*["']?([^)"'\n]+)/giu,
  /@import[ \t]+["']([^"'\n]+)/giu,
];

/** Addresses of Markdown's images. A link in the same paragraph counts too: which bracket closes which is not parsed here. */
function images(text: string): readonly string[] {
  const found: string[] = [];
  let isImage = false;
  for (const [whole, address] of text.matchAll(/!\[|\n[ \t]*\n|\]\([ \t\n]*<?([^\s)>]+)/gu)) {
    if (address === undefined) isImage = whole === "![";
    else if (isImage && isRemote(address)) found.push(address);
  }
  if (!text.includes("![")) return found;
  return [
    ...found,
    ...matches(text, /^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*<?([^\s>]+)/gmu).filter((address) => isRemote(address)),
  ];
}

/** Values with an address in the elements that load something. */
function elements(text: string): readonly string[] {
  const tags = matches(
    text,
    /<((?:img|image|source|video|audio|iframe|embed|object|link|script|input|picture|track|base|meta|use|svg)\b(?:"[^"]*"|'[^']*'|[^>"'])*)/giu,
  );
  const values = tags.flatMap((tag) => matches(tag, /=\s*(?:"([^"]*)|'[^']*|[^\s"'>]+)/gu));
  return values.map((value) => value.replace(/^=\s*'?/u, "")).filter((value) => isRemote(value));
}

const manifest = z.looseObject({ scripts: z.optional(z.record(z.string(), z.unknown())) });

/** What a package manager runs, automatically or by name. Of an unreadable file all of it counts. */
function scripts(text: string): readonly string[] {
  try {
    const read = manifest.safeParse(JSON.parse(text.replace(/^\ufeff/u, "")));
    if (!read.success) return [text];
    return Object.entries(read.data.scripts ?? {}).map((entry) => JSON.stringify(entry));
  } catch {
    return text.trim() === "" ? [] : [text];
  }
}
