/** A long chat is sent to its page in pieces, the newest first: each begins with a person's message or task, so that hardly any turn is cut. Pure. */
import type { Chat, Entry } from "../../domain/chat/chat";

/** Where a piece is full: entries, or characters of their text. */
const limits = { entries: 60, characters: 300_000 };

export interface EntriesPage {
  readonly entries: readonly Entry[];
  /** How many entries of the chat come before them. */
  readonly older: number;
}

/** The entries before the one of that id, as many as fit, and as far as `until`; the newest without one. */
export function entriesPage({ entries }: Chat, before?: string, until?: string): EntriesPage {
  const end = before === undefined ? entries.length : entries.findLastIndex(({ id }) => id === before);
  if (end < 0) return { entries: [], older: 0 };
  const wanted = until === undefined ? -1 : entries.findIndex(({ id }) => id === until);
  let start = end;
  let characters = 0;
  while (start > 0) {
    const isFull = end - start >= limits.entries || characters >= limits.characters;
    const isEnough = isFull && (wanted < 0 || start <= wanted);
    if (isEnough && !("blocks" in (entries[start] ?? {}))) break;
    start -= 1;
    characters += lengthOf(entries[start]);
  }
  return { entries: entries.slice(start, end), older: start };
}

function lengthOf(entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  if (!("blocks" in entry)) return entry.text.length;
  return entry.blocks.reduce((sum, block) => sum + ("text" in block ? block.text.length : 1000), 0);
}
