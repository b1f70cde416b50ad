/** What may differ between the text of a model and that of a file where the same place is meant: one table, the least difference first. Pure. */
import type { Repair } from "../../domain/chat/chat";

/** What a model replaces by what, as it wrote both. */
export interface Replacement {
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
  { key: (line) => plain(line.trim()), skipsBlank: false },
  { key: (line) => plain(line.trim()), skipsBlank: true },
  { key: (line) => plain(line.replace(/\s+/g, "")), skipsBlank: true },
];

/** Quotes and dashes of typography, and the characters that are typed for them: one for one, so that offsets stay. */
const typed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from("‘’‚‛′", (sign) => [sign, "'"])),
  ...Object.fromEntries(Array.from("“”„‟″", (sign) => [sign, '"'])),
  ...Object.fromEntries(Array.from("‐‑‒–—−", (sign) => [sign, "-"])),
};
/** The keys of `typed`. */
const typographic = /[‘’‚‛′“”„‟″‐‑‒–—−]/g;

/** With the characters that are typed, or only with those of them. */
export function plain(text: string, only?: ReadonlySet<string>): string {
  return text.replace(typographic, (sign) => {
    const its = typed[sign] ?? sign;
    return only === undefined || only.has(its) ? its : sign;
  });
}

/** Which of them a model's text has: a mistake of escaping is made in all of a call's text. */
export interface Reading {
  readonly repair?: Repair;
  /** `undefined` where the text can't be read so. */
  readonly read: (wanted: Replacement) => Replacement | undefined;
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

/** Line ends that were escaped once too often. In a text that has real ones too, an escape may be meant. */
function unescaped({ oldText, newText }: Replacement): Replacement | undefined {
  if (!oldText.includes("\\n") || /[\r\n]/.test(oldText + newText)) return undefined;
  // Escaped as a whole, as JSON does: then each quote has a backslash, and a backslash has another one.
  const all = oldText + newText;
  const isWhole = /\\[\\"]/.test(all) && !/(?<!\\)(?:\\\\)*(?:"|\\[^\\"nrt])/.test(all);
  const read = isWhole ? asJson : withLineEnds(oldText.includes("\\r\\n"));
  const [old, now] = [read(oldText), read(newText)];
  // An escape in a quoted text would break it: its quotes would be on two lines.
  const isBroken = !isWhole && now.split("\n").some(hasOpenQuote);
  // Beside another escape that is new, as in a pattern, a line end may be one that is meant as it is written.
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

/** A tab within a line may be meant as it is written. */
const withLineEnds = (isWindows: boolean) => (text: string) => {
  const lines = text.replaceAll(isWindows ? "\\r\\n" : "\\n", "\n");
  return lines.replace(/^(?:\\t)+/gm, (tabs) => "\t".repeat(tabs.length / 2));
};
