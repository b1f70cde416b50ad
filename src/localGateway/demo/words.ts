/** Small readings of text: words of a name, quoted pieces, paths, counts. */

/** `readTextFile`, `read_text_file` and `read-text-file` are all read, text, file. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

const quoted = /```[^\n`]*\n([\s\S]*?)```|`([^`]+)`|"([^"\n]+)"|“([^”\n]+)”|(?<=^|[\s(])'([^'\n]+)'(?=$|[\s.,;:!?)])/g;

export interface Masked {
  /** The text with a mark, `\uE000n\uE001`, in the place of each quoted piece. */
  readonly text: string;
  readonly pieces: readonly string[];
  /** The same pieces with their quotation marks. */
  readonly raw: readonly string[];
}

/** Puts quoted pieces aside, so that what is inside them is not read as an order. */
export function maskQuotes(text: string): Masked {
  const pieces: string[] = [];
  const raw: string[] = [];
  const masked = text.replace(quoted, (...match: readonly unknown[]) => {
    const piece = match.slice(1, 6).find((group) => typeof group === "string");
    raw.push(String(match[0]));
    pieces.push(typeof piece === "string" ? piece : "");
    return `\uE000${pieces.length - 1}\uE001`;
  });
  return { text: masked, pieces, raw };
}

const mark = /\uE000(\d+)\uE001/g;

/** The quoted pieces of a part of a masked text, in order. */
export function quotesIn(part: string, pieces: readonly string[]): readonly string[] {
  return [...part.matchAll(mark)].map(([, index]) => pieces[Number(index)] ?? "");
}

export function unmask(part: string, pieces: readonly string[]): string {
  return part.replace(mark, (_, index: string) => pieces[Number(index)] ?? "");
}

const bareNames = /^(readme|license|makefile|dockerfile|changelog|\.[\w-]+)$/i;
const pathWord =
  /^(?:\.{0,2}[\\/])?(?:[\w@.+-]+[\\/])+[\w@.+-]*$|^[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[a-z][\w.-]*$/;

export function looksLikePath(text: string): boolean {
  if (/\s|:\/\//.test(text) || /^(e\.g|i\.e|etc)\.?$/i.test(text)) return false;
  return pathWord.test(text) || bareNames.test(text);
}

/** Paths in a part of a masked text, quoted or not, each once. */
export function pathsIn(part: string, pieces: readonly string[]): readonly string[] {
  const words = part.split(/[\s,;()]+/).map((word) => {
    const plain = unmask(word, pieces);
    return plain.replace(/^(?:#file:|[#@])(?=.)/, "").replace(/(?:'s)?[.:!?…]*$/, "");
  });
  return [...new Set(words.filter(looksLikePath))];
}

const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function readCount(text: string): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const index = numbers.indexOf(text.toLowerCase());
  return index < 0 ? undefined : index;
}

/** Pieces of a text that begin and end with braces which belong together, strings inside them minded. */
export function objectsIn(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let begin = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (depth > 0 && inText) {
      if (letter === "\\") at += 1;
      else if (letter === '"') inText = false;
    } else if (depth > 0 && letter === '"') inText = true;
    else if (letter === "{") {
      if (depth === 0) begin = at;
      depth += 1;
    } else if (letter === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(begin, at + 1));
    }
  }
  return found;
}
