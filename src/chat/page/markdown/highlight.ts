/** Splits code into coloured pieces of text. The languages are those that are common in a workspace, by their names and aliases. */
import type { LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const grammars: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
const lowlight = createLowlight(grammars);
// The grammars of these two are as long as that of CSS, and mark little more.
lowlight.registerAlias({ css: ["scss", "less"] });

/** A run of text, or pieces under a class such as `hljs-keyword`. */
export type ColoredText = string | { readonly classes: string; readonly pieces: readonly ColoredText[] };

/**
 * The maximum lengths of highlighted code and of its lines. Longer ones would block the page, because some grammars search the rest of the line from
 * each of its characters.
 */
const maxCodeLength = 20_000;
const longLine = /^[^\n]{1000}/m;
/** The maximum depth of nested pieces, such as templates in templates. Deeper text has the colour of the piece that contains it. */
const maxDepth = 32;

/** The code in pieces; `undefined` when the language is unknown, or the code or one of its lines is too long. */
export function highlight(language: string, code: string): readonly ColoredText[] | undefined {
  if (code.length > maxCodeLength || longLine.test(code) || !lowlight.registered(language)) return undefined;
  return toPieces(lowlight.highlight(language, code).children);
}

type HighlightedNode = ReturnType<typeof lowlight.highlight>["children"][number];

function toPieces(nodes: readonly HighlightedNode[], depth = 0): ColoredText[] {
  return nodes.flatMap((node): ColoredText[] => {
    if (node.type === "text") return [node.value];
    if (node.type !== "element") return [];
    const names = node.properties.className;
    const pieces = depth < maxDepth ? toPieces(node.children, depth + 1) : [textOf(node.children)];
    return [{ classes: Array.isArray(names) ? names.join(" ") : "", pieces }];
  });
}

/** Reads the text without recursion, because the code decides how deep the nodes are. */
function textOf(nodes: readonly HighlightedNode[]): string {
  const left = nodes.toReversed();
  let text = "";
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === "text") text += node.value;
    else if (node.type === "element") left.push(...node.children.toReversed());
  }
  return text;
}
