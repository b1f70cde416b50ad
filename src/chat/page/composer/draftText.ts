/** Where a text goes in the text box of the composer, with the caret after it. */

/** A blank line is between it and the draft. */
export function putBefore(area: HTMLTextAreaElement, text: string): void {
  const draft = area.value.trim() === "" ? "" : `\n\n${area.value}`;
  area.value = text + draft;
  endAt(area, text);
}

/** In place of what was typed up to the caret. */
export function writeOver(area: HTMLTextAreaElement, text: string): void {
  area.value = text + area.value.slice(area.selectionStart).trimStart();
  endAt(area, text);
}

export function putAtCaret(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}

function endAt(area: HTMLTextAreaElement, { length }: string): void {
  area.setSelectionRange(length, length);
  area.focus();
}
