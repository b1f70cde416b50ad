/** The transcript: one row per entry. A row is rendered again only when its entry object has changed. Follows the end while the person is there. */
import { html, nothing, render } from "lit-html";
import { type Chat, type Entry, isConversationMessage, usedSummary, toolCalls } from "../../domain/chat/chat";
import type { AnswerChanges } from "../contract/chatPageContract";
import type { RowActions } from "./shared/controls";
import { answerRow, changeSince, headingOf, nonAnswerRow } from "./rows/entries";
import { createPlainRow } from "./rows/toolCall";
import type { Anchor } from "./shared/savedState";
import { changesOfTurn, isTurnEnd, type Repetition, repetitionOf, summariseTurn } from "./shared/turn";
import { type ScrollPosition, followsAfter } from "./following";

/** A class and not a selector over siblings: with 2,000 rows the browser would match them all again with each move of the pointer. */
const pointedClass = "pointed";

/** Shows the footer of a turn, which is in the row of its last answer, while the pointer or the focus is on any answer of the turn. */
class PointedTurn {
  #end: Element | undefined;

  constructor(rows: HTMLElement) {
    const point = ({ target }: Event): void => this.#point(target instanceof Element ? target.closest(".row") : null);
    rows.addEventListener("pointerover", point);
    rows.addEventListener("focusin", point);
    rows.addEventListener("pointerleave", () => this.#point(null));
  }

  #point(row: Element | null): void {
    const end = row === null ? undefined : endOfTurn(row);
    if (end === this.#end) return;
    this.#end?.classList.remove(pointedClass);
    end?.classList.add(pointedClass);
    this.#end = end;
  }
}

/** The row with the footer of the turn; `undefined` for a running turn and for a message. */
function endOfTurn(row: Element): Element | undefined {
  let next: Element | null = row;
  while (next !== null && !next.classList.contains("user")) {
    if (next.querySelector(":scope > .footer") !== null) return next;
    next = next.nextElementSibling;
  }
  return undefined;
}

/** The distance above and below the view in which rows count as near: three screens. */
const margin = "300% 0px";

/** Watches which rows are within three screens of the view. Only these have their content; the others keep their height. */
class NearRows {
  readonly #observer: IntersectionObserver;

  /** `onChange` is called with the height in pixels when a row comes near or is far. */
  constructor(scroller: Element, onChange: (row: Element, near: boolean, height: number) => void) {
    this.#observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting, boundingClientRect } of changes)
          onChange(target, isIntersecting, boundingClientRect.height);
      },
      { root: scroller, rootMargin: margin },
    );
  }

  observe(row: Element): void {
    this.#observer.observe(row);
  }

  forget(row: Element): void {
    this.#observer.unobserve(row);
  }
}

/** Whether the person uses the row: it has the focus, or a part of it is selected. */
function isInUse(row: Element): boolean {
  if (row.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

/** Whether the row changes without an action of the person: its answer streams, or a call waits for approval or runs. */
function isActive(entry: Entry): boolean {
  if (!("blocks" in entry)) return false;
  return entry.state === "streaming" || toolCalls(entry).some(({ progress }) => underWay.has(progress.state));
}

const underWay = new Set(["ready", "waiting", "running"]);

/** Estimates the height in pixels of a row that was never shown. */
function estimateHeight(entry: Entry): number {
  if (entry.type === "task") return 130;
  if (entry.type === "summary") return 60;
  const length =
    entry.type === "user"
      ? entry.text.length
      : entry.blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 60), 0);
  return Math.round(48 + Math.min(length, 1_000_000) * 0.4);
}

interface TranscriptRow {
  readonly element: HTMLElement;
  /** Whether rendering the row has failed. It is plain text from then on. */
  plain: boolean;
  entry: Entry | undefined;
  /** Whether the row has the footer of the turn; for a summary, whether it is used. */
  ends: boolean;
  /** How the footer offers to repeat the turn. */
  again: Repetition | undefined;
  /** The changed files and the connection that the row shows, as one text for comparison. */
  changes: string;
  /** Whether the row has its content; otherwise it only has its height. */
  loaded: boolean;
}

