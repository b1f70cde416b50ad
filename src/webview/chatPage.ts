/** Entry of the chat page: styles, translations, and the connection to the host. */
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
  loadTranslations(root.dataset["l10n"]);
  const panel = new Panel(root, acquireVsCodeApi());
  // VS Code posts from the frame around the page, which has the page's origin; pages of other extensions have other origins. It can't be
  // compared with `event.source`, because VS Code hides that frame from the page. The policy allows no frames within the page.
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.origin === window.origin) panel.receive(event.data);
  });
  panel.start();
}

/** Loads the translations; English when the host gave none or they can't be read. */
function loadTranslations(contents: string | undefined): void {
  if (!contents) return;
  try {
    config({ contents });
  } catch {
    console.warn("The translations can't be read.");
  }
}
