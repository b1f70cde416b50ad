/** Entry of the page that plots the person's own tasks (T13). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/table.css";
import "../../../webview/styles/tiles.css";
import "../../../webview/styles/usage.css";
import type { UsagePageContract } from "../../contract/usagePageContract";
import { nextState, startPage } from "../../../webview/page";
import { UsageTemplate } from "./usageTemplate";

startPage<UsagePageContract>((actions) => {
  const page = new UsageTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: ({ range }) => ({ subject: "money", section: "usage", range }),
    announce: (before, now) => (before.list?.start === now.list?.start ? undefined : now.list?.title),
  };
});
