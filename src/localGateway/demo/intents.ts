/** What a prompt asks for, as far as rules can tell: the steps that need a tool, in the order in which they are told. */
import { definedFields } from "../../base/definedFields";
import { type Masked, maskQuotes, objectsIn, pathsIn, quotesIn, unmask } from "./words";

export type Step =
  | { readonly kind: "read"; readonly paths: readonly string[]; readonly from?: number; readonly to?: number }
  | { readonly kind: "list"; readonly path?: string }
  | { readonly kind: "find"; readonly text: string; readonly path?: string }
  | { readonly kind: "replace"; readonly old: string; readonly replacement: string; readonly path?: string }
  | { readonly kind: "run"; readonly command: string }
  /** A declared tool called by its name, with quoted texts for one call, or JSON objects for one each. */
  | {
      readonly kind: "named";
      readonly tool: string;
      readonly jsons: readonly string[];
      readonly texts: readonly string[];
    };

const verbs =
  "read|open|show|view|explain|summari[sz]e|describe|review|list|find|search|grep|look|locate|where|replace|change|rename|substitute|edit|run|execute|call|use|invoke|tell";
const between = new RegExp(
  String.raw`[,;]?\s+(?:and\s+)?(?:then|afterwards|after that)\b[,:]?\s*|;\s*|\n+|[.!?](?:\s+|$)|,?\s+and\s+(?=(?:${verbs})\b)`,
  "iu",
);

/** `toolNames`: a name among them is an order to call it. `lastPath`: what *it* means when the prompt names no file. */
export function readSteps(prompt: string, toolNames: readonly string[], lastPath?: string): readonly Step[] {
  const { text, pieces, raw } = maskQuotes(prompt);
  const steps: Step[] = [];
  let path = lastPath;
  for (const clause of text.split(between)) {
    const part = clause.trim();
    const step = readNamed(part, { pieces, raw }, toolNames) ?? readStep(part, pieces, path);
    if (step === undefined) continue;
    steps.push(step);
    path = pathOf(step) ?? path;
  }
  return steps;
}

export function pathOf(step: Step): string | undefined {
  if (step.kind === "read") return step.paths.at(-1);
  return step.kind === "replace" || step.kind === "find" ? step.path : undefined;
}

function readStep(clause: string, pieces: readonly string[], lastPath: string | undefined): Step | undefined {
  if (clause === "") return undefined;
  return (
    readRun(clause, pieces) ??
    readReplace(clause, pieces, lastPath) ??
    readList(clause, pieces) ??
    readFind(clause, pieces) ??
    readRead(clause, pieces, lastPath)
  );
}

