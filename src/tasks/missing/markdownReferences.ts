/**
 * References in Markdown: pictures, links to media, definitions, front matter, and the HTML between. Lines are read one after the other; marked gives
 * no offsets, and takes quadratic time for some texts. Code is blanked out before, so that offsets stay.
 */
import { definedFields } from "../../base/definedFields";
import { codeReferences } from "./codeReferences";
import { type FoundReference, isMediaPath, maxPath, maxReferences, type PathTest } from "./foundReference";
import { htmlReferences } from "./htmlReferences";

/** `isMdx`: it has imports and JSX. In front matter and code a path is told from other words by its ending, whatever is looked for. */
export function markdownReferences(
  text: string,
  isMdx: boolean,
  isWanted: PathTest = isMediaPath,
): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const front = frontMatterEnd(text);
  if (front > 0) readFrontMatter(text.slice(0, front), found);
  const masked = withoutCode(text, front);
  readLines(masked, front, found, isWanted);
  if (/<[A-Za-z]/.test(masked)) found.push(...htmlReferences(masked, 0, isWanted));
  if (isMdx) {
    const known = new Set(found.map(({ start }) => start));
    found.push(...codeReferences(masked, 0, "mixed").filter(({ start }) => !known.has(start)));
  }
  return found.slice(0, maxReferences).sort((one, other) => one.start - other.start);
}

/** The offset at which the text begins: after the front matter between lines of `---` or `+++`; 0 where there is none. */
export function frontMatterEnd(text: string): number {
  const mark = /^(---|\+\+\+)[ \t]*\r?\n/.exec(text)?.[1];
  if (mark === undefined) return 0;
  const end = text.indexOf(`\n${mark}`, 3);
  return end < 0 ? 0 : end + 4;
}

