/** The chat panel's page begins here: words, styles, the link to the host. */
import "./styles/icons.css";
import "./styles/base.css";
import "./styles/notices.css";
import "./styles/rows.css";
import "./styles/cards.css";
import "./styles/markdown.css";
import "./styles/composer.css";
import { config } from "@vscode/l10n";
import { Panel } from "./panel";

const root = document.getElementById("app");
if (root !== null) {
  useWords(root.dataset["l10n"]);
  const panel = new Panel(root, acquireVsCodeApi());
  // VS Code posts from the frame around the page, which has the page's own origin; a page of another extension has another.
  // That frame can't be compared with `event.source`, for VS Code hides it from the page. Frames within can't exist (policy).
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.origin === window.origin) panel.receive(event.data);
  });
  panel.start();
}

/** The person's language; English when the host gave none or none that can be read. */
function useWords(contents: string | undefined): void {
  if (!contents) return;
  try {
    config({ contents });
  } catch {
    console.warn("The translations can't be read.");
  }
}