function readNamed(
  clause: string,
  { pieces, raw }: Pick<Masked, "pieces" | "raw">,
  toolNames: readonly string[],
): Step | undefined {
  if (!/\b(call|use|invoke)\b/i.test(clause)) return undefined;
  const plain = unmask(clause, pieces);
  const tool = toolNames.find((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(plain));
  if (tool === undefined) return undefined;
  const jsons = objectsIn(unmask(clause, raw));
  const texts = quotesIn(clause, pieces).filter((piece) => piece !== tool && !jsons.includes(piece));
  return { kind: "named", tool, jsons, texts };
}

function readRun(clause: string, pieces: readonly string[]): Step | undefined {
  if (!/\b(run|execute)\b/i.test(clause)) return undefined;
  const [command] = quotesIn(clause, pieces);
  return command === undefined ? undefined : { kind: "run", command };
}

const replaceVerb = /\b(?:replace|change|rename|substitute|swap|edit)\b/i;
const replaceForm =
  /\b(?:replace|change|rename|substitute|swap)\s+(.+?)\s+(?:with|to|by|into|->|→)\s+(.+?)(?:\s+in\s+\S+)?$/i;

function readReplace(clause: string, pieces: readonly string[], lastPath: string | undefined): Step | undefined {
  if (!replaceVerb.test(clause)) return undefined;
  const paths = pathsIn(clause, pieces);
  const path = paths.at(-1) ?? lastPath;
  const [old, replacement] = replacementOf(clause, pieces, paths);
  if (old === undefined || replacement === undefined) return undefined;
  return { kind: "replace", old, replacement, ...definedFields({ path }) };
}

/** Quoted texts first; without them the words on both sides of *with* or *to*. */
function replacementOf(
  clause: string,
  pieces: readonly string[],
  paths: readonly string[],
): readonly (string | undefined)[] {
  const quotes = quotesIn(clause, pieces);
  const texts = quotes.length > 2 ? quotes.filter((piece) => !paths.includes(piece)) : quotes;
  if (texts.length >= 2) return [texts[0], texts[1]];
  const [, old, replacement] = replaceForm.exec(clause) ?? [];
  if (old === undefined || replacement === undefined) return [];
  const plain = (part: string): string => unmask(part, pieces).replace(/^(?:the\s+)?(?:word|text|string|line)\s+/i, "");
  return [plain(old), plain(replacement)];
}

const listForm =
  /\b(?:list|which|what|show|see)\b.*\b(?:files?|folders?|director(?:y|ies)|workspace|project)\b|\blist\s+\S*\//i;

function readList(clause: string, pieces: readonly string[]): Step | undefined {
  if (!listForm.test(clause)) return undefined;
  const paths = pathsIn(clause, pieces);
  // *Show the file src/app.ts* is about its text, not about its name.
  if (paths.some((path) => /\.[A-Za-z0-9]+$/.test(path))) return undefined;
  const path = paths[0]?.replace(/(.)[\\/]$/, "$1");
  return { kind: "list", ...definedFields({ path }) };
}

const findForm = /\b(?:find|search(?:\s+for)?|grep(?:\s+for)?|look\s+for|locate|where\s+(?:is|are|do|does))\s+(.+)$/i;
const findFillers =
  /^(?:for|all|every|the|any|each|places?|where|word|text|string|usages?|uses?|occurrences?|mentions?|of|in the workspace for)\s+/i;

function readFind(clause: string, pieces: readonly string[]): Step | undefined {
  const rest = findForm.exec(clause)?.[1];
  if (rest === undefined) return undefined;
  const [, place] = /\s(?:in|inside|under|within|of)\s+(\S+)$/i.exec(rest) ?? [];
  const path = place === undefined ? undefined : pathsIn(place, pieces)[0];
  const quote = quotesIn(rest, pieces).find((piece) => piece !== path);
  const text = quote ?? firstWord(rest, pieces);
  if (text === "") return undefined;
  return { kind: "find", text, ...definedFields({ path }) };
}

function firstWord(rest: string, pieces: readonly string[]): string {
  let words = rest;
  while (findFillers.test(words)) words = words.replace(findFillers, "");
  return unmask(words.split(/\s+/)[0] ?? "", pieces).replace(/[.,:?!]+$/, "");
}

const readForm =
  /\b(?:read|open|show|view|cat|explain|summari[sz]e|describe|review|look at|what(?:'s|’s| is| does| are)?|tell me about|how does)\b/i;
const itForm =
  /\b(?:read|open|show|view|explain|summari[sz]e|describe|review)\s+(?:it|this file|that file|the file)\b/i;
const linesForm = /\blines?\s+(\d+)(?:\s*(?:to|-|–|through|until|and)\s*(\d+))?/i;

function readRead(clause: string, pieces: readonly string[], lastPath: string | undefined): Step | undefined {
  const named = readForm.test(clause) ? pathsIn(clause, pieces) : [];
  const paths = named.length === 0 && lastPath !== undefined && itForm.test(clause) ? [lastPath] : named;
  if (paths.length === 0) return undefined;
  const lines = linesForm.exec(clause);
  if (lines === null) return { kind: "read", paths };
  const from = Number(lines[1]);
  return { kind: "read", paths, from, to: Number(lines[2] ?? from) };
}
