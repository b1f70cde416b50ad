/** Which Enter sends a text: for the composer and for a message that is edited in place. */
import { isMac } from "../../../webview/keys";

export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.altKey) return false;
  // During composition Enter accepts a candidate of the input method; some send it after the composition, with key code 229.
  // oxlint-disable-next-line typescript/no-deprecated -- nothing newer distinguishes these
  return !event.isComposing && event.keyCode !== 229;
}

/** The key that sends a text in the turn that runs, together with Enter. */
export const sendNowKey = isMac ? "Cmd" : "Ctrl";
