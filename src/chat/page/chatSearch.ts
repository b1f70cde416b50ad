/** Finds in the chat and shows the matches: loads entries that the page lacks, unfolds, scrolls and highlights. The host does the search. */
import { t } from "@vscode/l10n";
import { html, nothing, render } from "lit-html";
import { findPattern, type FoundEntry, maxMatches, matchesIn } from "../../domain/chat/findPattern";
import type { Chat } from "../../domain/chat/chat";
import { plural } from "../../domain/words/plural";
import type { ChatPageMessage } from "../contract/chatPageContract";
import { isMac, consumeKey } from "../../webview/keys";
import type { TranscriptView } from "./transcriptView";
import { type SendToHost, iconButton } from "./shared/controls";
import { type MatchPlace, countPlaces, placeAt, indexOfPlace, indexFrom } from "./foundPlaces";

export interface ChatSearchOptions {
  readonly place: HTMLElement;
  readonly scroller: HTMLElement;
  readonly transcript: TranscriptView;
  readonly send: SendToHost;
  /** Requests the entries back to that one; false when it can't be among the older entries. */
  readonly requestOlder: (until: string) => boolean;
  readonly announce: (sentence: string) => void;
}

type SearchMessage = Extract<ChatPageMessage, { readonly type: "chat-found" | "find-open" | "entry-reveal" }>;

/** A hit of the search over all chats. It stands for the first match in the entry. */
interface HitEntry {
  readonly entry: string;
  readonly part?: undefined;
  readonly occurrence: 0;
}

/** The number of frames in which the scroll position is corrected while rows near the place get their heights. */
const settling = 30;
/** Minimum milliseconds until the highlights follow a change of the rows. A slow highlight waits ten times its own duration. */
const pace = 100;
/** The maximum number of highlighted ranges in one part. */
const maxRanges = 2000;

export class ChatSearch {
  readonly #options: ChatSearchOptions;
  readonly #bar: FindBar;
  readonly #changes = new MutationObserver(() => this.#highlightSoon());
  readonly #messages: SearchMessage[] = [];
  #chat: Chat | undefined;
  #query = "";
  #pattern: RegExp | undefined;
  #hits: readonly FoundEntry[] = [];
  /** The query was sent, and its hits have not arrived. */
  #isAsked = false;
  /** The current match. */
  #place: MatchPlace | HitEntry | undefined;
  /** Whether to scroll to `#place` once its row exists. */
  #isWanted = false;
  /** Whether the view stays at `#place`: no wheel, touch or pointer input has come since the last scroll to it. */
  #isHeld = false;
  /** The id of the last entry at the time when a hit of the search over all chats was shown. A newer entry ends the highlight. */
  #revealedAt: string | undefined;
  #returnTo: Element | null = null;
  #timer: number | undefined;
  #pause = pace;

