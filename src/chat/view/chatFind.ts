/** Find in Chat in the host: searches the shown chat for the page's query, and repeats it at most every 300 ms while the chat changes. */
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { ReadonlyStore } from "../../base/store";
import type { ChatSession } from "../session/session";
import { type Chat, type Entry, previewsOf, type ToolCallBlock } from "../../domain/chat/chat";
import type { ChatPageMessage } from "../contract/chatPageContract";
import { TimeSlices } from "../../base/async/timeSlices";
import { findPattern, type FoundEntry, matchesIn } from "../../domain/chat/findPattern";

export interface ChatFindOptions {
  readonly session: ReadonlyStore<Pick<ChatSession, "chat" | "onDidEmit">>;
  readonly clock: Clock;
  readonly post: (message: ChatPageMessage) => void;
}

/** Minimum milliseconds between two searches of a chat that changes. */
const pace = 300;

export class ChatFind implements Disposable {
  readonly #options: ChatFindOptions;
  #search = new AbortController();

  constructor(options: ChatFindOptions) {
    this.#options = options;
  }

  /** Searches the shown chat, and any chat that is shown later, until the next call. An empty query ends the search. */
  ask(query: string): void {
    this.#search.abort();
    this.#search = new AbortController();
    if (query !== "") void this.#run(query, this.#search.signal);
  }

  dispose(): void {
    this.#search.abort();
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    const { session, clock, post } = this.#options;
    const finder = new FindInChat(query);
    try {
      for (;;) {
        const { chat } = session.current;
        const hits = await finder.find(chat, signal);
        post({ type: "chat-found", chat: chat.id, query, hits });
        await this.#changed(chat, signal);
        await clock.delay(pace, signal);
      }
    } catch (failure) {
      if (!isAbort(failure)) throw failure;
    }
  }

  /** Resolves when the chat is no longer that object, or the signal aborts. */
  #changed(chat: Chat, signal: AbortSignal): Promise<void> {
    const { session } = this.#options;
    return new Promise((resolve) => {
      const listening = new DisposableStore();
      const done = (): void => {
        listening.dispose();
        resolve();
      };
      listening.add(session.onDidChange(done));
      listening.add(session.current.onDidEmit(done));
      signal.addEventListener("abort", done, { once: true });
      if (session.current.chat !== chat) done();
    });
  }
}

/** Finds a text in a chat: in prompts, answers, thinking, and the arguments and results of calls. Results of unchanged entries are cached. */
export class FindInChat {
  readonly #pattern: RegExp | undefined;
  readonly #known = new WeakMap<Entry, FoundEntry>();

  constructor(query: string) {
    this.#pattern = findPattern(query);
  }

  /** The entries that contain the text, in order. Rejects with the signal's reason. */
  async find({ entries }: Chat, signal: AbortSignal): Promise<readonly FoundEntry[]> {
    const pattern = this.#pattern;
    if (pattern === undefined) return [];
    const slices = new TimeSlices(signal);
    const found: FoundEntry[] = [];
    for (const entry of entries) {
      const hits = this.#known.get(entry) ?? { entry: entry.id, parts: await countParts(entry, pattern, slices) };
      this.#known.set(entry, hits);
      if (hits.parts.some((count) => count > 0)) found.push(hits);
      if (slices.isSpent) await slices.next();
    }
    return found;
  }
}

/**
 * The id itself where the chat has that entry. Otherwise, for an entry of a replaced branch, the newest one with all words; `undefined` without any.
 */
export function entryToReveal({ entries }: Chat, id: string, words: readonly string[]): string | undefined {
  if (entries.some((entry) => entry.id === id)) return id;
  const patterns = words.flatMap((word) => findPattern(word) ?? []);
  const hasAll = (entry: Entry): boolean => patterns.every((pattern) => hasMatch(entry, pattern));
  return patterns.length === 0 ? undefined : entries.findLast(hasAll)?.id;
}

/** Yields, for each part of an entry, the texts that the page may show for it. It is a generator, because the texts may be long. */
function* partsOf(entry: Entry): Iterable<readonly string[]> {
  if (!("blocks" in entry)) {
    // The prompt of a task is not shown as Markdown.
    yield entry.type === "user" ? [entry.text, unmarked(entry.text)] : [entry.text];
    return;
  }
  for (const block of entry.blocks) {
    if (block.type === "tool-call") yield [textOfCall(block)];
    // Both texts are searched: what looks like a mark of Markdown may be shown as text, as in code.
    else if (block.type === "text" || block.type === "reasoning") yield [block.text, unmarked(block.text)];
  }
}

async function countParts(entry: Entry, pattern: RegExp, slices: TimeSlices): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const texts of partsOf(entry)) {
    counts.push(Math.max(...texts.map((text) => countMatches(text, pattern))));
    if (slices.isSpent) await slices.next();
  }
  return counts;
}

function hasMatch(entry: Entry, pattern: RegExp): boolean {
  for (const texts of partsOf(entry)) if (texts.some((text) => text.search(pattern) >= 0)) return true;
  return false;
}

function countMatches(text: string, pattern: RegExp): number {
  return Array.from(matchesIn(text, pattern)).length;
}

/** The text as the page shows it: the change for a call that waits, otherwise arguments, output and result. */
function textOfCall({ argumentText, progress, output }: ToolCallBlock): string {
  const previews = progress.state === "waiting" ? previewsOf(progress) : [];
  if (previews.length > 0)
    return previews
      .flatMap(({ hunks }) => hunks)
      .flatMap(({ lines }) => lines.map((line) => line.slice(1)))
      .join("\n");
  const texts = ["input" in progress ? JSON.stringify(progress.input, undefined, 2) : argumentText];
  if ("result" in progress) texts.push(progress.result);
  else if (progress.state === "denied") texts.push(progress.note ?? "");
  else if (output !== undefined) texts.push(output.head, output.tail);
  return texts.join("\n");
}

/**
 * Removes the marks that Markdown puts around words, and the addresses of links. The patterns take linear time: none rereads a part of the text from
 * each of its characters.
 */
function unmarked(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, "$1")
    .replace(/^[ \t]*(?:(?:>|[-*+]|\d+[.)]|#{1,6})[ \t]+)+/gm, "")
    .replace(/\\([!-/:-@[-`{-~])|[*`~]+|(?<!\w)_+|(?<!_)_+(?!\w)/g, "$1");
}
