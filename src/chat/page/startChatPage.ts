/** The entry point of the chat page: loads styles and translations, and connects the page to the host. */
import "../../webview/styles/base.css";
import "../../webview/styles/notices.css";
import "../../webview/styles/rows.css";
import "../../webview/styles/processes.css";
import "../../webview/styles/reviewLine.css";
import "../../webview/styles/queue.css";
import "../../webview/styles/attachments.css";
import "../../webview/styles/cards.css";
import "../../webview/styles/approvalBar.css";
import "../../webview/styles/questionBar.css";
import "../../webview/styles/planRow.css";
import "../../webview/styles/markdown.css";
import "../../webview/styles/composer.css";
import "../../webview/styles/find.css";
import type { ChatPageMessage } from "../contract/chatPageContract";
import { readTranslations, onHostMessage, guardPresses, keepSelectAll } from "../../webview/page";
import { parseJson } from "../../base/jsonValue";
import { ChatPageView } from "./chatPage";

const root = document.getElementById("app");
if (root !== null) {
  readTranslations(root);
  guardPresses();
  keepSelectAll();
  const page = new ChatPageView(root, acquireVsCodeApi(), parseJson(root.dataset["state"] ?? ""));
  onHostMessage((message) => page.receive(message as ChatPageMessage));
  page.start();
}
