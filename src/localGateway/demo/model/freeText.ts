/**
 * Answers of the built-in model without tools: an introduction, suggestions, thoughts and long texts on request, and descriptions of files.
 */
import { describeImage, type PromptImage } from "../images";
import type { DeclaredTool } from "../conversation";
import type { SeededRandom } from "../seededRandom";
import { subjectNames, subjectOf } from "../drawing/subjects";
import { type AttachedText, pathInLabel } from "./attachedText";
import type { DemoWords, FillerWords } from "./demoWords";
import { hasInOrder } from "./promptSteps";
import { wordsFor } from "./wordsFor";

interface FreeTextOptions {
  readonly tools: readonly DeclaredTool[];
  readonly random: SeededRandom;
  readonly images: readonly PromptImage[];
  readonly attached: readonly AttachedText[];
}

interface FreeText {
  readonly reasoning: string;
  /** Reasoning that the messages family sends encrypted. */
  readonly hidden: string;
  readonly text: string;
  readonly picture?: string;
}

const maxParagraphs = 500;

export function writeFreeText(prompt: string, options: FreeTextOptions): FreeText {
  const words = wordsFor(prompt);
  // Attached texts come before the question, which is the last line.
  const last = prompt.trim().split("\n").at(-1) ?? "";
  const [, picture] = /^(?:please )?(?:draw|paint) +(\S.*)$/i.exec(last) ?? /^画：(.+)$/.exec(last) ?? [];
  if (picture !== undefined) {
    return { reasoning: "", hidden: "", text: drawnOf(picture, words), picture };
  }
  const text = textFor(prompt, options, words);
  const isAsked = /\b(?:think|reason|step by step|plan|why)\b|想一想|思考|为什么/i.test(prompt);
  const thoughts = isAsked ? words.thoughts(prompt.trim().length, options.random.integer(0, 1)) : "";
  const isHidden = /\bthink secretly\b/i.test(prompt);
  return { reasoning: isHidden ? "" : thoughts, hidden: isHidden ? thoughts : "", text };
}

/** Names the subject that was drawn for the words, or the subjects that can be drawn. */
export function drawnOf(prompt: string, words: DemoWords): string {
  const subject = subjectOf(prompt);
  return subject === undefined
    ? words.notDrawn(words.join(subjectNames.map((name) => words.subjects[name])))
    : words.drawn(words.subjects[subject]);
}

function textFor(prompt: string, { tools, random, images, attached }: FreeTextOptions, words: DemoWords): string {
  const { introduction, filler } = words;
  if (images.length > 0) {
    const files = attached.map(({ label, text }) => `\n\n${explainFile(pathInLabel(label), text, words)}`).join("");
    return `${words.imagesGiven(words.join(images.map(describeImage)))} ${introduction}${files}`;
  }
  const [, count] = /\b(\d{1,4}) paragraphs?\b/i.exec(prompt) ?? [];
  if (count !== undefined) return paragraphs(Math.min(Number(count), maxParagraphs), random, filler);
  const isLong = (line: string): boolean =>
    hasInOrder(line, /\blong\b/i, /\b(?:answer|text|story)\b/i) || hasInOrder(line, /长/, /回答|文字|故事/);
  if (prompt.split("\n").some(isLong)) return longMarkdown(random, 6, filler);
  if (/\bmarkdown\b/i.test(prompt)) return longMarkdown(random, 1, filler);
  if (hasInOrder(prompt, /\bconnect\b/i, /\bgateway\b/i) || hasInOrder(prompt, /连接/, /网关/)) return words.connecting;
  const [file] = attached;
  if (file !== undefined) {
    const asksWhat = /\b(?:explain|summari[sz]e|describe|review|what|how|about)\b|解释|总结|说明|什么/i.test(prompt);
    if (asksWhat) return attached.map(({ label, text }) => explainFile(pathInLabel(label), text, words)).join("\n\n");
    const files = attached.map(({ label, lines }) => words.fileOf(`\`${label}\``, lines));
    return `${words.filesGiven(words.join(files))} ${introduction}`;
  }
  // A prompt that is not understood gets one line; the list is for people who ask for help.
  const asksForHelp =
    prompt.trim().length < 12 ||
    /\bhelp\b|\bwho are you\b|\bwhat can you\b|\bwhat do you\b|你是谁|帮助|能做什么|可以做什么/i.test(prompt);
  if (asksForHelp) return `${introduction}\n\n${suggestions(tools, words)}`;
  return `${words.notUnderstood} ${tools.length === 0 ? words.shortly.without : words.shortly.withTools}`;
}

