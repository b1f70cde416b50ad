/** Entry of the page that shows the variants of a batch side by side. */
import "../styles/page.css";
import "../styles/batch.css";
import type { BatchPageContract } from "../../protocol/batchPageContract";
import { startPage } from "../shared/page";
import { BatchTemplate } from "./batchTemplate";
import { reduceBatchPage } from "./reduceBatchPage";

startPage<BatchPageContract>((actions) => {
  const page = new BatchTemplate(actions);
  return {
    reduce: reduceBatchPage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) => (before.summary.states === now.summary.states ? undefined : now.summary.states),
    rendered: () => page.rendered(),
  };
});
