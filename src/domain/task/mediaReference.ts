/** The paths of pictures and videos in Markdown, HTML, CSS and code: the one at a place, and all with the width at which they are shown. */
import { mediaEndings, mediaKindOf } from "./mediaKinds";

export interface MediaReference {
  /** Without query and fragment, with escapes read. */
  readonly path: string;
  /** Offsets in the line, of what is written. */
  readonly start: number;
  readonly end: number;
}

/** What ends a path on both sides: quotes, brackets, blanks, and what separates several in a `srcset`. */
const limits = /["'`()<>[\]{},;=\s]/;
/** Characters of a path. */
const longest = 1000;

export interface ShownReference {
  /** As in `MediaReference`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Pixels of the page, where the tag or the rule around it says so. */
  readonly width?: number;
}

/** Of one text; a file that was written to have more of them costs no more. */
const maxReferences = 2000;
const anyEnding = new RegExp(`\\.(?:${[...mediaEndings].map((ending) => ending.slice(1)).join("|")})(?![\\w.-])`, "gi");

/** In their order. */
export function mediaReferencesIn(text: string): readonly ShownReference[] {
  const found: ShownReference[] = [];
  let line = 1;
  let counted = 0;
  let looked = 0;
  for (const { index } of text.matchAll(anyEnding)) {
    looked += 1;
    if (looked > maxReferences) break;
    const reference = mediaReferenceAt(text, index);
    if (reference === undefined) continue;
    for (let next = text.indexOf("\n", counted); next >= 0 && next < index; next = text.indexOf("\n", counted)) {
      line += 1;
      counted = next + 1;
    }
    const width = shownWidth(text, reference);
    found.push({ path: reference.path, line, ...(width === undefined ? {} : { width }) });
  }
  return found;
}

/** Characters on each side in which its tag or rule is looked for. */
const around = 1000;
const widthAttribute = /\swidth\s*=\s*["'{]?(\d{1,5})(?:px)?["'}\s/>]/gi;
const widthDeclaration = /(?:^|[\s;"'{])(?:width|max-width|background-size)\s*:\s*(\d{1,5})(?:\.\d+)?px/gi;

/** The smallest of those in the tag that the reference is an attribute of, or in its block of declarations. */
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

/** The one that the column is in. */
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
