/** The paths of pictures and videos in Markdown, HTML, CSS and code: the one at a place, and all with the width at which they are shown. */
import { mediaEndings, mediaKindOf } from "./taskTypes";

export interface MediaReference {
  /** The path without query and fragment, with its escapes read. */
  readonly path: string;
  /** The offsets of the written text in the line. */
  readonly start: number;
  readonly end: number;
}

/** The characters that end a path on both sides: quotes, brackets, blanks, and what separates several in a `srcset`. */
const limits = /["'`()<>[\]{},;=\s]/;
/** Characters of a path. */
const longest = 1000;

export interface ShownReference {
  /** The path, in the form of `MediaReference`. */
  readonly path: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** CSS pixels, from the `width` of the tag or of the style rule that the reference is in; missing where neither has one. */
  readonly width?: number;
}

/** References that are read from one text, so that a file that was written to have more of them costs no more. */
const maxReferences = 2000;
const anyEnding = new RegExp(`\\.(?:${[...mediaEndings].map((ending) => ending.slice(1)).join("|")})(?![\\w.-])`, "gi");

export interface ReferencesOfText {
  /** The references in their order in the text. */
  readonly references: readonly ShownReference[];
  /** Further references of the text were left out. */
  readonly isCut: boolean;
}

/** Whether a path with this name would end inside of the name, so that it is found only where the name is looked for. */
export function hasLimits(name: string): boolean {
  return limits.test(name);
}

/** `names` are those of files that have characters which end a path. */
export function mediaReferencesIn(text: string, names: readonly string[] = []): ReferencesOfText {
  const named = names.flatMap((name) => occurrencesOf(text, name));
  const ends = new Set(named.map(({ end }) => end));
  const found: MediaReference[] = named.slice(0, maxReferences);
  let looked = named.length;
  for (const { index, 0: ending } of text.matchAll(anyEnding)) {
    if (ends.has(index + ending.length)) continue;
    looked += 1;
    if (looked > maxReferences) break;
    const reference = mediaReferenceAt(text, index);
    if (reference !== undefined) found.push(reference);
  }
  found.sort((one, other) => one.start - other.start);
  return { references: withLines(text, found), isCut: looked > maxReferences };
}

/** Finds the name as it is written, and with `%20` in place of blanks, as links have it. */
function occurrencesOf(text: string, name: string): readonly MediaReference[] {
  const found: MediaReference[] = [];
  for (const written of new Set([name, name.replaceAll(" ", "%20")])) {
    for (let at = text.indexOf(written); at >= 0 && found.length <= maxReferences; at = text.indexOf(written, at + 1)) {
      const end = at + written.length;
      if (/[\w.-]/.test(text.charAt(end))) continue;
      let start = at;
      while (start > 0 && at - start < longest && !limits.test(text.charAt(start - 1))) start -= 1;
      const folder = text.slice(start, at);
      const isFolder = folder === "" || folder.endsWith("/");
      if (isFolder && !/^[a-z][\w+.-]*:/i.test(folder)) found.push({ path: `${unescaped(folder)}${name}`, start, end });
    }
  }
  return found;
}

function withLines(text: string, found: readonly MediaReference[]): readonly ShownReference[] {
  let line = 1;
  let counted = 0;
  return found.map((reference) => {
    const { path, start } = reference;
    for (let next = text.indexOf("\n", counted); next >= 0 && next < start; next = text.indexOf("\n", counted)) {
      line += 1;
      counted = next + 1;
    }
    const width = shownWidth(text, reference);
    return { path, line, ...(width === undefined ? {} : { width }) };
  });
}

/** Characters on each side in which its tag or rule is looked for. */
const around = 1000;
const widthAttribute = /\swidth\s*=\s*["'{]?(\d{1,5})(?:px)?["'}\s/>]/gi;
const widthDeclaration = /(?:^|[\s;"'{])(?:width|max-width|background-size)\s*:\s*(\d{1,5})(?:\.\d+)?px/gi;

/** The smallest width in the tag that the reference is an attribute of, or in its block of declarations. */
function shownWidth(text: string, { start, end }: MediaReference): number | undefined {
  const before = text.slice(Math.max(0, start - around), start);
  const after = text.slice(end, end + around);
  const tag = before.lastIndexOf("<");
  const block = before.lastIndexOf("{");
  const isInTag = tag > before.lastIndexOf(">");
  if (!isInTag && block <= before.lastIndexOf("}")) return undefined;
  const close = after.indexOf(isInTag ? ">" : "}");
  const within = `${before.slice((isInTag ? tag : block) + 1)} ${close < 0 ? after : after.slice(0, close + 1)}`;
  const patterns = isInTag ? [widthAttribute, widthDeclaration] : [widthDeclaration];
  const widths = patterns.flatMap((pattern) => [...within.matchAll(pattern)].map(([, pixels]) => Number(pixels)));
  return widths.length === 0 ? undefined : Math.min(...widths);
}

/** The reference that the column is in. */
export function mediaReferenceAt(line: string, column: number): MediaReference | undefined {
  let start = column;
  let end = column;
  while (start > 0 && column - start < longest && !limits.test(line.charAt(start - 1))) start -= 1;
  while (end < line.length && end - column < longest && !limits.test(line.charAt(end))) end += 1;
  const [written = ""] = line.slice(start, end).split(/[?#]/, 1);
  if (mediaKindOf(written) === undefined || /^[a-z][\w+.-]*:/i.test(written)) return undefined;
  return { path: unescaped(written), start, end };
}

function unescaped(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
