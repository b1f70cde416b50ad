/** The keys of shortcuts in every page. */
export const isMac = navigator.platform.startsWith("Mac");

/** Cmd on a Mac and Ctrl elsewhere, without the other one. */
export function hasCommandKey({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** Neither the browser nor VS Code acts on it. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
