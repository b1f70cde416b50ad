/** Describes the text of a file by rules: its language, first comment or title, what it defines and imports, and its TODO marks. In linear time. */
import type { DemoWords } from "./demoWords";

const languages: Readonly<Record<string, string>> = {
  c: "C",
  cpp: "C++",
  cs: "C#",
  css: "CSS",
  go: "Go",
  html: "HTML",
  java: "Java",
  js: "JavaScript",
  json: "JSON",
  jsx: "JavaScript",
  md: "Markdown",
  php: "PHP",
  py: "Python",
  rb: "Ruby",
  rs: "Rust",
  sh: "Shell",
  ts: "TypeScript",
  tsx: "TypeScript",
  yaml: "YAML",
  yml: "YAML",
};

const maxLines = 2000;
const maxLineLength = 300;
const maxNamed = 8;

const definition =
  /^(?:(?:export|default|pub|public|static|abstract|async|final) )*(?:function|class|interface|type|const|let|enum|def|func|fn|struct|trait|module) (\w+)/;
const comment = /^(?:\/\*+|\/\/+|#+|--|<!--|"""|\*) ?/;
const mark = /\b(?:TODO|FIXME)\b/;

/** `result`: what `read_file` returned, with notes of the tool behind the text. The tool may be that of any client. */
export function explainFile(path: string, result: string, words: DemoWords): string {
  const lines = linesOf(result);
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const language = Object.hasOwn(languages, ending) ? languages[ending] : undefined;
  const read = ending === "md" ? markdownFacts : ending === "json" ? jsonFacts : codeFacts;
  const facts = read(lines, words);
  const marks = lines.flatMap((line, index) =>
    mark.test(line) ? [words.explain.leftToDo(index + 1, code(line.slice(line.search(mark))))] : [],
  );
  const list = [...facts, ...marks.slice(0, 3)].map((fact) => `- ${fact}`);
  return [
    words.explain.size(code(path), language, lines.length),
    ...(list.length === 0 ? [] : [list.join("\n")]),
    words.explain.end,
  ].join("\n\n");
}

/** The lines of the file, without the tool's notes. */
function linesOf(result: string): readonly string[] {
  const lines = result.split("\n").slice(0, maxLines);
  while (/^\((?:lines \d|as it was saved|not UTF-8|the file is empty)/.test(lines.at(-1) ?? "")) lines.pop();
  return lines.map((line) => line.slice(0, maxLineLength));
}

function codeFacts(lines: readonly string[], words: DemoWords): readonly string[] {
  const [first] = lines.filter((line) => line.trim() !== "");
  const opening = first !== undefined && comment.test(first) && !first.startsWith("#!") ? commentText(first) : "";
  const defined = lines.flatMap((line) => definition.exec(line)?.[1] ?? []);
  const used = lines.flatMap((line) => importedBy(line) ?? []);
  return [
    ...(opening === "" ? [] : [words.explain.begins(code(opening))]),
    ...(defined.length === 0 ? [] : [words.explain.defines(named(defined, words))]),
    ...(used.length === 0 ? [] : [words.explain.uses(named(used, words))]),
  ];
}

function commentText(line: string): string {
  return line
    .replace(comment, "")
    .replace(/(?:\*\/|-->)$/, "")
    .trim();
}

/** What an import names, quoted or as a word. */
function importedBy(line: string): string | undefined {
  if (!/^(?:import|from|use|using|require|#include|const|export)\b|^#include\b/.test(line)) return undefined;
  const [, quoted] = /(?:from |import |require\(|#include )["'<]([^"'>]+)["'>]/.exec(line) ?? [];
  if (quoted !== undefined) return quoted;
  return /^(?:import|from|use|using) (?:static )?([\w.:]+);?(?: import\b.*)?$/.exec(line)?.[1];
}

function markdownFacts(lines: readonly string[], words: DemoWords): readonly string[] {
  const headings = lines.flatMap((line) => (/^#{1,6} /.test(line) ? [line.slice(line.indexOf(" ")).trim()] : []));
  const [title, ...rest] = headings;
  return [
    ...(title === undefined ? [] : [words.explain.title(code(title))]),
    ...(rest.length === 0 ? [] : [words.explain.sections(named(rest, words), rest.length)]),
  ];
}

function jsonFacts(lines: readonly string[], words: DemoWords): readonly string[] {
  try {
    const value: unknown = JSON.parse(lines.join("\n"));
    if (Array.isArray(value)) return [words.explain.list(value.length)];
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    return keys.length === 0 ? [] : [words.explain.has(named(keys, words))];
  } catch {
    return [];
  }
}

function named(names: readonly string[], words: DemoWords): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, maxNamed).map(code);
  const more = all.length - shown.length;
  return more > 0 ? words.more(shown.join(", "), more) : words.join(shown);
}

/** Text of a file as a code span, so that nothing in it is Markdown. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").trim()}\``;
}