// The patterns match lines without blanks at their end, and what they capture begins with no blank: no blanks can be shared by two parts in many
// ways.
const pictureKey =
  /^\s*(?:-\s+)?["']?(?:[\w-]*(?:image|images|cover|thumbnail|thumb|banner|poster|hero|picture|photo|avatar|logo|icon|favicon|background|video|src|teaser)|og_image|url|file)["']?\s*[:=]\s*(?:["']\s*)?([^\s"'#[\]][^"'\n#[\]]{0,999}?)["']?$/i;
const listedPath =
  /^\s*(?:-\s*|["'\w]{1,30}\s*[:=]\s*\[\s*)(?:["']\s*)?([^\s"',:[\]][^"'\n,:[\]]{0,999}\.\w{2,5})["']?\s*\]?$/;

function readFrontMatter(front: string, found: FoundReference[]): void {
  const title = /^title\s*[:=]\s*["']?([^"'\n]{1,200})/m.exec(front)?.[1]?.trim();
  for (const [line, at] of linesOf(front, 0)) {
    if (line.length > maxPath * 2) continue;
    const bare = line.trimEnd();
    const path = pictureKey.exec(bare)?.[1]?.trim() ?? listedPath.exec(bare)?.[1];
    if (path === undefined || !isMediaPath(path)) continue;
    const start = at + line.indexOf(path);
    found.push({ written: path, start, end: start + path.length, use: "page", ...definedFields({ near: title }) });
    if (found.length >= maxReferences) return;
  }
}

function* linesOf(text: string, from: number): Generator<readonly [line: string, at: number]> {
  for (let at = from; at < text.length;) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    yield [text.slice(at, end), at];
    at = end + 1;
  }
}

/** The text with blanks in the place of code. */
function withoutCode(text: string, from: number): string {
  if (!/`|~~~|^(?: {4}|\t)/m.test(text)) return text;
  const parts = [text.slice(0, from)];
  let fence: string | undefined;
  let isText = false;
  let isList = false;
  for (const [line, at] of linesOf(text, from)) {
    const mark = /^[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1];
    const isBlank = line.trim() === "";
    const end = at + line.length < text.length ? "\n" : "";
    if (fence !== undefined) {
      parts.push(blank(line), end);
      if (mark?.startsWith(fence) === true && line.trim().replace(/^[>\s]+/, "") === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      parts.push(blank(line), end);
      continue;
    }
    if (/^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(line)) isList = true;
    else if (!isBlank && /^\S/.test(line)) isList = false;
    const isIndented: boolean = /^(?: {4}|\t)/.test(line) && !isText && !isList;
    parts.push(isIndented ? blank(line) : withoutSpans(line), end);
    isText = !isBlank && !isIndented;
  }
  return parts.join("");
}

const blank = (text: string): string => " ".repeat(text.length);

/** Blanks out the spans of code in a line. */
function withoutSpans(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)].slice(0, 2000);
  /** The runs of each length that are left, the next one last. */
  const left = new Map<number, number[]>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index]?.[0] ?? "";
    const same = left.get(length);
    if (same === undefined) left.set(length, [index]);
    else same.push(index);
  }
  const parts: string[] = [];
  let at = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    if (run === undefined) break;
    const same = left.get(run[0].length) ?? [];
    while (same.length > 0 && (same.at(-1) ?? 0) <= index) same.pop();
    const close = same.at(-1);
    const closing = close === undefined ? undefined : runs[close];
    if (close === undefined || closing === undefined) continue;
    const end = closing.index + closing[0].length;
    parts.push(line.slice(at, run.index), blank(line.slice(run.index, end)));
    at = end;
    index = close;
  }
  return parts.join("") + line.slice(at);
}

function readLines(text: string, from: number, found: FoundReference[], isWanted: PathTest): void {
  let heading: string | undefined;
  for (const [line, at] of linesOf(text, from)) {
    if (found.length >= maxReferences) return;
    heading = /^ {0,3}#{1,6}[ \t]+(.{1,200})/.exec(line)?.[1]?.trim() ?? heading;
    const near = heading === undefined ? {} : { near: heading };
    const add = (written: string, start: number, alt: string | undefined): void => {
      if (!isWanted(written)) return;
      found.push({
        written,
        start,
        end: start + written.length,
        use: "page",
        ...near,
        ...(alt ? { alt } : {}),
        ...sizeAfter(line, start + written.length - at),
      });
    };
    const definition = /^ {0,3}\[([^\]\n]{1,300})\]:[ \t]*<?([^\s>]{1,1000})/.exec(line);
    if (definition)
      add(definition[2] ?? "", at + line.indexOf(definition[2] ?? "", (definition[1] ?? "").length + 3), definition[1]);
    for (
      let open = line.indexOf("](");
      open >= 0 && found.length < maxReferences;
      open = line.indexOf("](", open + 2)
    ) {
      const [, lead = "", inBrackets, plain] =
        /^([ \t]*)(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?))/.exec(
          line.slice(open + 2, open + 2 + maxPath + 300),
        ) ?? [];
      const written = inBrackets ?? plain;
      if (written === undefined) continue;
      const before = line.slice(Math.max(0, open - 500), open);
      const begin = before.lastIndexOf("[");
      const isPicture = begin > 0 && before.charAt(begin - 1) === "!";
      const alt = begin < 0 ? undefined : before.slice(begin + 1).trim();
      add(
        written,
        at + open + 2 + lead.length + (inBrackets === undefined ? 0 : 1),
        isPicture || alt !== "" ? alt : undefined,
      );
    }
    // Shortcodes of Hugo name paths in the served folder.
    if (line.includes("{{<") || line.includes("{{%"))
      for (const match of line
        .slice(0, 5000)
        .matchAll(
          /\{\{[<%][^{}]{0,300}?\b(?:src|image|poster)="([^"{}]{1,1000})"(?:[^{}]{0,300}?\balt="([^"]{1,300})")?/g,
        ))
        add(match[1] ?? "", at + match.index + match[0].indexOf(match[1] ?? ""), match[2]);
  }
}

/** Reads the size that Kramdown and Pandoc write after a picture: `![…](x.png){width=320 height=200}`; Obsidian has none. */
function sizeAfter(line: string, end: number): Pick<FoundReference, "width" | "height"> {
  const attributes = /^[^)\n]{0,200}\)\{([^}\n]{1,200})\}/.exec(line.slice(end, end + 500))?.[1] ?? "";
  const pixels = (name: string): number | undefined => {
    const value = new RegExp(`\\b${name}="?(\\d{1,5})(?:px)?"?(?:\\s|$)`).exec(attributes)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  return definedFields({ width: pixels("width"), height: pixels("height") });
}
