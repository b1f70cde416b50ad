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

interface HostMessage {
  readonly type: string;
}

/**
 * VS Code posts from the frame around the page, which has the page's origin; pages of other extensions have other origins. It can't be
 * compared with `event.source`, because VS Code hides that frame from the page. The policy allows no frames within the page.
 */
export function onHostMessage(receive: (message: HostMessage) => void): void {
  window.addEventListener("message", ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === window.origin && isMessage(data)) receive(data);
  });
}

/** The host is of the page's own package, so what has a type is taken by it. */
function isMessage(data: unknown): data is HostMessage {
  return typeof data === "object" && data !== null && "type" in data && typeof data.type === "string";
}