function suggestions(tools: readonly DeclaredTool[], { suggestions: said }: DemoWords): string {
  return `${tools.length === 0 ? said.without : said.withTools}\n${said.always}`;
}

// Describes the text of a file by rules, in linear time: its language, first comment or title, definitions and imports, and TODO marks.

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

/** `result`: the result of a tool such as `read_file`, with the tool's notes after the text. The tool may be that of any client. */
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

/** The module that an import names, quoted or as a word. */
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

/** Makes a code span of a file's text, so that it is not read as Markdown. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").trim()}\``;
}

/** A sentence of the long texts, whose headings, lists, tables, code and paragraphs are made of fixed phrases, chosen by seed. */
function sentence(random: SeededRandom, words: FillerWords): string {
  const { subjects, deeds, objects, ends } = words;
  return words.sentence(random.pick(subjects), random.pick(deeds), random.pick(objects), random.pick(ends));
}

function paragraph(random: SeededRandom, words: FillerWords): string {
  return Array.from({ length: random.integer(3, 6) }, () => sentence(random, words)).join(words.blank);
}

function paragraphs(count: number, random: SeededRandom, words: FillerWords): string {
  return Array.from({ length: count }, () => paragraph(random, words)).join("\n\n");
}

/** Each section has a paragraph, a list, a table, code and a quotation. */
function longMarkdown(random: SeededRandom, sections: number, words: FillerWords): string {
  const { title, headings, subjects, end } = words;
  const parts = [`# ${title}`, paragraph(random, words)];
  for (let section = 1; section <= sections; section += 1) {
    parts.push(`## ${section}. ${random.pick(subjects)}`, paragraph(random, words));
    parts.push(`### ${headings.look}`, list(random, words), `### ${headings.numbers}`, table(random, words));
    parts.push(`### ${headings.code}`, codeBlock(random), `> ${sentence(random, words)}`, paragraph(random, words));
  }
  parts.push("---", end);
  return parts.join("\n\n");
}

function list(random: SeededRandom, words: FillerWords): string {
  const items = Array.from({ length: 4 }, (_, index) => {
    const inner = index === 1 ? `\n   - ${sentence(random, words)}\n   - ${words.inner}` : "";
    return `${index + 1}. **${random.pick(words.objects)}**: ${sentence(random, words)}${inner}`;
  });
  const [done, open] = words.ticks;
  return [...items, "", `- [x] ${done}`, `- [ ] ${open}`].join("\n");
}

function table(random: SeededRandom, { columns, gate, states }: FillerWords): string {
  const rows = Array.from({ length: 4 }, (_, index) => {
    const level = random.between(0.4, 4.2).toFixed(2);
    return `| ${gate} ${index + 1} | ${level} m | ${random.integer(10, 900)} | ${random.pick(states)} |`;
  });
  return [`| ${columns.join(" | ")} |`, "|:--|--:|--:|:-:|", ...rows].join("\n");
}

function codeBlock(random: SeededRandom): string {
  const limit = random.integer(2, 9);
  return [
    "```ts",
    "interface Gate {",
    "  readonly level: number; // metres",
    "  readonly open: boolean;",
    "}",
    "",
    `/** Opens when the water stands higher than ${limit} m. */`,
    "export function step(gate: Gate, inflow: number): Gate {",
    "  const level = Math.max(0, gate.level + inflow - (gate.open ? 0.5 : 0));",
    `  return { level, open: level > ${limit} };`,
    "}",
    "```",
  ].join("\n");
}
