/** What the demonstrator says of tool results: it quotes, counts and names, and does not pretend to have understood. */
import * as z from "zod/mini";
import type { SeededRandom } from "./seeded";
import type { CalledTool } from "../chat/conversation";
import { looksLikePath, wordsOf } from "./words";

export interface DoneCall {
  readonly call: CalledTool;
  readonly result: string;
  /** The request says so, beside what the text says. */
  readonly failed: boolean;
}

const declined =
  /^\W*(?:error:\s*)?(?:(?:the\s+)?(?:person|user|call|request|edit|permission)\b[^.\n]{0,40}\b)?(?:declined|denied|rejected|refused|not allowed?|did not allow|didn't allow)\b/i;

function isDeclined({ result }: DoneCall): boolean {
  return declined.test(result);
}

/** Chat completions have no flag for a failed call; its text begins with `Error`. */
function isError({ result, failed }: DoneCall): boolean {
  return failed || /^\s*(?:\{\s*"error"|error\s*:|failed\s*:|the person stopped\b)/i.test(result);
}

export function isFailure(call: DoneCall): boolean {
  return isDeclined(call) || isError(call);
}

/** `left`: steps that were asked for and not begun, because one before them failed. */
export function reportCalls(
  calls: readonly DoneCall[],
  { left, random }: { readonly left: number; readonly random: SeededRandom },
): string {
  const paragraphs = calls.map((call) => reportCall(call, random));
  if (left > 0)
    paragraphs.push(
      left === 1 ? "I stopped here; one step was not begun." : `I stopped here; ${left} steps were not begun.`,
    );
  return paragraphs.join("\n\n");
}

function reportCall(done: DoneCall, random: SeededRandom): string {
  const { call, result } = done;
  const input = readInput(call.arguments);
  const texts = Object.values(input).filter((value) => typeof value === "string");
  const path = texts.find(looksLikePath);
  const words = wordsOf(call.name);
  const has = (...wanted: readonly string[]): boolean => wanted.some((word) => words.includes(word));
  if (isDeclined(done)) return reportDeclined(path, result);
  if (isError(done))
    return `\`${call.name}\` did not work${of(path)}. It says:\n\n${fence(firstLines(result, 8), "text")}`;
  const text = innerText(result);
  if (has("edit", "replace", "patch", "modify", "change", "update", "apply")) return reportEdit(input, path, text);
  if (has("find", "search", "grep")) return reportHits(texts.find((value) => value !== path) ?? "", text);
  if (has("list", "ls", "dir", "tree", "glob")) return reportList(text);
  if (path !== undefined) return reportFile(path, text, random);
  return `\`${call.name}\` answered:\n\n${fence(firstLines(text, 20), "text")}`;
}

function reportDeclined(path: string | undefined, result: string): string {
  const said = /[:"“]\s*([^"”\n]{3,200})/.exec(result)?.[1];
  const subject = path === undefined ? "Nothing was changed" : `\`${path}\` is as it was`;
  return `You did not allow it, so I did not do it. ${subject}.${said === undefined ? "" : `\n\n> ${said.trim()}`}`;
}

function reportEdit(input: Readonly<Record<string, unknown>>, path: string | undefined, text: string): string {
  const [from, to] = Object.values(input)
    .flatMap(textsIn)
    .filter((value) => value !== path);
  const what = from !== undefined && to !== undefined ? ` Where it said ${code(from)} it now says ${code(to)}.` : "";
  const answer = firstLines(text, 3);
  return `The change is made${of(path)}.${what}${answer === "" ? "" : `\n\n> ${answer.split("\n").join("\n> ")}`}`;
}

/** The texts in an argument, also those of `edits: [{old, new}]`. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function reportHits(query: string, text: string): string {
  const lines = shownLines(text);
  const hits = lines.filter((line) => line.toLowerCase().includes(query.toLowerCase()) || /^[^\s:]+:\d+/.test(line));
  if (hits.length === 0)
    return `No place with ${code(query)} was found.${text === "" ? "" : ` The tool says: ${lines[0] ?? ""}`}`;
  const files = new Set(hits.map((line) => /^([^\s:]+):\d+/.exec(line)?.[1]).filter((file) => file !== undefined));
  const where = files.size === 0 ? "" : ` in ${plural(files.size, "file", "files")}`;
  const more = hits.length > 8 ? `\n\nand ${hits.length - 8} more.` : "";
  return `${code(query)} comes up on ${plural(hits.length, "line", "lines")}${where}:\n\n${fence(hits.slice(0, 8).join("\n"), "text")}${more}`;
}

function reportList(text: string): string {
  const names = shownLines(text);
  if (names.length === 0) return "The list is empty.";
  const shown = names.slice(0, 20).map((name) => `- ${code(name.trim())}`);
  const more = names.length > 20 ? `\n\nand ${names.length - 20} more.` : "";
  return `The list has ${plural(names.length, "entry", "entries")}:\n\n${shown.join("\n")}${more}`;
}

const declaration =
  /^\W*(?:\d+\W+)?(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function|class|interface|type|const|enum|def|fn|func|struct)\s+([A-Za-z_$][\w$]*)/;

function reportFile(path: string, text: string, random: SeededRandom): string {
  const lines = text.replace(/\n$/, "").split("\n");
  if (text.trim() === "") return `\`${path}\` is empty.`;
  const names = [...new Set(lines.map((line) => declaration.exec(line)?.[1]).filter((name) => name !== undefined))];
  const todo = lines.filter((line) => /\b(TODO|FIXME)\b/.test(line));
  const opening = random.pick(["What came back", "The answer of the tool", "What I was given"]);
  const found = [
    ...(names.length === 0
      ? []
      : [`It declares ${names.slice(0, 8).map(code).join(", ")}${names.length > 8 ? " and more" : ""}.`]),
    ...(todo.length === 0 ? [] : [`There is something left to do: ${code((todo[0] ?? "").trim())}`]),
  ];
  const parts = [
    `${opening} for \`${path}\` has ${plural(lines.length, "line", "lines")}. It begins:`,
    fence(lines.slice(0, 12).join("\n"), languageOf(path)),
    ...found,
  ];
  return parts.join("\n\n");
}

function readInput(json: string): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Tools that answer with JSON mostly have their text in one of these. */
function innerText(result: string): string {
  const read = z.looseObject({
    content: z.optional(z.string()),
    text: z.optional(z.string()),
    output: z.optional(z.string()),
  });
  try {
    const { content, text, output } = read.parse(JSON.parse(result));
    return content ?? text ?? output ?? result;
  } catch {
    return result;
  }
}

const of = (path: string | undefined): string => (path === undefined ? "" : ` in \`${path}\``);
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const shownLines = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");
const firstLines = (text: string, count: number): string => shownLines(text).slice(0, count).join("\n");

function code(text: string): string {
  const plain = text.replace(/\s+/g, " ").slice(0, 120);
  return plain.includes("`") ? `\`\` ${plain} \`\`` : `\`${plain}\``;
}

/** A fence that no run of backticks inside it can end. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const languages: Readonly<Record<string, string>> = {
  ts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  json: "json",
  md: "markdown",
  py: "python",
  css: "css",
  html: "html",
  sh: "sh",
  yml: "yaml",
  yaml: "yaml",
};

function languageOf(path: string): string {
  return languages[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "text";
}
