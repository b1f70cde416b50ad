/** The contract of the page that shows the results of a batch side by side. */
import { type GalleryRow, resultIntents, type ResultOptionsById } from "./galleryPageContract";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";
import type { StateTone } from "./taskPageContract";
import { gallerySections, sectionIntents } from "./pageSections";

const intents = {
  ...sectionIntents(gallerySections),
  ...resultIntents,
  /** Downloads the results that are not on this machine. */
  "results-get": {},
};

export type BatchPageContract = ProjectedContract<typeof intents, BatchPageSnapshot, BatchPageEvent>;
export const batchPageContract: BatchPageContract = { intents };
export type BatchPageIntent = IntentOf<BatchPageContract>;

/** One task of the batch, also one without a result. */
export interface VariantView extends GalleryRow {
  readonly state: { readonly name: string; readonly tone: StateTone };
  readonly hasResult: boolean;
  /** Its result is being fetched without a click, or will be. */
  readonly isArriving?: boolean;
  /** The prompt from where the prompts of the batch begin to differ; missing where they are the same. */
  readonly difference?: string;
  /** Its seed, the options in which it differs from the others, and how long it took; in words. */
  readonly about: string;
}

/** `states` and `money` of the batch, each in one line. */
export interface BatchSummary {
  readonly title: string;
  readonly states: string;
  readonly money: string;
}

interface BatchState {
  readonly summary: BatchSummary;
  /** The results are being downloaded. */
  readonly isGettingResults: boolean;
  readonly variants: readonly VariantView[];
  /** The options of each task other than prompt and model; incomplete until its request was read. */
  readonly options: ResultOptionsById;
}

/** `subject` is the batch's id; `base` and `folder` are those of `GallerySnapshot`. */
export interface BatchPageSnapshot extends BatchState {
  readonly subject: string;
  readonly base: string;
  readonly folder: string;
}

/** `variants` holds the tasks that changed; `order` holds the ids of all. */
export interface BatchPageEvent extends BatchState {
  readonly order: readonly string[];
}

/** Merges two events for the projector: the variants of both, the later ones last. */
export function mergeBatchEvents(last: BatchPageEvent, next: BatchPageEvent): BatchPageEvent {
  return { ...next, variants: [...last.variants, ...next.variants] };
}
