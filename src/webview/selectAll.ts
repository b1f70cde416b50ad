/** Ctrl+A in a text: VS Code's own command comes through the host, after the next key, and would select the letter that was just typed. */
const isMac = navigator.platform.startsWith("Mac");

/** The page selects at once, and the key goes no further. */
export function keepSelectAll(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, shiftKey, altKey } = event;
    const isKey =
      key.toLowerCase() === "a" && !shiftKey && !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
    if (!isKey || !(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    target.select();
    event.preventDefault();
    event.stopPropagation();
  });
}
