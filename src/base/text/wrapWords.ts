/** Breaks a text into lines for a list whose rows have one line each. */

const wide = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef";
/** Punctuation that never begins a line. */
const closing = "\u3001\u3002\u300b\u300d\u300f\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u201d";
/** A wide character or a word, with the punctuation behind it; or the blanks between words. */
const pieces = new RegExp(`(?:[${wide}]|[^\\s${wide}]+)[${closing}]*|\\s+`, "gu");
const wideCharacters = new RegExp(`[${wide}]`, "gu");
const columnsOf = (text: string): number => text.length + (text.match(wideCharacters)?.length ?? 0);

/** `width` counts columns; an East Asian character takes two. A word that is longer than a line is broken. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const piece of text.match(pieces) ?? []) {
    const columns = columnsOf(piece);
    if (used + columns > width) {
      if (line.trim() !== "") lines.push(line.trim());
      [line, used] = ["", 0];
    }
    if (used === 0 && piece.trim() === "") continue;
    let rest = piece;
    for (; rest.length > width; rest = rest.slice(width)) lines.push(rest.slice(0, width));
    line += rest;
    used += columnsOf(rest);
  }
  if (line.trim() !== "") lines.push(line.trim());
  return lines;
}
