/** Markers in place of characters that can't be seen, for text that a person approves: hidden and blank-looking characters, runs of blanks. */
import { t } from "@vscode/l10n";
import { stackedMarks, unseenCharacters, unusualSpaces } from "../base/text/revealHidden";
import { plural } from "../domain/words/plural";

/** A label that is shown in place of characters of the text. */
export interface Marker {
  /** Such as `⟨U+202E⟩`. */
  readonly shown: string;
  /** Their name, as tooltip and for screen readers. */
  readonly name: string;
  /** Hidden characters are drawn as a warning, blanks faintly. */
  readonly kind: "hidden" | "blank";
}

export type RevealedPart = string | Marker;

/** The number of blanks in a row that stay as they are; more become one marker with their number. */
const maxBlanksLength = 8;
/** The columns of an indent that stays as it is. */
const maxIndentLength = 80;
/** Width of a tab on the page. */
const tabColumns = 4;

/** Carriage returns count as hidden, because a line comes without its ending. Joiners and selectors do too: a person approves the text. */
const hidden = new RegExp(String.raw`((?![\t\n])[${unseenCharacters}${unusualSpaces}])\1*|${stackedMarks}+`, "gu");

/** Right-to-left words with the blanks between them, as the one group of a `split`. */
export const rightToLeft =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*)/u;

const names: Readonly<Record<string, () => string>> = {
  "\0": () => t("null character"),
  "\b": () => t("backspace"),
  "\r": () => t("carriage return"),
  "\u001b": () => t("escape character"),
  "\u00a0": () => t("no-break space"),
  "\u00ad": () => t("soft hyphen"),
  "\u200b": () => t("zero-width space"),
  "\u200c": () => t("zero-width non-joiner"),
  "\u200d": () => t("zero-width joiner"),
  "\u202e": () => t("right-to-left override"),
  "\u2028": () => t("line separator"),
  "\u2029": () => t("paragraph separator"),
  "\u2800": () => t("blank braille pattern"),
  "\ufeff": () => t("byte order mark"),
};

/** One line of code or of arguments, without its line ending. `continued`: an earlier part began the line, so its blanks are no indent. */
export function revealLine(line: string, continued = false): RevealedPart[] {
  const indent = continued ? 0 : line.length - line.trimStart().length;
  const blanks = /(?<![ \t])[ \t]*$/.exec(line)?.index ?? line.length;
  const start = Math.min(indent, blanks);
  const parts = [...revealIndent(line.slice(0, start)), ...revealInside(line.slice(start, blanks))];
  return blanks === line.length ? parts : [...parts, trailing(line.slice(blanks))];
}

/** The whole text, of one or several lines, with markers in it. */
export function revealAll(text: string): string {
  return text.replace(hidden, (found) => describeHidden(found).shown);
}

/**
 * The same for a name or title, where line breaks and tabs become markers too. Right-to-left words are isolated: text after
 * such a name would otherwise be drawn before it.
 */
export function revealName(name: string): string {
  return revealAll(name)
    .replace(/[\t\n]/g, (found) => `⟨U+${codeOf(found)}⟩`)
    .split(rightToLeft)
    .map((run, index) => (index % 2 === 1 ? `\u2068${run}\u2069` : run))
    .join("");
}

function revealIndent(indent: string): RevealedPart[] {
  const columns = indent.length + (indent.split("\t").length - 1) * (tabColumns - 1);
  return /^[ \t]*$/.test(indent) && columns <= maxIndentLength ? [indent].filter(Boolean) : revealInside(indent);
}

function revealInside(text: string): RevealedPart[] {
  return split(text, /[ \t]{9,}|\t/g, (found) => (found === "\t" ? tab() : countBlanks(found))).flatMap((part) =>
    typeof part === "string" ? split(part, hidden, describeHidden) : [part],
  );
}

function trailing(blanks: string): Marker {
  if (blanks.length > maxBlanksLength) return countBlanks(blanks);
  const shown = blanks.replaceAll(" ", "·").replaceAll("\t", "→");
  return {
    shown,
    name: plural(blanks.length, { one: "1 blank at the end of the line", other: "{0} blanks at the end of the line" }),
    kind: "blank",
  };
}

function countBlanks(blanks: string): Marker {
  return {
    shown: `·····⟨${plural(blanks.length, { one: "1 blank", other: "{0} blanks" })}⟩`,
    name: plural(blanks.length, { one: "1 blank", other: "{0} blanks" }),
    kind: "blank",
  };
}

function tab(): Marker {
  return { shown: "→", name: t("tab"), kind: "blank" };
}

function describeHidden(found: string): Marker {
  const [first = ""] = found;
  const code = `U+${codeOf(first)}`;
  const characters = Array.from(found);
  const count = characters.length;
  if (characters.some((character) => character !== first)) {
    const shown = `⟨${plural(count, { other: "{0} marks" })}⟩`;
    return { shown, name: plural(count, { other: "{0} combining marks" }), kind: "hidden" };
  }
  const name = `${names[first]?.() ?? t("hidden character")} ${code}`;
  if (count === 1) return { shown: `⟨${code}⟩`, name, kind: "hidden" };
  return {
    shown: `⟨${code} ×${count}⟩`,
    name: plural(count, { other: "{0}, {1} times" }, name, count),
    kind: "hidden",
  };
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** The text in parts, each match replaced by a marker. */
function split(text: string, pattern: RegExp, replace: (found: string) => Marker): RevealedPart[] {
  const parts: RevealedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(replace(match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
