/** The cards of the waiting questions. Each shows what would be done, and the bar above the composer reads how much of it was in view. */
import { type AskingProgress, type Chat, toolCalls } from "../../../domain/chat/chat";

export interface QuestionCard {
  /** Whether the first line has been in view; true until the card was measured. */
  readonly isStartSeen: boolean;
  /** Whether the start and the end have been in view, or all changes were opened in a diff. */
  readonly isSeen: boolean;
  /** The number of lines below the view; `undefined` until the card was measured. */
  readonly linesLeft: number | undefined;
  /** Scrolls to the start of the card until it was in view, and then down by at most one view. */
  showNext(): void;
  /** Opens the change in an editor, which counts as having seen it. */
  openDiff(): void;
}

export class QuestionCards {
  readonly #cards = new Map<string, QuestionCard>();
  readonly #onReport: () => void;

  /** `onReport` is called after a card was measured or more of it has been in view. */
  constructor(onReport: () => void) {
    this.#onReport = onReport;
  }

  add(approval: string, card: QuestionCard): void {
    this.#cards.set(approval, card);
  }

  /** Removes this card only. Another card of the same approval stays. */
  remove(approval: string, card: QuestionCard): void {
    if (this.#cards.get(approval) === card) this.#cards.delete(approval);
  }

  /** Forgets all cards, because another chat is shown and what was in view before does not count. */
  clear(): void {
    this.#cards.clear();
  }

  get(approval: string): QuestionCard | undefined {
    return this.#cards.get(approval);
  }

  report(): void {
    this.#onReport();
  }
}

/** The open questions in order. Only a running turn can ask. */
export function askedQuestions({ running, entries }: Chat): readonly AskingProgress[] {
  if (!running) return [];
  const turn = entries.slice(entries.findLastIndex((entry) => entry.type === "user") + 1);
  return turn.flatMap((entry) =>
    entry.type === "answer"
      ? toolCalls(entry).flatMap(({ progress }) => (progress.state === "asking" ? [progress] : []))
      : [],
  );
}
