/** Arrow Up in the empty composer: brings back what was sent in this chat, the newest first; Arrow Down goes forward to the empty text. */
import type { Chat } from "../../../domain/chat/chat";

export class PromptRecall {
  /** Which of the sent texts is in the composer, counted from the newest; -1 for none. */
  #at = -1;

  /** The text that takes the place of the composer's. `undefined` where the key moves the caret: in a text that was changed, or between its lines. */
  textFor(event: KeyboardEvent, area: HTMLTextAreaElement, { entries }: Pick<Chat, "entries">): string | undefined {
    const step = stepOf(event, area);
    if (step === 0) return undefined;
    const texts = sentTexts(entries);
    if (area.value === "") this.#at = -1;
    else if (texts[this.#at] !== area.value) return undefined;
    const at = this.#at + step;
    if (at < -1 || at >= texts.length) return undefined;
    this.#at = at;
    return texts[at] ?? "";
  }
}

/** 1 for an older one, -1 for a newer one. */
function stepOf(event: KeyboardEvent, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): number {
  const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
  if (shiftKey || ctrlKey || metaKey || altKey || isComposing || selectionStart !== selectionEnd) return 0;
  if (key === "ArrowUp") return value.slice(0, selectionStart).includes("\n") ? 0 : 1;
  if (key === "ArrowDown") return value.slice(selectionEnd).includes("\n") ? 0 : -1;
  return 0;
}

/** The newest first; of equal ones that follow each other one. */
function sentTexts(entries: Chat["entries"]): readonly string[] {
  const texts = entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
  return texts.filter((text, at) => text !== texts[at + 1]).toReversed();
}
