/** Arrow keys in a list of buttons: the next one, and from the last to the first. */
export function moveInList(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof Element)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const now = buttons.findIndex((one) => one === document.activeElement);
  buttons[(now + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
