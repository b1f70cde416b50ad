/**
 * The keys of the chat page: for VS Code a webview in a view never has the focus, so a keybinding with a `when` for the view would not
 * be found. A key that is taken here is not passed on: VS Code forwards what reaches the window.
 */
import type { SendToHost } from "./controls";

export interface ChatKeyPorts {
  readonly isRunning: () => boolean;
  readonly send: SendToHost;
}

export const isMac = navigator.platform.startsWith("Mac");
const isWindows = navigator.platform.startsWith("Win");

/** As README names them. */
export const stopKey = isMac ? "Cmd+Escape" : isWindows ? "Alt+Backspace" : "Ctrl+Escape";
export const approvalKey = isMac ? "Cmd+Shift+A" : "Ctrl+Shift+A";

export function listenToKeys({ isRunning, send }: ChatKeyPorts): void {
  document.addEventListener("keydown", (event) => {
    if (isStop(event) && isRunning()) send({ type: "turn-stop" });
    else if (isApproval(event)) send({ type: "command-run", command: "approval" });
    else return;
    takeKey(event);
  });
}

/** Neither the browser nor VS Code acts on it. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** As the keybinding of `sluice.chat.stop`. */
function isStop({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (shiftKey) return false;
  if (isWindows) return key === "Backspace" && altKey && !ctrlKey && !metaKey;
  return key === "Escape" && !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

/** As the keybinding of `sluice.chat.focusApproval`. */
function isApproval({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "a" && shiftKey && !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
