/** Entry of the page that shows the variants of a batch side by side. */
import "../styles/page.css";
import "../styles/batch.css";
import {
  type BatchPageSnapshot,
  type BatchPageToHost,
  readBatchPageMessage,
  reduceBatchPage,
} from "../../protocol/batchPageMessages";
import { startPage } from "../page";
import { BatchTemplate } from "./batchTemplate";

startPage<BatchPageSnapshot, Parameters<typeof reduceBatchPage>[1], BatchPageToHost>((actions) => {
  const page = new BatchTemplate(actions);
  return {
    read: readBatchPageMessage,
    reduce: reduceBatchPage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) => (before.summary.states === now.summary.states ? undefined : now.summary.states),
    rendered: () => page.rendered(),
  };
});
