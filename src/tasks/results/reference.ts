/** Writes the reference of a document to a result. For Submit and the commands on results. */
import { posix } from "node:path";
import { mediaFacts, type MediaKind, mediaKindOf } from "../../domain/task/taskTypes";

export type Markup = "markdown" | "html";

export interface ResultReference {
  /** Relative to the document, as `relativePath` gives it. */
  readonly path: string;
  /** What the picture shows, for those who don't see it; usually the prompt. */
  readonly alt: string;
  /** An address that is encoded already, in the place of the path. */
  readonly href?: string;
  /** The kind of media at the path, where its ending does not show it. */
  readonly kind?: MediaKind | undefined;
}

/** Markdown has a syntax for pictures only, so videos are HTML there too, as VS Code's own paste writes them. */
export function writeReference(markup: Markup, reference: ResultReference): string {
  const { path, alt, kind = mediaKindOf(path), href = escapePath(path) } = reference;
  const words = cutAlt(alt);
  const element = kind === undefined ? undefined : mediaFacts(kind).element;
  switch (element) {
    case "img":
      return markup === "html"
        ? `<img src="${href}" alt="${escapeHtml(words)}">`
        : `![${escapeMarkdown(words)}](${href})`;
    case "video":
    case "audio":
      return `<${element} controls src="${href}" title="${escapeHtml(words)}"></${element}>`;
    case undefined:
      return markup === "html" ? `<a href="${href}">${escapeHtml(words)}</a>` : `[${escapeMarkdown(words)}](${href})`;
  }
}

export interface SizedPicture {
  /** The path, in the form of `ResultReference`. */
  readonly path: string;
  /** The same picture for displays with two pixels a point. */
  readonly double?: string | undefined;
  readonly alt: string;
  /** Pixels of the page. */
  readonly width: number;
  readonly height: number;
}

/** `isJsx`: React has its own spelling of an attribute. */
export function writePicture({ path, double, alt, width, height }: SizedPicture, isJsx = false): string {
  const [source, doubled] = [path, double ?? ""].map((one) => escapePath(one).replaceAll(",", "%2C"));
  const set = double === undefined ? "" : ` ${isJsx ? "srcSet" : "srcset"}="${source} 1x, ${doubled} 2x"`;
  return `<img src="${source}"${set} width="${width}" height="${height}" alt="${escapeHtml(cutAlt(alt))}" />`;
}

/** `undefined` for languages in which a reference is nothing but the path. */
export function markupOf(languageId: string): Markup | undefined {
  switch (languageId) {
    case "markdown":
    case "mdx":
    case "quarto":
    case "rmd":
      return "markdown";
    case "html":
    case "vue":
    case "svelte":
    case "astro":
    case "handlebars":
    case "php":
    case "razor":
    case "javascriptreact":
    case "typescriptreact":
      return "html";
    default:
      return undefined;
  }
}

/** The path from the folder of the document to the file; both are paths with slashes, as `Uri.path` has them. Not escaped. */
export function relativePath(document: string, file: string): string {
  return posix.relative(posix.dirname(document), file);
}

/** Like `relativePath`; returns the name alone where no path leads to the file: there is no document, or it is on another drive. */
export function pathOrName(document: string | undefined, file: string): string {
  const [from, to] = [lowerDrive(document ?? ""), lowerDrive(file)];
  const hasPath = document !== undefined && driveOf(from) === driveOf(to);
  return hasPath ? relativePath(from, to) : posix.basename(file);
}

function lowerDrive(path: string): string {
  return path.replace(/^\/[a-z]:/i, (drive) => drive.toLowerCase());
}

function driveOf(path: string): string | undefined {
  return /^\/[a-z]:/.exec(path)?.[0];
}

/** Percent-encodes what would end the path in Markdown or HTML, or give it another meaning. Letters of every script stay readable. */
export function escapePath(path: string): string {
  const escaped = path.replaceAll(
    /[\u0000-\u0020\u007f-\u00a0\u2028\u2029"'#%&()*:;<>?[\\\]^_`{|}~$]/gu,
    (character) => (character === "_" || character === "~" ? character : encodeURIComponent(character)),
  );
  return escaped.replaceAll(/[()'*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Makes one line of the text, without control characters and cut at a word. */
export function cutAlt(alt: string): string {
  const line = alt.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= maxAltLength) return line;
  const cut = characters.slice(0, maxAltLength).join("");
  const space = cut.lastIndexOf(" ");
  return (space > maxAltLength / 2 ? cut.slice(0, space) : cut).trimEnd();
}

/** Characters. Screen readers read it aloud in one go. */
export const maxAltLength = 150;

/** The alternative text of a picture as it is written between the marks of the markup. */
export function escapeAlt(markup: Markup, alt: string): string {
  return markup === "html" ? escapeHtml(cutAlt(alt)) : escapeMarkdown(cutAlt(alt));
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_[\]<>&|~$!]/g, (character) => `\\${character}`).replaceAll(/[`{}]/g, entity);
}

/** Escapes also what begins code in the templates that are like HTML, such as Svelte, Handlebars and Razor. JSX reads entities too. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&"<>`{}@]/g, entity);
}

function entity(character: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
  return names[character] ?? `&#${character.charCodeAt(0)};`;
}

/**
 * A Markdown text at the beginning of a line. In front of the mark of a heading, a list, a quote, a fence or a table it would take the mark's
 * meaning, so it gets a paragraph of its own there. `rest`: what follows in the line.
 */
export function asOwnParagraph(text: string, rest: string, lineEnd: string): string {
  const isMarked = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|\d{1,9}[.)][ \t]|```|~~~|\|)/.test(rest);
  return isMarked ? `${text}${lineEnd}${lineEnd}` : text;
}
