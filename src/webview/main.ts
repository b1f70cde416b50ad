/** The chat panel's page begins here: words, styles, the link to the host. */
import "@vscode/codicons/dist/codicon.css";
import "./styles/base.css";
import "./styles/rows.css";
import "./styles/markdown.css";
import "./styles/composer.css";
import { config } from "@vscode/l10n";
import { Panel } from "./panel";

const root = document.getElementById("app");
if (root !== null) {
  const words = root.dataset["l10n"];
  if (words) config({ contents: words });
  const panel = new Panel(root, acquireVsCodeApi());
  window.addEventListener("message", (event: MessageEvent<unknown>) => panel.receive(event.data));
  panel.start();
}
