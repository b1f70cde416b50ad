/** The transcript: one row per entry, rendered again only when its entry is another object; follows the end while the person is there. */
import { html, render } from "lit-html";
import type { Chat, Entry } from "../domain/transcript";
import { followsAfter, type ScrollPosition } from "./following";
import type { RowActions } from "./controls";
import { answerRow, userRow } from "./rows/entries";
import { createPlainRow } from "./rows/plainRow";
import type { Anchor } from "./savedState";
import { isTurnEnd, type Repetition, repetitionOf, summariseTurn } from "./turn";

interface TranscriptRow {
  readonly element: HTMLElement;
  /** Rendering it failed once: from then on it is plain text. */
  plain: boolean;
  entry: Entry | undefined;
  /** It has the footer of the turn. */
  ends: boolean;
  /** How the footer offers to repeat the turn. */
  again: Repetition | undefined;
}

export class TranscriptView {
  readonly #scroller: HTMLElement;
  readonly #list = document.createElement("div");
  readonly #rows = new Map<string, TranscriptRow>();
  readonly #actions: RowActions;
  readonly #onFollow: (following: boolean) => void;
  #chat: string | undefined;
  #following = true;
  #position: ScrollPosition = { scrollTop: 0, scrollHeight: 0, clientHeight: 0 };

  /** `onFollow` is called when following begins or ends. */
  constructor(scroller: HTMLElement, actions: RowActions, onFollow: (following: boolean) => void) {
    this.#scroller = scroller;
    this.#actions = actions;
    this.#onFollow = onFollow;
    this.#list.className = "rows";
    scroller.append(this.#list);
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    const resized = new ResizeObserver(() => this.settle());
    resized.observe(this.#list);
    resized.observe(scroller);
  }

  update(chat: Chat): void {
    if (chat.id !== this.#chat) {
      // Rows are not reused for another chat: they hold pressed buttons and half-written notes.
      this.#list.replaceChildren();
      this.#rows.clear();
      this.#chat = chat.id;
    }
    const gone = new Set(this.#rows.keys());
    chat.entries.forEach((entry, index) => {
      gone.delete(entry.id);
      const row = this.#rows.get(entry.id) ?? this.#addRow(entry);
      const ends = isTurnEnd(chat, index);
      const again = ends ? repetitionOf(chat, index) : undefined;
      if (row.entry === entry && row.ends === ends && row.again === again) return;
      Object.assign(row, { entry, ends, again });
      this.#renderOrFallBack(row, chat, entry, index);
    });
    for (const id of gone) {
      this.#rows.get(id)?.element.remove();
      this.#rows.delete(id);
    }
  }

  /** Scrolls to the end if it is followed; call it after rendering. An empty chat stays at its beginning. */
  settle(): void {
    if (this.#following && this.#rows.size > 0) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#position = this.#measure();
  }

  follow(): void {
    this.#setFollowing(true);
    this.settle();
  }

  /** Stops following, because the person reads further up. */
  leaveEnd(by: number): void {
    this.#setFollowing(false);
    this.#scroller.scrollTop += by;
    this.#position = this.#measure();
  }

  /** Scrolls to the start of an element that begins above the view, and returns whether it did. Only while the end is followed. */
  showTop(element: Element): boolean {
    this.settle();
    const above = this.#scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (!this.#following || above <= 0) return false;
    this.leaveEnd(-above);
    return true;
  }

  /** The row at the upper edge; `undefined` while the end is followed. */
  get anchor(): Anchor | undefined {
    if (this.#following) return undefined;
    const top = this.#scroller.scrollTop;
    for (const [entry, { element }] of this.#rows) {
      if (element.offsetTop + element.offsetHeight > top) return { entry, offset: top - element.offsetTop };
    }
    return undefined;
  }

  /** Restores a scroll position. */
  restore(anchor: Anchor): void {
    const row = this.#rows.get(anchor.entry);
    if (row === undefined) return;
    this.#setFollowing(false);
    this.#scroller.scrollTop = row.element.offsetTop + anchor.offset;
    this.#position = this.#measure();
  }

  #addRow(entry: Entry): TranscriptRow {
    const element = document.createElement("div");
    element.className = `row ${entry.type}`;
    this.#list.append(element);
    const row: TranscriptRow = { element, plain: false, entry: undefined, ends: false, again: undefined };
    this.#rows.set(entry.id, row);
    return row;
  }

  /** A row that fails to render must not prevent the others from being rendered. */
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

  #renderRow({ element, ends, again }: TranscriptRow, chat: Chat, entry: Entry, index: number): void {
    element.classList.toggle("live", entry.type === "answer" && entry.state === "streaming");
    if (entry.type === "user") {
      render(userRow(entry, this.#actions), element);
      return;
    }
    const opens = chat.entries[index - 1]?.type === "user";
    const summary = ends ? summariseTurn(chat.entries, index) : undefined;
    render(html`${answerRow(entry, opens, summary && { ...summary, again }, this.#actions)}`, element);
  }

  #scrolled(): void {
    const now = this.#measure();
    this.#setFollowing(followsAfter(this.#following, this.#position, now));
    this.#position = now;
  }

  #setFollowing(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#onFollow(following);
  }

  #measure(): ScrollPosition {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return { scrollTop, scrollHeight, clientHeight };
  }
}
