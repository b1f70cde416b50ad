/** Entry of the page that shows the variants of a batch side by side. */
import "../styles/page.css";
import "../styles/actionList.css";
import "../styles/results.css";
import "../styles/batch.css";
import "../styles/compare.css";
import type { BatchPageContract, BatchPageEvent, BatchPageSnapshot } from "../../protocol/batchPageContract";
import { startPage } from "../shared/page";
import { BatchTemplate } from "./batchTemplate";

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

/** A variant that did not change stays the same object. */
function reduceBatchPage(before: BatchPageSnapshot, event: BatchPageEvent): BatchPageSnapshot {
  const known = new Map(before.variants.map((one) => [one.id, one]));
  for (const changed of event.variants) known.set(changed.id, changed);
  const { summary, isGettingResults, options, order } = event;
  return { ...before, summary, isGettingResults, options, variants: order.flatMap((id) => known.get(id) ?? []) };
}
