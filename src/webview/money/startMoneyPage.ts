/** Entry of the page that shows what is known of the money of the person's tasks (T10). */
import "../styles/page.css";
import "../styles/table.css";
import "../styles/tiles.css";
import "../styles/money.css";
import type { MoneyPageContract } from "../../protocol/moneyPageContract";
import { nextState, startPage } from "../shared/page";
import { announceMoney, moneyTemplate } from "./moneyTemplate";

startPage<MoneyPageContract>((actions) => ({
  reduce: nextState,
  template: (snapshot) => moneyTemplate(snapshot, actions.send),
  saved: ({ group }) => ({ subject: "money", group }),
  announce: announceMoney,
}));
