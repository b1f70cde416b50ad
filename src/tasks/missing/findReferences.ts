/** The references to pictures and videos in a document, by its name. Pure, and in time in proportion to the length of the text. */
import { codeReferences } from "./codeReferences";
import { type FoundReference, maxReferences, mayNameMedia } from "./foundReference";
import { htmlReferences } from "./htmlReferences";
import { type JsonKind, jsonReferences } from "./jsonReferences";
import { frontMatterEnd, markdownReferences } from "./markdownReferences";
import { styleReferences } from "./styleReferences";

type Reader = (text: string) => readonly FoundReference[];

const json =
  (kind: JsonKind): Reader =>
  (text) =>
    jsonReferences(text, kind);

const byName: Readonly<Record<string, Reader>> = {
  "manifest.json": json("manifest"),
  "package.json": json("package"),
  "app.json": json("config"),
  "tauri.conf.json": json("config"),
  "browserconfig.xml": (text) => htmlReferences(text),
};

const html: Reader = (text) => htmlReferences(text);
const code: Reader = (text) => codeReferences(text);
const style: Reader = (text) => styleReferences(text);

const byEnding: Readonly<Record<string, Reader>> = {
  md: (text) => markdownReferences(text, false),
  markdown: (text) => markdownReferences(text, false),
  mdx: (text) => markdownReferences(text, true),
  ...Object.fromEntries(
    [
      "html",
      "htm",
      "xhtml",
      "vue",
      "svelte",
      "hbs",
      "njk",
      "liquid",
      "ejs",
      "erb",
      "jinja",
      "jinja2",
      "j2",
      "twig",
      "cshtml",
      "php",
    ].map((ending) => [ending, html]),
  ),
  astro: readAstro,
  ...Object.fromEntries(["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts"].map((ending) => [ending, code])),
  ...Object.fromEntries(["css", "scss", "sass", "less", "pcss", "styl"].map((ending) => [ending, style])),
  webmanifest: json("manifest"),
};

/** The endings in the patterns for VS Code's watchers. */
export const documentEndings: readonly string[] = [...Object.keys(byEnding), "json", "xml"];

/** Files of tests name files that are not there on purpose, and prompts name what is to be made. */
const leftOut = /(?:\.(?:test|spec|stories|d|min|bundle)\.[a-z]+|\.prompts\.md)$/i;

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (leftOut.test(name)) return undefined;
  return Object.hasOwn(byName, name) ? byName[name] : byEnding[/\.([a-z\d]+)$/.exec(name)?.[1] ?? ""];
}

/** Whether documents of this name are searched. `path` is with slashes; only its name counts. */
export function isSearchedDocument(path: string): boolean {
  return readerOf(path) !== undefined;
}

/** The references in their order in the text. */
export function findMediaReferences(path: string, text: string): readonly FoundReference[] {
  const read = readerOf(path);
  if (read === undefined || !mayNameMedia(text)) return [];
  const seen = new Set<number>();
  return read(text)
    .filter(({ start }) => !seen.has(start) && seen.add(start))
    .toSorted((one, other) => one.start - other.start)
    .slice(0, maxReferences);
}

function readAstro(text: string): readonly FoundReference[] {
  const end = frontMatterEnd(text);
  const masked = " ".repeat(end) + text.slice(end);
  return [
    ...(end > 0 ? codeReferences(text.slice(0, end)) : []),
    ...htmlReferences(masked),
    ...codeReferences(masked, 0, "mixed"),
  ];
}
