/** The host's side of a page, as its script sees it: translations and messages. */
import { config } from "@vscode/l10n";

/** Loads the translations that the host wrote into the page; English when it gave none or they can't be read. */
export function loadTranslations(root: HTMLElement): void {
  const contents = root.dataset["l10n"];
  if (!contents) return;
  try {
    config({ contents });
  } catch {
    console.warn("The translations can't be read.");
  }
}

/**
 * VS Code posts from the frame around the page, which has the page's origin; pages of other extensions have other origins. It can't be
 * compared with `event.source`, because VS Code hides that frame from the page. The policy allows no frames within the page.
 */
export function onHostMessage(receive: (message: unknown) => void): void {
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.origin === window.origin) receive(event.data);
  });
}
