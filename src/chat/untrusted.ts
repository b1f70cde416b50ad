/**
 * Finds text in the next request that others may have written (untrusted): no rule applies to what instructions in it may ask for (A4). Computed
 * from the entries as they are sent, so it is the same after a reload, and ends when the text is no longer part of requests. Pure.
 */
import type { Block, Chat, Entry } from "../domain/chat/chat";
import { isSent, sentEntries } from "./sentEntries";

/** The source of the newest such text, as shown to the person; `undefined` when there is none. */
export function untrustedSent(chat: Pick<Chat, "entries">): string | undefined {
  const { summary, entries } = sentEntries(chat);
  return untrustedIn(entries) ?? summary?.untrusted;
}

/** The same for these entries, as far as they are sent. */
export function untrustedIn(entries: readonly Entry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    const untrusted = isSent(entry) ? untrustedOf(entry) : undefined;
    if (untrusted !== undefined) return untrusted;
  }
  return undefined;
}

function untrustedOf(entry: Entry): string | undefined {
  return entry.untrusted ?? sourcesOf(entry).findLast((source) => source !== undefined);
}

function sourcesOf(entry: Entry): readonly (string | undefined)[] {
  if (entry.type === "user")
    return (entry.attachments ?? []).map((one) => ("untrusted" in one ? one.untrusted : undefined));
  return entry.type === "answer" ? entry.blocks.map(sourceOf) : [];
}

function sourceOf(block: Block): string | undefined {
  // The service may search the web without a tool call of the chat: the answer cites the pages that the model has read, or has only their text.
  if (block.type === "citation") return block.url;
  if (block.type === "opaque") return block.read;
  return block.type === "tool-call" && "untrusted" in block.progress ? block.progress.untrusted : undefined;
}
