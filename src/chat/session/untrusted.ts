/**
 * Finds text in the next request that others may have written (untrusted): no rule applies to what instructions in it may ask for (A4). Computed
 * from the entries as they are sent, so it is the same after a reload, and ends when the text is no longer part of requests. Pure.
 */
import type { Block, Chat, Entry } from "../../domain/chat/chat";
import type { ReadUntrusted } from "../approval/guard";
import { isSent, sentEntries } from "../request/sentEntries";

/** `undefined` when there is none. */
export function readUntrusted(chat: Pick<Chat, "entries">): ReadUntrusted | undefined {
  const source = untrustedSent(chat);
  if (source === undefined) return undefined;
  const { summary, entries } = sentEntries(chat);
  const packages = entries.filter(isSent).flatMap(packagesOf);
  const known = packages.filter((folder) => folder !== undefined);
  const areAll = summary?.untrusted === undefined && known.length > 0 && known.length === packages.length;
  return { source, ...(areAll ? { packages: [...new Set(known)] } : {}) };
}

/** The source of the newest such text, as shown to the person; `undefined` when there is none. */
export function untrustedSent(chat: Pick<Chat, "entries">): string | undefined {
  const { summary, entries } = sentEntries(chat);
  return untrustedIn(entries) ?? summary?.untrusted;
}

/** The source of the newest such text in these entries, as far as they are sent. */
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
  if (entry.type === "user") {
    const attached = (entry.attachments ?? []).map((one) => ("untrusted" in one ? one.untrusted : undefined));
    return [entry.started?.untrusted, ...attached];
  }
  return entry.type === "answer" ? entry.blocks.map(sourceOf) : [];
}

function sourceOf(block: Block): string | undefined {
  // The service may search the web without a tool call of the chat: the answer cites the pages that the model has read, or has only their text.
  if (block.type === "citation") return block.url;
  if (block.type === "opaque") return block.read;
  return block.type === "tool-call" && "untrusted" in block.progress ? block.progress.untrusted : undefined;
}

const packageFolder = /^(?:.*\/)?(?:node_modules|bower_components|site-packages|vendor|Pods)(?=\/)/u;

/** For each untrusted text in the entry: the folder of packages that it was read from, `undefined` where it is from elsewhere. */
function packagesOf(entry: Entry): readonly (string | undefined)[] {
  if (entry.type !== "answer" || entry.untrusted !== undefined)
    return untrustedOf(entry) === undefined ? [] : [undefined];
  return entry.blocks.flatMap((block) => {
    if (sourceOf(block) === undefined) return [];
    // Only this action has a result that is from one file as a whole.
    const isFile =
      block.type === "tool-call" && "action" in block.progress && block.progress.action.type === "read-file";
    return [isFile ? packageFolder.exec(sourceOf(block) ?? "")?.[0] : undefined];
  });
}
