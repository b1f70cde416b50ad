/**
 * References in JavaScript and TypeScript, with and without JSX: strings that are imported, given to an attribute, or the value of a telling name.
 */
import { definedFields } from "../../base/definedFields";
import {
  contextLength,
  type FoundReference,
  isMediaPath,
  maxReferences,
  pixelsOf,
  type ReferenceUse,
} from "./foundReference";
import { candidatesOf } from "./candidates";
import { styleReferences } from "./styleReferences";

/**
 * `expression`: the value of an attribute that a template computes. `mixed`: code between prose, as in MDX, where a name and a colon are no property.
 */
type CodeKind = "module" | "expression" | "mixed";

/** Names whose value is a picture or video. */
const tellingName =
  /(?:^|[a-z_-])(?:src|srcset|href|poster|images?|img|icons?|logo|favicon|cover|banner|thumbnail|thumb|avatar|photo|picture|background|splash|video|media|screenshots?|hero|shortcut|apple|preview)(?:url|path|src|file|uri|s|light|dark)?$/i;
/** Functions that give the address of a file in the served folder. */
const servedBy = /\b(?:useBaseUrl|withBase|staticFile|asset|assetPath|publicUrl|withPrefix|staticUrl)\(\s*$/;

/** Characters that were read in vain, over all pieces of code in one document. */
export interface WastedReading {
  wasted: number;
}

/** `offset`: of the text in its document. Contents of comments and of expressions in templates are left out. */
export function codeReferences(
  text: string,
  offset = 0,
  kind: CodeKind = "module",
  effort: WastedReading = { wasted: 0 },
): readonly FoundReference[] {
  const found: FoundReference[] = [];
  let looked = 0;
  for (const [start, end] of stringsIn(text, effort)) {
    if (found.length >= maxReferences || looked >= maxReferences * 2) break;
    const written = text.slice(start, end);
    if (written.includes("url(")) found.push(...styleReferences(written, offset + start).map(asPage));
    else if (
      /\s\d[\d.]{0,5}[wx](?:,|$)/.test(written.slice(0, 5000)) &&
      /srcset["']?[=:]\{?$/i.test(text.slice(Math.max(0, start - 60), start - 1).replaceAll(/\s/g, ""))
    )
      found.push(...setReferences(text, start, end, offset));
    else if (isMediaPath(written)) {
      looked += 1;
      found.push(...read(text, start, end, offset, kind));
    }
  }
  return found.slice(0, maxReferences);
}

const asPage = (reference: FoundReference): FoundReference => ({ ...reference, use: "page" });

function setReferences(text: string, start: number, end: number, offset: number): readonly FoundReference[] {
  return candidatesOf(text.slice(start, end)).map(({ written, at, count, unit }) => {
    const from = offset + start + at;
    return { written, start: from, end: from + written.length, use: "page", ...(unit === "w" ? { width: count } : {}) };
  });
}

function read(text: string, start: number, end: number, offset: number, kind: CodeKind): readonly FoundReference[] {
  const before = text.slice(Math.max(0, start - 300), start - 1);
  const context = contextOf(before, text.slice(end + 1, end + 60), kind, text.slice(start, end));
  if (context === undefined) return [];
  const { use, isServed, isData } = context;
  const written = text.slice(start, end);
  const tag = use === "module" ? "" : tagAround(text, start, end);
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*(?:\\{\\s*)?["'\`]?([^"'\`}>]{1,300})`, "i").exec(tag)?.[1];
  const object = tag === "" && use !== "module" ? objectAround(text, start, end) : "";
  const property = (name: string): string | undefined =>
    new RegExp(`\\b${name}["']?\\s*:\\s*["'\`]?([^"'\`,}\\n]{1,300})`, "i").exec(object)?.[1];
  const both = (name: string): string | undefined => attribute(name) ?? property(name);
  const sizes = /^(\d+)x(\d+)$/.exec(both("sizes")?.trim() ?? "");
  return [
    {
      written,
      start: offset + start,
      end: offset + end,
      use,
      ...definedFields({
        width: pixelsOf(both("width")) ?? pixelsOf(sizes?.[1]),
        height: pixelsOf(both("height")) ?? pixelsOf(sizes?.[2]),
        alt: both("alt")?.trim() || property("title")?.trim() || undefined,
        isServed,
        isData,
      }),
    },
  ];
}

interface Context {
  readonly use: ReferenceUse;
  readonly isServed?: true;
  readonly isData?: true;
}

function contextOf(before: string, after: string, kind: CodeKind, written: string): Context | undefined {
  if (/(?:\bfrom|\bimport|\brequire(?:\.resolve)?\(|\bimport\()\s*$/.test(before)) return moduleUse(written);
  if (/\bnew\s+URL\(\s*$/.test(before)) return /^\s*,\s*import\.meta/.test(after) ? { use: "module" } : undefined;
  if (servedBy.test(before)) return { use: "page", isServed: true };
  if (kind === "expression") return before.trim() === "" && after.trim() === "" ? { use: "page" } : undefined;
  const given = /([\w$:-]{1,60})\s*(=|:|\?\?|\|\|)\s*(?:\{\s*)?$/.exec(before.replace(/["']\s*:\s*$/, ": "));
  const listed = given === null ? /([\w$-]{1,60})["']?\s*[=:]\s*\[[^[\]]{0,250}$/.exec(before) : null;
  const name = given?.[1] ?? listed?.[1];
  if (name === "content") return isSocial(before, after) ? { use: "social" } : undefined;
  if (name === undefined || !tellingName.test(name)) return undefined;
  if (kind === "mixed" && given?.[2] !== "=") return undefined;
  // A name without a folder may be that of anything, except in an attribute of HTML, where it is a path.
  if (!/[/\\]/.test(written) && !(given?.[2] === "=" && isHtmlAttribute(name, before))) return undefined;
  if (/icons?$|favicon|apple|shortcut/i.test(name)) return { use: "icon" };
  if (
    /^(?:og|twitter|opengraph)/i.test(name) ||
    /(?:openGraph|twitter)\s*:\s*\{[^{}]{0,200}(?:\{[^{}]{0,100})?$/.test(before)
  )
    return { use: "social" };
  return given?.[2] === "=" ? { use: "page" } : { use: "page", isData: true };
}

/** Whether the attribute is one of an element, not of a component, whose name begins with a capital. */
function isHtmlAttribute(name: string, before: string): boolean {
  const tag = before.slice(Math.max(0, before.lastIndexOf("<")));
  return /^(?:src|srcset|href|poster)$/i.test(name) && /^<[a-z]/.test(tag);
}

const socialName = /["'`](?:(?:og|twitter):(?:image|video)(?::url|:src)?)["'`]/;

/** Whether `property: "og:image"` is in the same object or tag, before the place or right behind it. */
function isSocial(before: string, after: string): boolean {
  const near = before.slice(Math.max(before.lastIndexOf("{", before.length - 12), before.lastIndexOf("<"), 0));
  return socialName.test(near) || socialName.test(after);
}

/** The use of a path that is imported; `undefined` for that of a package, which brings its own files. */
function moduleUse(written: string): Context | undefined {
  return /^(?:\.{1,2}\/|[@~#$]\/|~@\/|\$lib\/|@site\/|@assets\/|\/)/.test(written) ? { use: "module" } : undefined;
}

/** The attributes of the tag that the place is in; empty where it is in none. */
function tagAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - contextLength), start);
  const open = Math.max(before.lastIndexOf("<"), -1);
  if (open < 0 || !/^<[A-Za-z]/.test(before.slice(open)) || /(?<!=)>/.test(before.slice(open))) return "";
  const after = text.slice(end, end + contextLength);
  const close = /(?<!=)>/.exec(after)?.index ?? after.length;
  return `${before.slice(open)}${after.slice(0, close)}`;
}

/** The innermost braces around the place. */
function objectAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 400), start);
  const open = before.lastIndexOf("{");
  if (open < 0 || before.lastIndexOf("}") > open) return "";
  const after = text.slice(end, end + 400);
  const close = after.indexOf("}");
  return before.slice(open) + (close < 0 ? after : after.slice(0, close));
}

/** The characters that may be read in vain before the rest is not taken for code, because a text may be written to cost time. */
const maxWasted = 5_000_000;

/** The insides of string literals. One pass: what is no string, such as an apostrophe in the text of JSX, ends with its line. */
function* stringsIn(text: string, effort: WastedReading): Generator<readonly [start: number, end: number]> {
  let at = 0;
  const interesting = /["'`/]/g;
  for (;;) {
    interesting.lastIndex = at;
    const match = interesting.exec(text);
    if (match === null || effort.wasted > maxWasted) return;
    const { index } = match;
    const quote = match[0];
    at = index + 1;
    if (quote === "/") {
      at = afterSlash(text, index, effort);
    } else if (quote === "`") {
      const end = endOfTemplate(text, at, effort);
      if (end < 0) continue;
      if (!text.slice(at, Math.min(end, at + 2000)).includes("${")) yield [at, end];
      at = end + 1;
    } else if (quote === '"' || !/[\p{L}\p{N}]/u.test(text.charAt(index - 1))) {
      const end = endOfString(text, at, quote, effort);
      if (end < 0) continue;
      yield [at, end];
      at = end + 1;
    }
  }
}

function afterSlash(text: string, index: number, effort: WastedReading): number {
  const following = text.charAt(index + 1);
  if (following === "*") {
    const end = text.indexOf("*/", index + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (following === "/") {
    // Behind a colon it is part of an address and begins no comment.
    if (text.charAt(index - 1) === ":") return index + 2;
    const end = text.indexOf("\n", index);
    return end < 0 ? text.length : end + 1;
  }
  const [last = ""] = /\S\s*$/.exec(text.slice(Math.max(0, index - 20), index)) ?? [];
  if (!/^[(=,:[!&|?;]/.test(last)) return index + 1;
  const literal = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.){0,300}\]){1,500}\//.exec(text.slice(index, index + 1000));
  if (literal !== null) return index + literal[0].length;
  effort.wasted += 1000;
  return index + 1;
}

/** The offset of the closing quote; negative where the string does not end in its line or is too long. Bundled code has lines of megabytes. */
function endOfString(text: string, from: number, quote: string, effort: WastedReading): number {
  const bound = Math.min(text.length, from + 5000);
  let at = from;
  for (; at < bound; at += 1) {
    const character = text.charAt(at);
    if (character === quote) return at;
    if (character === "\n") break;
    if (character === "\\") at += 1;
  }
  effort.wasted += at - from;
  return -1;
}

function endOfTemplate(text: string, from: number, effort: WastedReading): number {
  const bound = Math.min(text.length, from + 20_000);
  for (let at = from; at < bound; at += 1) {
    const character = text.charAt(at);
    if (character === "`") return at;
    if (character === "\\") at += 1;
  }
  effort.wasted += bound - from;
  return -1;
}
