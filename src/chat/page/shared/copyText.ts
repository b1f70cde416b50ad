/** Text into the clipboard, from a button that shows a check mark for it. */

/** Milliseconds for which the button shows a check mark. */
const checkMarkTime = 1500;

/** Resolves with whether the text is on the clipboard. */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  button.classList.replace("codicon-copy", "codicon-check");
  setTimeout(() => button.classList.replace("codicon-check", "codicon-copy"), checkMarkTime);
  return true;
}