/** The attributes of a row without content. */
const farAttributes = ["style", "role", "aria-level", "aria-label"];

/** The number of last rows that are rendered before the observer reports. */
const firstRows = 8;

export class TranscriptView {
  readonly #scroller: HTMLElement;
  readonly #list = document.createElement("div");
  readonly #rows = new Map<string, TranscriptRow>();
  readonly #actions: RowActions;
  readonly #onFollow: (following: boolean) => void;
  readonly #onNearStart: () => void;
  readonly #resized: ResizeObserver;
  readonly #byElement = new Map<Element, TranscriptRow>();
  readonly #near: NearRows;
  #chat: Chat | undefined;
  #changes: readonly AnswerChanges[] = [];
  /** What rows depend on in addition to their entries, as one text for comparison. */
  #context = "";
  /** The id of the summary that requests contain. */
  #used: string | undefined;
  #following = true;
  /** Whether a row is about to change its height because the person has opened or closed it. */
  #isUnfolding = false;
  #position: ScrollPosition = { scrollTop: 0, scrollHeight: 0, clientHeight: 0 };

  /** `onFollow` is called when following begins or ends, and `onNearStart` while the view is near the first row. */
  constructor(
    scroller: HTMLElement,
    actions: RowActions,
    onFollow: (following: boolean) => void,
    onNearStart: () => void,
  ) {
    this.#onNearStart = onNearStart;
    this.#scroller = scroller;
    this.#actions = actions;
    this.#onFollow = onFollow;
    this.#list.className = "rows";
    new PointedTurn(this.#list);
    scroller.append(this.#list);
    scroller.classList.add("following");
    this.#near = new NearRows(scroller, (row, near, height) => this.#nearChanged(row, near, height));
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    // Observers run when the frame is laid out. Following the end there, and not after each update, forces no layout.
    this.#resized = new ResizeObserver(() => this.keepAtEnd());
    scroller.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("summary, [aria-expanded]") !== null) this.#isUnfolding = true;
    });
    this.#resized.observe(this.#list);
    this.#resized.observe(scroller);
  }

  /** Follows the end also when this element in the scroller changes its height. */
  observe(element: Element): void {
    this.#resized.observe(element);
  }

  /** `changes`: the files that tools have changed. */
  update(chat: Chat, changes: readonly AnswerChanges[] = []): void {
    this.#used = usedSummary(chat)?.id;
    const context = JSON.stringify([
      this.#used,
      this.#actions.isReady(),
      this.#actions.home(),
      this.#actions.prices(),
      changes,
    ]);
    const areOthers = context !== this.#context;
    this.#context = context;
    this.#changes = changes;
    if (chat.id !== this.#chat?.id) {
      // Rows are not reused for another chat, because they contain pressed buttons and half-written notes.
      for (const { element } of this.#rows.values()) this.#near.forget(element);
      this.#list.replaceChildren();
      this.#rows.clear();
      this.#byElement.clear();
      this.#chat = undefined;
    }
    const { entries } = chat;
    const before = this.#chat?.entries ?? [];
    this.#chat = chat;
    // The browser keeps the view in place when rows are added above it, but not at the very top.
    const isTop = before.length > 0 && before[0] !== entries[0] && this.#scroller.scrollTop === 0;
    const first = isTop ? this.#list.firstElementChild : undefined;
    const offset = first instanceof HTMLElement ? first.offsetTop : 0;
    let same = 0;
    while (same < entries.length && entries[same] === before[same]) same += 1;
    this.#removeRows(before.slice(same), entries.slice(same));
    // Whether a turn ends depends on the entry after it, and for the last entry on the chat. So the entry before the first changed one is included.
    for (
      let index = areOthers ? 0 : Math.max(0, Math.min(same, entries.length - 1) - 1);
      index < entries.length;
      index++
    ) {
      const entry = entries[index];
      if (entry !== undefined) this.#updateRow(chat, entry, index);
    }
    if (first instanceof HTMLElement) this.#scroller.scrollTop = first.offsetTop - offset;
  }

  #updateRow(chat: Chat, entry: Entry, index: number): void {
    const row = this.#rows.get(entry.id) ?? this.#addRow(entry, index, chat.entries.length);
    const ends = entry.type === "summary" ? entry.id === this.#used : isTurnEnd(chat, index);
    const again = ends && entry.type === "answer" ? repetitionOf(chat, index) : undefined;
    const changed = ends && entry.type === "answer" ? changesOfTurn(chat.entries, index, this.#changes) : undefined;
    const changes = JSON.stringify([changed ?? "", changeSince(entry, this.#actions)]);
    if (row.entry === entry && row.ends === ends && row.again === again && row.changes === changes) return;
    Object.assign(row, { entry, ends, again, changes });
    if (!row.loaded && isActive(entry)) this.#setLoaded(row, 0);
    else if (row.loaded) this.#renderOrFallBack(row, chat, entry, index);
    else {
      row.element.style.height = `${estimateHeight(entry)}px`;
      this.#renderFar(row, chat, entry, index);
    }
  }

  #removeRows(before: readonly Entry[], now: readonly Entry[]): void {
    if (before.length === 0) return;
    const kept = new Set(now.map(({ id }) => id));
    for (const { id } of before) {
      const row = this.#rows.get(id);
      if (kept.has(id) || row === undefined) continue;
      this.#near.forget(row.element);
      row.element.remove();
      this.#rows.delete(id);
      this.#byElement.delete(row.element);
    }
  }

  #nearChanged(element: Element, near: boolean, height: number): void {
    const row = this.#byElement.get(element);
    if (row?.entry === undefined || row.loaded === near) return;
    if (!near && (row.plain || isActive(row.entry) || isInUse(element))) return;
    this.#setLoaded(row, near ? 0 : height);
  }

  /** Renders the row, or replaces its content by a `height` in pixels. */
  #setLoaded(row: TranscriptRow, height: number): void {
    const { element, entry } = row;
    row.loaded = height === 0;
    if (height === 0) for (const name of farAttributes) element.removeAttribute(name);
    else element.style.height = `${height}px`;
    element.classList.toggle("far", !row.loaded);
    const index = this.#chat?.entries.findIndex((one) => one === entry) ?? -1;
    if (this.#chat === undefined || entry === undefined || index < 0) return;
    if (row.loaded) this.#renderOrFallBack(row, this.#chat, entry, index);
    else this.#renderFar(row, this.#chat, entry, index);
  }

  /** Scrolls to the end if it is followed. An empty chat stays at its beginning. */
  keepAtEnd(): void {
    if (this.#isUnfolding) {
      // An opened row stays under the pointer. The end is followed further only if all of the row is in view.
      this.#isUnfolding = false;
      const { scrollHeight, scrollTop, clientHeight } = this.#measure();
      if (scrollHeight - scrollTop - clientHeight > 1) this.#setFollowing(false);
    }
    if (this.#following && this.#rows.size > 0) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#position = this.#measure();
  }

  follow(): void {
    this.#setFollowing(true);
    this.keepAtEnd();
  }

  /** Stops following, because the person reads further up. */
  leaveEnd(by: number): void {
    this.#setFollowing(false);
    this.#scroller.scrollTop += by;
    this.#position = this.#measure();
  }

  /** Scrolls to the start of an element that begins above the view, and returns whether it did. Does so only while the end is followed. */
  showTop(element: Element): boolean {
    this.keepAtEnd();
    const above = this.#scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (!this.#following || above <= 0) return false;
    this.leaveEnd(-above);
    return true;
  }

  /** The row at the upper edge of the view; `undefined` while the end is followed. */
  get anchor(): Anchor | undefined {
    return this.#following ? undefined : this.top;
  }

  /** The row at the upper edge of the view, also while the end is followed. */
  get top(): Anchor | undefined {
    const top = this.#scroller.scrollTop;
    for (const [entry, { element }] of this.#rows) {
      if (element.offsetTop + element.offsetHeight > top) return { entry, offset: top - element.offsetTop };
    }
    return undefined;
  }

  /** The rows that hold their content, with the ids of their entries. */
  get loaded(): readonly (readonly [entry: string, row: HTMLElement])[] {
    return [...this.#rows].flatMap(([entry, { element, loaded }]) => (loaded ? [[entry, element] as const] : []));
  }

  /** Renders the row of an entry, also far from the view, and stops following the end. `undefined` when there is no such row. */
  reveal(entry: string): HTMLElement | undefined {
    const row = this.#rows.get(entry);
    if (row === undefined) return undefined;
    this.#setFollowing(false);
    if (!row.loaded) this.#setLoaded(row, 0);
    return row.element;
  }

  /** Restores a scroll position; false when there is no such row. */
  restore(anchor: Anchor): boolean {
    const row = this.#rows.get(anchor.entry);
    if (row === undefined) return false;
    this.#setFollowing(false);
    this.#scroller.scrollTop = row.element.offsetTop + anchor.offset;
    this.#position = this.#measure();
    return true;
  }

  /** Adds a row. The last rows are rendered at once, the others when the observer reports them as near. */
  #addRow(entry: Entry, index: number, count: number): TranscriptRow {
    const element = document.createElement("div");
    const loaded = index >= count - firstRows;
    element.className = `row ${entry.type}${loaded ? "" : " far"}`;
    this.#list.insertBefore(element, this.#list.children[index] ?? null);
    const row: TranscriptRow = {
      element,
      plain: false,
      entry: undefined,
      ends: false,
      again: undefined,
      changes: "",
      loaded,
    };
    this.#rows.set(entry.id, row);
    this.#byElement.set(element, row);
    this.#near.observe(element);
    return row;
  }

  /** Renders the row, or shows it as plain text if that fails, so that the other rows are rendered. */
  #renderOrFallBack(row: TranscriptRow, chat: Chat, entry: Entry, index: number): void {
    if (!row.plain) {
      try {
        this.#renderRow(row, chat, entry, index);
        return;
      } catch (error) {
        row.plain = true;
        this.#actions.report(`row ${entry.type}`, error);
      }
    }
    row.element.replaceChildren(...createPlainRow(entry, this.#actions));
  }

  /** Makes the row its own heading: with an element in each of 2,000 rows, every frame would cost twice as much. */
  #renderFar({ element }: TranscriptRow, chat: Chat, entry: Entry, index: number): void {
    render(nothing, element);
    const heading = headingOf(entry, opensTurn(chat, index));
    if (heading === undefined) return;
    element.role = "heading";
    element.ariaLevel = "2";
    element.ariaLabel = heading;
  }

  #renderRow({ element, ends, again }: TranscriptRow, chat: Chat, entry: Entry, index: number): void {
    element.classList.toggle("live", entry.type === "answer" && entry.state === "streaming");
    if (entry.type !== "answer") {
      render(nonAnswerRow(entry, ends, this.#actions), element);
      return;
    }
    const opens = opensTurn(chat, index);
    const summary = ends ? summariseTurn(chat.entries, index) : undefined;
    const changes = ends ? changesOfTurn(chat.entries, index, this.#changes) : undefined;
    render(html`${answerRow(entry, opens, summary && { ...summary, again, changes }, this.#actions)}`, element);
  }

  #scrolled(): void {
    const now = this.#measure();
    this.#setFollowing(followsAfter(this.#following, this.#position, now));
    this.#position = now;
  }

  #setFollowing(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#scroller.classList.toggle("following", following);
    this.#onFollow(following);
  }

  #measure(): ScrollPosition {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollTop < 2 * clientHeight) this.#onNearStart();
    return { scrollTop, scrollHeight, clientHeight };
  }
}

/** Whether the message or answer before that entry is a message, so that the entry begins the turn. */
function opensTurn({ entries }: Chat, index: number): boolean {
  return entries.findLast((entry, at) => at < index && isConversationMessage(entry))?.type === "user";
}
