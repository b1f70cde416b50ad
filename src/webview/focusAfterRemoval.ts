/** Where the focus goes of a row that a render has removed: to the row in its place, for a person at the keyboard. A pointer is on that row already. */

/** Returns what to call after each render. `rows` selects them; `after` what gets the focus behind the last one. */
export function followRemovals(rows: string, after: string): () => void {
  let last: { readonly element: Element; readonly index: number } | undefined;
  const look = (): void => {
    const all = [...document.querySelectorAll(rows)];
    if (last?.element.isConnected === false && document.activeElement === document.body)
      (all[last.index]?.querySelector("button") ?? document.querySelector<HTMLElement>(after))?.focus();
    const element = document.activeElement;
    const index = all.findIndex((row) => row.contains(element));
    last = element === null || index === -1 || !element.matches(":focus-visible") ? undefined : { element, index };
  };
  document.addEventListener("focusin", look);
  return look;
}
