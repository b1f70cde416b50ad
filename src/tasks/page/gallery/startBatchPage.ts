/** Entry of the page that shows the variants of a batch side by side. */
import "../../../webview/styles/page.css";
import "../../../webview/styles/actionList.css";
import "../../../webview/styles/results.css";
import "../../../webview/styles/batch.css";
import "../../../webview/styles/compare.css";
import type { BatchPageContract, BatchPageEvent, BatchPageSnapshot } from "../../contract/batchPageContract";
import { startPage } from "../../../webview/page";
import { BatchTemplate } from "./batchTemplate";

startPage<BatchPageContract>((actions) => {
  const page = new BatchTemplate(actions);
  return {
    reduce: reduceBatchPage,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, section: "batch" }),
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
