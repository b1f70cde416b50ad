/** A picture in Markdown or HTML whose alternative text is empty, at a place of a document. Pure. */

export interface EmptyAlt {
  /** The path as it is written, with its escapes read; without query and fragment. */
  readonly path: string;
  readonly markup: "markdown" | "html";
  /** Offsets in the text: where the alternative text goes, without its quotes or brackets; for an expression such as `{""}`, the expression. */
  readonly start: number;
  readonly end: number;
  /** The characters that are written in front of the text and behind it: quotes in the place of an expression. */
  readonly quote: string;
}

/** Characters of an element or a link; a longer one is not found. */
const longest = 4000;

/** Looks in `text` around `offset`, at most as far as an element is long. */
export function emptyAltAt(text: string, offset: number): EmptyAlt | undefined {
  return inMarkdown(text, offset) ?? inElement(text, offset);
}

/** `![](path)` and `![](<path with blanks> "title")`. */
function inMarkdown(text: string, offset: number): EmptyAlt | undefined {
  const from = Math.max(text.lastIndexOf("\n", offset - 1) + 1, offset - longest);
  const line = /[^\r\n]{0,8000}/.exec(text.slice(from, from + 2 * longest))?.[0] ?? "";
  for (let at = line.indexOf("![]("); at >= 0; at = line.indexOf("![](", at + 4)) {
    const end = line.indexOf(")", at);
    if (end < 0) return undefined;
    if (offset < from + at || offset > from + end + 1) continue;
    const target = line.slice(at + 4, end).trim();
    const written = target.startsWith("<") ? target.slice(1).split(">", 1)[0] : target.split(/\s/, 1)[0];
    const start = from + at + 2;
    return { path: pathOf(written ?? ""), markup: "markdown", start, end: start, quote: "" };
  }
  return undefined;
}

/** `<img src="path" alt="">`, also over several lines, and as JSX has it. */
function inElement(text: string, offset: number): EmptyAlt | undefined {
  const first = Math.max(0, offset - longest);
  const begin = text
    .slice(first, offset + 4)
    .toLowerCase()
    .lastIndexOf("<img");
  if (begin < 0) return undefined;
  const from = first + begin;
  const end = text.indexOf(">", from);
  if (end < 0 || end - from > longest || offset > end + 1) return undefined;
  const element = text.slice(from, end);
  const alt = /\salt\s*=\s*(""|''|\{\s*(?:""|''|``)\s*\})/.exec(element);
  const source = /\ssrc\s*=\s*(?:\{\s*)?(["'])([^"'\r\n]{1,1000})\1/.exec(element);
  if (alt === null || source === null) return undefined;
  const value = alt[1] ?? "";
  const at = from + alt.index + alt[0].length - value.length;
  const isExpression = value.startsWith("{");
  return {
    path: pathOf(source[2] ?? ""),
    markup: "html",
    start: isExpression ? at : at + 1,
    end: isExpression ? at + value.length : at + 1,
    quote: isExpression ? '"' : "",
  };
}

function pathOf(written: string): string {
  const path = written.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
