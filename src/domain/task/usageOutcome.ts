/** The outcome of a task, as the usage page counts it. */

/**
 * The outcomes in the order in which they are stacked. `ended`: cancelled, expired or refunded. `open`: it runs, or its outcome is unknown.
 * `refused`: never accepted.
 */
export const usageOutcomes = ["succeeded", "failed", "ended", "open", "refused"] as const;
export type UsageOutcome = (typeof usageOutcomes)[number];
export type OutcomeCounts = Readonly<Record<UsageOutcome, number>>;

/** Counts the tasks of every outcome. */
export function countAllOutcomes(counts: OutcomeCounts): number {
  return usageOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}
