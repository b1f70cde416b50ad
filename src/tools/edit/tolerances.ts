/** The differences between the text of a model and that of a file with which the same place is meant: one table, the least difference first. Pure. */
import type { Repair } from "../../domain/chat/chat";

/** The old and the new text of an edit, as the model wrote them. */
export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
}

/** Lines are the same when their keys are. */
export interface Tolerance {
  readonly key: (line: string) => string;
  /** Blank lines may be missing on either side. */
  readonly skipsBlank: boolean;
}

export const tolerances: readonly Tolerance[] = [
  { key: (line) => line, skipsBlank: false },
  { key: (line) => line.trimEnd(), skipsBlank: false },
  { key: (line) => line.trim(), skipsBlank: false },
  { key: (line) => plainCharacters(line.trim()), skipsBlank: false },
  { key: (line) => plainCharacters(line.trim()), skipsBlank: true },
  { key: (line) => plainCharacters(line.replace(/\s+/g, "")), skipsBlank: true },
];

/** Quotes and dashes of typography, and the characters that are typed for them: one for one, so that offsets stay. */
const typed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from("‘’‚‛′", (sign) => [sign, "'"])),
  ...Object.fromEntries(Array.from("“”„‟″", (sign) => [sign, '"'])),
  ...Object.fromEntries(Array.from("‐‑‒–—−", (sign) => [sign, "-"])),
};
/** The keys of `typed`. */
const typographic = /[‘’‚‛′“”„‟″‐‑‒–—−]/g;

/** Replaces typographic characters by those that are typed; where `only` is given, by no others than these. */
export function plainCharacters(text: string, only?: ReadonlySet<string>): string {
  return text.replace(typographic, (sign) => {
    const its = typed[sign] ?? sign;
    return only === undefined || only.has(its) ? its : sign;
  });
}

/** A way to read the texts of a call: a mistake of escaping is made in all of them. */
export interface Reading {
  readonly repair?: Repair;
  /** `undefined` where the text can't be read so. */
  readonly read: (wanted: TextReplacement) => TextReplacement | undefined;
}

export const readings: readonly Reading[] = [
  { read: (wanted) => wanted },
  { repair: "entities", read: ({ oldText, newText }) => ({ oldText: decoded(oldText), newText: decoded(newText) }) },
  { repair: "escapes", read: unescaped },
];

const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  "#39": "'",
  "#x27": "'",
  "#34": '"',
  "#x22": '"',
  "#60": "<",
  "#62": ">",
  "#38": "&",
};

function decoded(text: string): string {
  return text.replace(/&(#?\w{2,5});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

/** Reads line ends that were escaped once too often. In a text that has real ones too, an escape may be meant. */
function unescaped({ oldText, newText }: TextReplacement): TextReplacement | undefined {
  if (!oldText.includes("\\n") || /[\r\n]/.test(oldText + newText)) return undefined;
  // A text that was escaped as a whole, as by JSON, has a backslash before each quote and before each backslash.
  const all = oldText + newText;
  const isWhole = /\\[\\"]/.test(all) && !/(?<!\\)(?:\\\\)*(?:"|\\[^\\"nrt])/.test(all);
  const read = isWhole ? asJson : withLineEnds(oldText.includes("\\r\\n"));
  const [old, now] = [read(oldText), read(newText)];
  // A line end in a quoted text would break it, because its quotes would be on two lines.
  const isBroken = !isWhole && now.split("\n").some(hasOpenQuote);
  // Where another escape is new, as in a pattern, that of a line end may be meant as it is written.
  const isPattern = !isWhole && countEscapes(now) > countEscapes(old);
  return isBroken || isPattern ? undefined : { oldText: old, newText: now };
}

function countEscapes(text: string): number {
  return text.match(/\\[a-z]/gi)?.length ?? 0;
}

function hasOpenQuote(line: string): boolean {
  return ['"', "'", "`"].some((quote) => (line.split(quote).length - 1) % 2 === 1);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function asJson(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign);
}

/** Unescapes line ends and leading tabs: a tab within a line may be meant as it is written. */
const withLineEnds = (isWindows: boolean) => (text: string) => {
  const lines = text.replaceAll(isWindows ? "\\r\\n" : "\\n", "\n");
  return lines.replace(/^(?:\\t)+/gm, (tabs) => "\t".repeat(tabs.length / 2));
};
