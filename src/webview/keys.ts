/** The keys of shortcuts in every page. */
export const isMac = navigator.platform.startsWith("Mac");

/** Cmd on a Mac and Ctrl elsewhere, without the other one. */
export function hasCommandKey({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** Handles a key here alone: neither the browser nor VS Code acts on it. */
export function consumeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Whether the element takes typed keys as its text. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}

/** Moves the focus in a list of buttons with the arrow keys. It goes from the last button to the first and back. */
export function moveInList(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof Element)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const now = buttons.findIndex((one) => one === document.activeElement);
  buttons[(now + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
