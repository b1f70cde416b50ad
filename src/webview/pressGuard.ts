/** Presses count for what the person has pressed: what a first press has brought in its place is left alone. */

/**
 * The second click of a double click counts for the button of the first one only, and a held key presses a button once. A button that does another
 * thing after its first press has `firstClick` as well.
 */
export function guardPresses(): void {
  let pressed: Element | null = null;
  document.addEventListener(
    "click",
    (event) => {
      const button = buttonOf(event);
      if (event.detail > 1 && button !== null && button !== pressed) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (event.detail < 2) pressed = button;
    },
    { capture: true },
  );
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ") && buttonOf(event) !== null)
        event.preventDefault();
    },
    { capture: true },
  );
}

function buttonOf({ target }: Event): Element | null {
  return target instanceof Element ? target.closest("button") : null;
}
