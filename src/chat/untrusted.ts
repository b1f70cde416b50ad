/** What the next request would hold that others may have written: instructions in it must not run by a rule (A4). Read from the chat as it is sent, so that it outlives a reload and ends when the text is not sent any more. Pure. */
import type { Block, Chat, Entry } from "../domain/chat/chat";
import { isSent, sentEntries } from "./sentEntries";

/** The newest of it, as shown to the person; `undefined` when all is the project's own and the person's. */
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
  // A model that searches the web without a tool of the chat cites what it has read, or only reads it.
  if (block.type === "citation") return block.url;
  if (block.type === "opaque") return block.read;
  return block.type === "tool-call" && "untrusted" in block.progress ? block.progress.untrusted : undefined;
}
