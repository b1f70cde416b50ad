/** The contract of the page that shows the variants of a batch side by side. */
import { type IntentOf, type ProjectedContract, taskId } from "./pageContract";
import type { ShownFile, StateTone } from "./taskPageContract";

const intents = {
  "task-open": { task: taskId },
  /** Puts the variant at the destination of its task. */
  "variant-keep": { task: taskId },
  /** Downloads the results that are not on this machine. */
  "results-get": {},
};

export type BatchPageContract = ProjectedContract<typeof intents, BatchPageSnapshot, BatchPageEvent>;
export const batchPageContract: BatchPageContract = { intents };
export type BatchPageIntent = IntentOf<BatchPageContract>;

export interface VariantView {
  /** The task's id. */
  readonly id: string;
  readonly prompt: string;
  readonly state: { readonly name: string; readonly tone: StateTone };
  readonly seed?: string;
  /** How long it took. */
  readonly time?: string;
  readonly file?: ShownFile;
  /** There is a result: it can be kept. */
  readonly canKeep: boolean;
  /** The variant in a sentence, for screen readers. */
  readonly spoken: string;
}

/** `states` and `money` of the batch, each in one line. */
export interface BatchSummary {
  readonly title: string;
  readonly states: string;
  readonly money: string;
}

/** `subject` is the batch's id. */
export interface BatchPageSnapshot {
  readonly subject: string;
  readonly summary: BatchSummary;
  /** The results are being downloaded. */
  readonly isGettingResults: boolean;
  readonly variants: readonly VariantView[];
}

/** `variants` are those that changed; `order` all there are. */
export interface BatchPageEvent {
  readonly summary: BatchSummary;
  readonly isGettingResults: boolean;
  readonly variants: readonly VariantView[];
  readonly order: readonly string[];
}

/** For the projector: what changed in both, the later one last. */
export function mergeBatchEvents(last: BatchPageEvent, next: BatchPageEvent): BatchPageEvent {
  return { ...next, variants: [...last.variants, ...next.variants] };
}
