/** Where the sources of a notebook's cells stand in its JSON, and how their lines are written there. One pass without recursion; the text is JSON that was parsed. */

/** Offsets of a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Container {
  readonly isList: boolean;
  /** Of the member that is read; of a list its index. */
  key: string;
  index: number;
  /** In an object, the next text is a key. */
  isAtKey: boolean;
}

/** By the index of the cell; of a member that is there twice the last one counts, as for the parser. */
export function findSources(text: string): ReadonlyMap<number, Span> {
  const found = new Map<number, Span>();
  const stack: Container[] = [];
  let open: { readonly depth: number; readonly cell: number; readonly start: number } | undefined;
  let at = 0;
  while (at < text.length) {
    const one = text.charAt(at);
    const inside = stack.at(-1);
    const start = at;
    if (one === '"') {
      at = stringEnd(text, at);
      if (inside?.isAtKey) {
        // Only keys near the root are looked at.
        inside.key = stack.length <= 3 ? (JSON.parse(text.slice(start, at)) as string) : "";
        inside.isAtKey = false;
        continue;
      }
      const cell = cellOf(stack);
      if (cell !== undefined) found.set(cell, { start, end: at });
      continue;
    }
    at += 1;
    if (one === "{" || one === "[") {
      const cell = cellOf(stack);
      if (cell !== undefined) open = { depth: stack.length, cell, start };
      stack.push({ isList: one === "[", key: "", index: 0, isAtKey: one === "{" });
    } else if (one === "}" || one === "]") {
      stack.pop();
      if (open?.depth === stack.length) {
        found.set(open.cell, { start: open.start, end: at });
        open = undefined;
      }
    } else if (one === "," && inside) {
      if (inside.isList) inside.index += 1;
      else inside.isAtKey = true;
    }
  }
  return found;
}

/** Where the value of `cells[index].source` begins, the index. */
function cellOf(stack: readonly Container[]): number | undefined {
  if (stack.length !== 3) return undefined;
  const [root, cells, cell] = stack;
  const isThere = root?.isList === false && root.key === "cells" && cells?.isList === true;
  return isThere && cell?.isList === false && cell.key === "source" ? cells.index : undefined;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** The source as JSON in the way of `before`: a text or a list of lines with its blanks, and each line that stays as it was written. */
export function writeSource(source: string, before: string, isAscii: boolean): string {
  const write = (value: string): string => {
    const json = JSON.stringify(value);
    return isAscii ? json.replaceAll(/[\u0080-\uffff]/g, escaped) : json;
  };
  if (before.startsWith('"')) return write(source);
  const items = itemsOf(before);
  const known = new Map(items.map((item) => [JSON.parse(item) as string, item]));
  const [lead = ""] = /^\[(\s*)/.exec(before)?.slice(1) ?? [];
  const inner = before.slice(0, -1);
  const tail = items.length === 0 ? "" : inner.slice(inner.trimEnd().length);
  const lines = source === "" ? [] : source.split(/(?<=\n)/);
  if (lines.length === 0) return "[]";
  // An empty list says nothing of how lines are written.
  const gap = lead === "" && items.length > 1 ? between(before, items) : lead;
  return `[${lead}${lines.map((line) => known.get(line) ?? write(line)).join(`,${gap}`)}${tail}]`;
}

function escaped(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The items of a list of texts, as they are written. */
function itemsOf(list: string): readonly string[] {
  const items: string[] = [];
  for (let at = list.indexOf('"'); at >= 0;) {
    const end = stringEnd(list, at);
    items.push(list.slice(at, end));
    at = list.indexOf('"', end);
  }
  return items;
}

/** The blanks behind the first comma. */
function between(list: string, [first = ""]: readonly string[]): string {
  return /^\s*,(\s*)/.exec(list.slice(list.indexOf(first) + first.length))?.[1] ?? "";
}
