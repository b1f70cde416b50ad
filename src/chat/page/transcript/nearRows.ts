/** Which rows of the transcript hold their content: those within three screens of the view. Far ones keep their height only; for `TranscriptView`. */
import { type Entry, toolCalls } from "../../../domain/chat/chat";

/** Screens above and below the view. */
const margin = "300% 0px";

export class NearRows {
  readonly #observer: IntersectionObserver;

  /** `onChange` is called when a row comes near or is far, with its height in pixels. */
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

/** A person is in the row: it has the focus, or a part of it is selected. */
export function isInUse(row: Element): boolean {
  if (row.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

/** The row changes without an action of the person: an answer that streams, a call that waits for approval or runs. */
export function isActive(entry: Entry): boolean {
  if (!("blocks" in entry)) return false;
  return entry.state === "streaming" || toolCalls(entry).some(({ progress }) => underWay.has(progress.state));
}

const underWay = new Set(["ready", "waiting", "running"]);

/** Pixels that a row may need which was never shown. */
export function estimateHeight(entry: Entry): number {
  if (entry.type === "task") return 130;
  if (entry.type === "summary") return 60;
  const length =
    entry.type === "user"
      ? entry.text.length
      : entry.blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 60), 0);
  return Math.round(48 + Math.min(length, 1_000_000) * 0.4);
}
