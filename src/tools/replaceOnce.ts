/** Finding the one place that an edit means: exact first, then with white space at the lines' ends and beginnings let go. Pure. */
import { ToolRefusal } from "../domain/tool";

/** Rejects with a `ToolRefusal` that shows the text as it stands, so that the model can try again with the truth. */
export function replaceOnce(content: string, oldText: string, newText: string): string {
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  const wanted = withLineEnd(oldText, lineEnd);
  const replacement = withLineEnd(newText, lineEnd);
  if (wanted === replacement) throw new ToolRefusal("old_text and new_text are the same.");
  const first = content.indexOf(wanted);
  if (first >= 0) {
    if (content.includes(wanted, first + 1)) {
      throw new ToolRefusal("old_text stands in the file more than once. Give more lines around it.");
    }
    return content.slice(0, first) + replacement + content.slice(first + wanted.length);
  }
  return replaceLines(content, oldText, newText, lineEnd);
}

function replaceLines(content: string, oldText: string, newText: string, lineEnd: string): string {
  const lines = content.split(lineEnd);
  const wanted = trimmedLines(oldText);
  const starts: number[] = [];
  for (let start = 0; start + wanted.length <= lines.length; start += 1) {
    if (wanted.every((line, index) => lines[start + index]?.trim() === line)) starts.push(start);
  }
  const [start, second] = starts;
  if (second !== undefined)
    throw new ToolRefusal("old_text stands in the file more than once. Give more lines around it.");
  if (start === undefined) throw new ToolRefusal(`old_text does not stand in the file. ${nearest(lines, wanted)}`);
  const indent = indentOf(lines[start] ?? "");
  const given = indentOf(oldText.replace(/^(\s*\n)+/, ""));
  const replacement = newText
    .replace(/\r\n/g, "\n")
    .replace(/^\n|\n$/g, "")
    .split("\n")
    // The file's own indentation counts where the model's was another.
    .map((line) => (line.startsWith(given) ? indent + line.slice(given.length) : line));
  return [...lines.slice(0, start), ...replacement, ...lines.slice(start + wanted.length)].join(lineEnd);
}

function trimmedLines(text: string): string[] {
  const lines = text.split(/\r\n|\n/).map((line) => line.trim());
  while (lines.length > 1 && lines[0] === "") lines.shift();
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The place that has most of the wanted lines, as it stands. */
function nearest(lines: readonly string[], wanted: readonly string[]): string {
  const words = wanted.filter((line) => line !== "");
  let best = { start: 0, score: 0 };
  for (let start = 0; start < lines.length; start += 1) {
    const around = lines.slice(start, start + wanted.length).map((line) => line.trim());
    const score = words.filter((line) => around.includes(line)).length;
    if (score > best.score) best = { start, score };
  }
  const from = Math.max(0, best.start - 3);
  const shown = lines.slice(from, from + Math.min(wanted.length + 6, 60));
  return `The file reads there, from line ${from + 1}:\n${shown.join("\n")}`;
}

function withLineEnd(text: string, lineEnd: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", lineEnd);
}
