/** The batch page's copy of the host's state. Pure. */
import type { BatchPageEvent, BatchPageSnapshot } from "../../protocol/batchPageContract";

/** A variant that did not change stays the same object. */
export function reduceBatchPage(before: BatchPageSnapshot, event: BatchPageEvent): BatchPageSnapshot {
  const known = new Map(before.variants.map((one) => [one.id, one]));
  for (const changed of event.variants) known.set(changed.id, changed);
  const { summary, isGettingResults, order } = event;
  return { ...before, summary, isGettingResults, variants: order.flatMap((id) => known.get(id) ?? []) };
}
