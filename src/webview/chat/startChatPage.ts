/** Entry of the chat page: styles, translations, and the connection to the host. */
import "../styles/base.css";
import "../styles/notices.css";
import "../styles/rows.css";
import "../styles/processes.css";
import "../styles/queue.css";
import "../styles/attachments.css";
import "../styles/cards.css";
import "../styles/approvalBar.css";
import "../styles/questionBar.css";
import "../styles/planRow.css";
import "../styles/markdown.css";
import "../styles/composer.css";
import "../styles/find.css";
import type { ChatPageMessage } from "../../protocol/chatPageContract";
import { loadTranslations, onHostMessage } from "../shared/hostLink";
import { ChatPage } from "./chatPage";

const root = document.getElementById("app");
if (root !== null) {
  loadTranslations(root);
  const page = new ChatPage(root, acquireVsCodeApi());
  onHostMessage((message) => page.receive(message as ChatPageMessage));
  page.start();
}
