/** References in style sheets, also in those of Sass and Less: `url()` and the strings of `image-set()`, outside of comments. */
import { definedFields } from "../../base/definedFields";
import {
  contextLength,
  type FoundReference,
  isMediaPath,
  maxPath,
  maxReferences,
  type PathTest,
  pixelsOf,
} from "./foundReference";

/** `offset`: of the text in its document. */
export function styleReferences(text: string, offset = 0, isWanted: PathTest = isMediaPath): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const add = (start: number, written: string): void => {
    if (isWanted(written)) found.push(referenceAt(text, offset, start, written));
  };
  const next = /\/\*|\/\/|url\(|image-set\(/gi;
  for (let match = next.exec(text); match && found.length < maxReferences; match = next.exec(text)) {
    const at = match.index + match[0].length;
    if (match[0] === "/*") {
      const end = text.indexOf("*/", at);
      if (end < 0) break;
      next.lastIndex = end + 2;
    } else if (match[0] === "//") {
      // In Sass and Less this begins a comment; in CSS it occurs in an address only.
      if (!/[:(\w"']/.test(text.charAt(match.index - 1))) next.lastIndex = endOfLine(text, at);
    } else if (match[0].toLowerCase() === "url(") addOne(text, at, add);
    else next.lastIndex = addSet(text, at, add);
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

type Add = (start: number, written: string) => void;

function addOne(text: string, at: number, add: Add): void {
  const [, lead = "", quoted, other, plain] =
    /^(\s*)(?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})'|([^()"'\s]{1,1000}))\s*\)/.exec(
      text.slice(at, at + maxPath + 100),
    ) ?? [];
  const written = quoted ?? other ?? plain;
  if (written === undefined) return;
  add(at + lead.length + (plain === undefined ? 1 : 0), written);
}

/** Returns the offset at which the set ends. */
function addSet(text: string, at: number, add: Add): number {
  const body = /^[^;{}]{0,2000}/.exec(text.slice(at, at + 2000))?.[0] ?? "";
  for (const match of body.matchAll(/"([^"\n]{1,1000})"|'([^'\n]{1,1000})'/g))
    add(at + match.index + 1, match[1] ?? match[2] ?? "");
  return at + body.length;
}

function referenceAt(text: string, offset: number, start: number, written: string): FoundReference {
  const before = text.slice(Math.max(0, start - contextLength), start);
  const open = before.lastIndexOf("{");
  const isInRule = open > before.lastIndexOf("}");
  const after = text.slice(start, start + contextLength);
  const close = after.indexOf("}");
  const rule = isInRule ? before.slice(open + 1) + (close < 0 ? after : after.slice(0, close)) : "";
  const declared = (name: string): number | undefined =>
    pixelsOf(new RegExp(`(?:^|[\\s;])${name}\\s*:\\s*(\\d{1,5}px)`, "i").exec(rule)?.[1]);
  const selector = isInRule
    ? /[^{};]{0,200}$/.exec(before.slice(0, open))?.[0].replaceAll(/\/\*.{0,200}?\*\//gs, "")
    : undefined;
  const near = selector?.match(/[A-Za-z]{3,}/g)?.join(" ");
  return {
    written,
    start: offset + start,
    end: offset + start + written.length,
    use: "style",
    ...definedFields({ width: declared("width"), height: declared("height"), near }),
  };
}
