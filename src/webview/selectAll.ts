/** Ctrl+A in a text: VS Code's own command comes through the host, after the next key, and would select the letter that was just typed. */
import { hasCommandKey, takeKey } from "./keys";

/** The page selects at once, and the key goes no further. */
export function keepSelectAll(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, shiftKey, altKey } = event;
    if (key.toLowerCase() !== "a" || shiftKey || altKey || !hasCommandKey(event)) return;
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    target.select();
    takeKey(event);
  });
}
