/**
 * The keys of the chat page. For VS Code a webview in a view never has the focus, so a keybinding with a `when` for the view would not match. VS Code
 * forwards keys that reach the window, so a key that is handled here is not passed on.
 */
import { hasCommandKey, isMac, consumeKey } from "../../../webview/keys";
import type { SendToHost } from "./controls";

const isWindows = navigator.platform.startsWith("Win");

/** The key that stops an answer, by the name that README uses. */
export const stopKey = isMac ? "Cmd+Escape" : isWindows ? "Alt+Backspace" : "Ctrl+Escape";
export const approvalKey = isMac ? "Cmd+Shift+A" : "Ctrl+Shift+A";

export function listenToKeys(isRunning: () => boolean, send: SendToHost): void {
  document.addEventListener("keydown", (event) => {
    if (isStop(event) && isRunning()) send({ type: "turn-stop" });
    else if (isApproval(event)) send({ type: "command-run", command: "approval" });
    else return;
    consumeKey(event);
  });
}

/** Matches the keybinding of `sluice.chat.stop`. */
function isStop(event: KeyboardEvent): boolean {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (shiftKey) return false;
  if (isWindows) return key === "Backspace" && altKey && !ctrlKey && !metaKey;
  return key === "Escape" && !altKey && hasCommandKey(event);
}

/** Matches the keybinding of `sluice.chat.focusApproval`. */
function isApproval(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === "a" && event.shiftKey && !event.altKey && hasCommandKey(event);
}

/** Whether the key is an Enter that sends a text, in the composer or in a message that is edited in place. */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.altKey) return false;
  // During composition Enter accepts a candidate of the input method. Some input methods send it after the composition, with key code 229.
  // oxlint-disable-next-line typescript/no-deprecated -- nothing newer distinguishes these
  return !event.isComposing && event.keyCode !== 229;
}

/** The key that, together with Enter, sends a text in the running turn. */
export const sendNowKey = isMac ? "Cmd" : "Ctrl";