  constructor(options: ChatSearchOptions) {
    this.#options = options;
    this.#bar = new FindBar(options.place, {
      query: (text) => this.#ask(text),
      step: (by) => this.#step(by),
      close: () => this.#close(),
    });
    document.addEventListener("keydown", (event) => this.#onKeyDown(event));
    for (const type of ["wheel", "touchmove", "pointerdown"])
      options.scroller.addEventListener(type, () => (this.#isHeld = false), { passive: true });
  }

  /** Queues the message for the next `update`, when the rows exist. */
  receive(message: SearchMessage): void {
    this.#messages.push(message);
  }

  /** Must be called after the update of the rows. Returns whether a place is shown or waited for; no other scroll position may replace it. */
  update(chat: Chat): boolean {
    const messages = this.#messages.splice(0);
    const isOther = chat.id !== this.#chat?.id;
    this.#chat = chat;
    const isPast = this.#revealedAt !== undefined && this.#revealedAt !== chat.entries.at(-1)?.id;
    if (isOther || isPast) this.#forget();
    for (const message of messages) {
      if (message.type === "find-open") this.#open();
      else if (message.type === "chat-found") this.#found(message);
      else if (message.chat === chat.id) this.#reveal(message.entry, message.words);
    }
    this.#show();
    return this.#isWanted || messages.some(({ type }) => type === "entry-reveal");
  }

  #open(): void {
    if (this.#revealedAt !== undefined) this.#forget();
    const isNew = !this.#bar.isOpen;
    if (isNew) this.#returnTo = document.activeElement;
    const selected = getSelection()?.toString().trim() ?? "";
    const text = selected === "" || selected.includes("\n") ? this.#query : selected.slice(0, 1000);
    this.#keepRows(() => this.#bar.open(text));
    if (isNew || text !== this.#query) this.#ask(text);
    else this.#draw();
  }

  #close(): void {
    this.#keepRows(() => this.#bar.close());
    this.#options.send({ type: "chat-find", query: "" });
    this.#forget();
    const back = this.#returnTo;
    this.#returnTo = null;
    if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus({ preventScroll: true });
    else this.#options.scroller.focus({ preventScroll: true });
  }

  /** Keeps the rows at their place while `change` alters the padding of the transcript for the bar. */
  #keepRows(change: () => void): void {
    const { scroller } = this.#options;
    const toEnd = scroller.scrollHeight - scroller.scrollTop;
    change();
    scroller.scrollTop = scroller.scrollHeight - toEnd;
  }

  #ask(query: string): void {
    this.#query = query;
    this.#pattern = findPattern(query);
    this.#isAsked = this.#pattern !== undefined;
    this.#options.send({ type: "chat-find", query: query.trim() });
    if (this.#isAsked) return;
    this.#forget();
  }

  #found({ chat, query, hits }: Extract<SearchMessage, { type: "chat-found" }>): void {
    if (chat !== this.#chat?.id || query !== this.#query.trim() || !this.#bar.isOpen) return;
    this.#hits = hits;
    if (this.#isAsked) {
      this.#isAsked = false;
      const ids = this.#chat.entries.map(({ id }) => id);
      this.#goTo(indexFrom(hits, ids, this.#place?.entry ?? this.#options.transcript.top?.entry));
    } else {
      this.#draw();
      this.#highlightSoon();
    }
  }

  #step(by: number): void {
    const count = countPlaces(this.#hits);
    if (count === 0) return;
    const from = this.#index < 0 && by < 0 ? 0 : this.#index;
    this.#goTo((from + by + count) % count);
  }

  /** The index of the current match among all matches; -1 without one. */
  get #index(): number {
    const place = this.#place;
    return place === undefined ? -1 : indexOfPlace(this.#hits, { ...place, part: place.part ?? 0 });
  }

  #goTo(index: number): void {
    this.#place = placeAt(this.#hits, index);
    this.#isWanted = this.#place !== undefined;
    this.#draw();
    const count = countPlaces(this.#hits);
    this.#options.announce(
      count === 0
        ? t("No results for “{0}”", this.#query)
        : plural(count, { other: "{0} of {1} found for “{2}”" }, index + 1, count, this.#query),
    );
    this.#highlight();
    this.#show();
  }

  #reveal(entry: string, words: readonly string[]): void {
    if (this.#bar.isOpen) this.#close();
    this.#pattern = findPattern(...words);
    this.#hits = [{ entry, parts: [] }];
    this.#place = { entry, occurrence: 0 };
    this.#revealedAt = this.#chat?.entries.at(-1)?.id;
    this.#isWanted = true;
    this.#options.scroller.focus({ preventScroll: true });
    this.#show();
  }

  #forget(): void {
    this.#hits = [];
    this.#place = undefined;
    this.#isWanted = false;
    this.#revealedAt = undefined;
    this.#draw();
    this.#highlight();
  }

  #draw(): void {
    const count = countPlaces(this.#hits);
    const isMissing = count === 0 && this.#query.trim() !== "" && !this.#isAsked;
    const at = this.#index < 0 ? "?" : String(this.#index + 1);
    const isCut = this.#hits.some(({ parts }) => parts.some((matches) => matches >= maxMatches));
    const words = isCut ? t("{0} of {1} or more", at, count) : t("{0} of {1}", at, count);
    this.#bar.show(count === 0 ? t("No results") : words, isMissing);
  }

  /** Scrolls to the current match, or requests the entries back to it. */
  #show(): void {
    const place = this.#place;
    if (!this.#isWanted || place === undefined) return;
    const row = this.#options.transcript.reveal(place.entry);
    if (row === undefined) {
      this.#isWanted = this.#options.requestOlder(place.entry);
      return;
    }
    this.#isWanted = false;
    this.#isHeld = true;
    this.#highlight();
    this.#hold(place, row, settling);
  }

  /** Scrolls to the match, and again while nearby rows change their heights, until the person scrolls. */
  #hold(place: MatchPlace | HitEntry, row: HTMLElement, frames: number, range?: Range): void {
    const now = range?.startContainer.isConnected === true && !range.collapsed ? range : this.#current();
    showPlace(now ?? row, this.#options.scroller);
    if (frames === 0) return;
    requestAnimationFrame(() => {
      if (this.#isHeld && this.#place === place && row.isConnected) this.#hold(place, row, frames - 1, now);
    });
  }

  #current(): Range | undefined {
    const { entry, part, occurrence = 0 } = this.#place ?? {};
    const row = this.#options.transcript.loaded.find(([id]) => id === entry)?.[1];
    const pattern = this.#pattern;
    if (row === undefined || pattern === undefined) return undefined;
    const parts = partsOf(row);
    const ranges = (part === undefined ? parts : parts.slice(part, part + 1)).flatMap((one) =>
      rangesIn(one, pattern, occurrence + 1),
    );
    // The page may show fewer matches than the host has found, because of Markdown marks and cut text.
    return ranges[Math.min(occurrence, ranges.length - 1)];
  }

  #highlightSoon(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      this.#highlight();
    }, this.#pause);
  }

  #highlight(): void {
    const begun = performance.now();
    const { highlights } = CSS;
    this.#changes.disconnect();
    highlights.delete("found");
    highlights.delete("found-current");
    const pattern = this.#pattern;
    if (pattern === undefined || this.#hits.length === 0) return;
    const entries = new Set(this.#hits.map(({ entry }) => entry));
    const found = new Highlight();
    for (const [entry, row] of this.#options.transcript.loaded)
      if (entries.has(entry))
        for (const part of partsOf(row)) for (const range of rangesIn(part, pattern, maxRanges)) found.add(range);
    highlights.set("found", found);
    const current = this.#current();
    const top = new Highlight(...(current ? [current] : []));
    top.priority = 1;
    highlights.set("found-current", top);
    this.#pause = Math.max(pace, 10 * (performance.now() - begun));
    this.#changes.observe(this.#options.scroller, { childList: true, characterData: true, subtree: true });
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
    const isFind = key.toLowerCase() === "f" && (isMac ? metaKey && !ctrlKey : ctrlKey) && !altKey && !shiftKey;
    if (isFind) this.#open();
    else if (key === "F3" && this.#bar.isOpen) this.#step(shiftKey ? -1 : 1);
    else {
      const isLeft = key === "Escape" && !event.defaultPrevented && !(event.target instanceof HTMLTextAreaElement);
      if (isLeft && this.#bar.isOpen) this.#close();
      else if (isLeft && this.#revealedAt !== undefined) this.#forget();
      return;
    }
    consumeKey(event);
  }
}

/** The find bar, modelled on VS Code's: field, count, previous, next, close. */
export interface FindBarActions {
  /** Searches for another text. */
  query(text: string): void;
  /** Goes to the next match with 1, to the previous one with -1. */
  step(by: number): void;
  close(): void;
}

class FindBar {
  readonly #place: HTMLElement;
  readonly #actions: FindBarActions;
  #isOpen = false;

  constructor(place: HTMLElement, actions: FindBarActions) {
    this.#place = place;
    this.#actions = actions;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Shows the bar and selects the text in its field. */
  open(text: string): void {
    this.#isOpen = true;
    this.show("", false);
    const field = this.#place.querySelector("input");
    if (field === null) return;
    field.value = text;
    field.focus();
    field.select();
  }

  close(): void {
    this.#isOpen = false;
    render(nothing, this.#place);
  }

  /** `count` is a text such as *3 of 17*. `isMissing`: nothing was found. */
  show(count: string, isMissing: boolean): void {
    if (!this.#isOpen) return;
    const actions = this.#actions;
    render(
      html`<div class="find ${isMissing ? "find-missing" : ""}" role="search" @keydown=${this.#onKeyDown}>
        <input
          type="text"
          placeholder=${t("Find")}
          aria-label=${t("Find in chat")}
          maxlength="1000"
          spellcheck="false"
          @input=${this.#onInput}
        />
        <span class="find-count">${count}</span>
        ${iconButton("arrow-up", t("Previous Match (Shift+Enter)"), () => actions.step(-1))}
        ${iconButton("arrow-down", t("Next Match (Enter)"), () => actions.step(1))}
        ${iconButton("close", t("Close (Escape)"), () => actions.close())}
      </div>`,
      this.#place,
    );
  }

  readonly #onInput = (event: Event): void => {
    if (event.currentTarget instanceof HTMLInputElement) this.#actions.query(event.currentTarget.value);
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Escape") this.#actions.close();
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement)
      this.#actions.step(event.shiftKey ? -1 : 1);
    else return;
    consumeKey(event);
  };
}

/** The selector of the elements that hold the texts of an answer's parts. */
const answerParts = ".markdown, .tool-content, .diff:not(.grouped), .diff-part";

/** The elements that hold the texts of an entry's parts, in the host's order. */
function partsOf(row: Element): readonly Element[] {
  const { classList } = row;
  const texts = classList.contains("user")
    ? ".message"
    : classList.contains("task")
      ? ".task-card-prompt"
      : answerParts;
  return [...row.querySelectorAll(texts)];
}

/** Selects controls and labels between the texts, which are not searched. */
const skipped = "button, .code-bar, .tool-label, .diff-number, .diff-mark";
/** Selects elements between whose texts a line break counts. */
const blocks = "p, li, pre, td, th, h3, h4, h5, h6, span.markdown, .diff-line";

/** The ranges of the first matches in the part. They allow highlights without a change of the markup. */
function rangesIn(part: Element, pattern: RegExp, most: number): readonly Range[] {
  const texts: { readonly node: Text; readonly start: number }[] = [];
  let whole = "";
  let block: Element | null = null;
  for (const node of textsOf(part)) {
    const its = node.parentElement?.closest(blocks) ?? null;
    if (its !== block) whole += "\n";
    block = its;
    texts.push({ node, start: whole.length });
    whole += node.data;
  }
  let index = 0;
  const place = (range: Range, offset: number, set: "setStart" | "setEnd"): void => {
    // The end of a range belongs to the text node of its last character.
    const isBefore = (start: number): boolean => (set === "setEnd" ? start < offset : start <= offset);
    while (isBefore(texts[index + 1]?.start ?? Infinity)) index += 1;
    const text = texts[index];
    if (text !== undefined) range[set](text.node, Math.min(Math.max(0, offset - text.start), text.node.length));
  };
  return Array.from(matchesIn(whole, pattern, most), ({ index: start, 0: found }) => {
    const range = document.createRange();
    place(range, start, "setStart");
    place(range, start + found.length, "setEnd");
    return range;
  });
}

function* textsOf(part: Element): Iterable<Text> {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    return node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (node instanceof Text) yield node;
}

/** Opens all folds that contain the place, and scrolls each box around it as far as needed. */
function showPlace(place: Range | Element, scroller: Element): void {
  const inside = place instanceof Range ? place.startContainer.parentElement : place;
  for (let fold = inside?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  for (let box = inside; box !== null; box = box.parentElement) {
    const { top, bottom, left, right } = place.getBoundingClientRect();
    const view = box.getBoundingClientRect();
    const isClipped = (size: number, whole: number): boolean => whole > size + 1;
    if (box === scroller) {
      // The place comes near the upper edge, with some of the text before it. The find bar covers the padding.
      const hidden = Number.parseFloat(getComputedStyle(box).paddingTop);
      if (top < view.top + hidden || bottom > view.bottom) box.scrollTop += top - view.top - box.clientHeight / 4;
      return;
    }
    if (getComputedStyle(box).overflow === "visible") continue;
    if (isClipped(box.clientHeight, box.scrollHeight) && (top < view.top || bottom > view.bottom))
      box.scrollTop += top - view.top - box.clientHeight / 4;
    if (isClipped(box.clientWidth, box.scrollWidth) && (left < view.left || right > view.right))
      box.scrollLeft += left - view.left - box.clientWidth / 4;
  }
}
