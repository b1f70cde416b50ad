/** The path or URL of a picture or video in a line of Markdown, HTML, CSS or code. */
import { mediaKindOf } from "./mediaKinds";

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
