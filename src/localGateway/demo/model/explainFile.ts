/** Describes the text of a file by rules: its language, first comment or title, what it defines and imports, and its TODO marks. In linear time. */

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
export function explainFile(path: string, result: string): string {
  const lines = linesOf(result);
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const language = Object.hasOwn(languages, ending) ? `${languages[ending] ?? ""}, ` : "";
  const facts = ending === "md" ? markdownFacts(lines) : ending === "json" ? jsonFacts(lines) : codeFacts(lines);
  const size = lines.length === 1 ? "1 line" : `${lines.length} lines`;
  const marks = lines.flatMap((line, index) =>
    mark.test(line) ? [`Line ${index + 1} is left to do: ${code(line.slice(line.search(mark)))}`] : [],
  );
  const list = [...facts, ...marks.slice(0, 3)].map((fact) => `- ${fact}`);
  return [
    `${code(path)}: ${language}${size}.`,
    ...(list.length === 0 ? [] : [list.join("\n")]),
    "Rules read that much from its text; a language model says what it means.",
  ].join("\n\n");
}

/** The lines of the file, without the tool's notes. */
function linesOf(result: string): readonly string[] {
  const lines = result.split("\n").slice(0, maxLines);
  while (/^\((?:lines \d|as it was saved|not UTF-8|the file is empty)/.test(lines.at(-1) ?? "")) lines.pop();
  return lines.map((line) => line.slice(0, maxLineLength));
}

function codeFacts(lines: readonly string[]): readonly string[] {
  const [first] = lines.filter((line) => line.trim() !== "");
  const opening = first !== undefined && comment.test(first) && !first.startsWith("#!") ? commentText(first) : "";
  const defined = lines.flatMap((line) => definition.exec(line)?.[1] ?? []);
  const used = lines.flatMap((line) => importedBy(line) ?? []);
  return [
    ...(opening === "" ? [] : [`It begins: ${code(opening)}`]),
    ...(defined.length === 0 ? [] : [`It defines ${named(defined)}.`]),
    ...(used.length === 0 ? [] : [`It uses ${named(used)}.`]),
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

function markdownFacts(lines: readonly string[]): readonly string[] {
  const headings = lines.flatMap((line) => (/^#{1,6} /.test(line) ? [line.slice(line.indexOf(" ")).trim()] : []));
  const [title, ...rest] = headings;
  return [
    ...(title === undefined ? [] : [`Its title is ${code(title)}.`]),
    ...(rest.length === 0 ? [] : [`It has ${rest.length === 1 ? "a section" : "sections"} on ${named(rest)}.`]),
  ];
}

function jsonFacts(lines: readonly string[]): readonly string[] {
  try {
    const value: unknown = JSON.parse(lines.join("\n"));
    if (Array.isArray(value)) return [`It is a list of ${value.length}.`];
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    return keys.length === 0 ? [] : [`It has ${named(keys)}.`];
  } catch {
    return [];
  }
}

function named(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, maxNamed).map(code);
  const more = all.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`;
}

/** Text of a file as a code span, so that nothing in it is Markdown. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").trim()}\``;
}
