/** Entry of the chat page: styles, translations, and the connection to the host. */
import "./styles/base.css";
import "./styles/notices.css";
import "./styles/rows.css";
import "./styles/queue.css";
import "./styles/attachments.css";
import "./styles/cards.css";
import "./styles/markdown.css";
import "./styles/composer.css";
import "./styles/find.css";
import { loadTranslations, onHostMessage } from "./hostLink";
import { Panel } from "./panel";

const root = document.getElementById("app");
if (root !== null) {
  loadTranslations(root);
  const panel = new Panel(root, acquireVsCodeApi());
  onHostMessage((message) => panel.receive(message));
  panel.start();
}
