/** Rows of CSV (RFC 4180) that are safe to open in a spreadsheet. */
import { unseenCharacters } from "./revealHidden";

export type CsvCell = string | number | undefined;

/** One record with its CRLF. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

const formula = new RegExp(String.raw`^[\s${unseenCharacters}]*[=+\-@\t\r＝＋－＠]`, "u");

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text. Spreadsheets drop control characters
 * in front of it, and some read the signs in full width as well.
 */
function csvCell(cell: CsvCell): string {
  if (cell === undefined) return "";
  const text = String(cell);
  const safe = typeof cell === "string" && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
