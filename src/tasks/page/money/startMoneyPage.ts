/** Entry of the page that shows what is known of the money of the person's tasks (T10). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/table.css";
import "../../../webview/styles/tiles.css";
import "../../../webview/styles/money.css";
import type { MoneyPageContract } from "../../contract/moneyPageContract";
import { nextState, startPage } from "../../../webview/page";
import { announceMoney, moneyTemplate } from "./moneyTemplate";

startPage<MoneyPageContract>((actions) => ({
  reduce: nextState,
  template: (snapshot) => moneyTemplate(snapshot, actions.send),
  saved: ({ group }) => ({ subject: "money", section: "tasks", group }),
  announce: announceMoney,
}));
