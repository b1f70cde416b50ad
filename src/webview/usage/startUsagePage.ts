/** Entry of the page that plots the person's own tasks (T13). */
import "../styles/page.css";
import "../styles/usage.css";
import {
  readUsagePageMessage,
  reduceUsagePage,
  type UsagePageSnapshot,
  type UsagePageToHost,
} from "../../protocol/usagePageMessages";
import { startPage } from "../page";
import { UsageTemplate } from "./usageTemplate";

startPage<UsagePageSnapshot, Parameters<typeof reduceUsagePage>[1], UsagePageToHost>((actions) => {
  const page = new UsageTemplate(actions);
  return {
    read: readUsagePageMessage,
    reduce: reduceUsagePage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ range }) => ({ subject: "usage", range }),
    announce: (before, now) => (before.list?.start === now.list?.start ? undefined : now.list?.title),
  };
});
