/** Entry of the page that plots the person's own tasks (T13). */
import "../styles/page.css";
import "../styles/table.css";
import "../styles/tiles.css";
import "../styles/usage.css";
import type { UsagePageContract } from "../../protocol/usagePageContract";
import { nextState, startPage } from "../shared/page";
import { UsageTemplate } from "./usageTemplate";

startPage<UsagePageContract>((actions) => {
  const page = new UsageTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: ({ range }) => ({ subject: "usage", range }),
    announce: (before, now) => (before.list?.start === now.list?.start ? undefined : now.list?.title),
  };
});
