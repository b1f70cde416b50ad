/** The contract of the page that shows the results on this machine as a grid (T15). The host sends compact rows, newest first and page by page; the page filters and sorts them. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { maxRating, resultChoices, type ResultChoice } from "../../domain/task/judgement";
import type { MediaKind } from "../../domain/task/taskTypes";
import type { TaskAction } from "../../domain/task/taskActions";
import { type IntentOf, type IntentsOf, type ProjectedContract } from "../../base/pageContract";
import { taskId } from "../../domain/task/taskId";
import { gallerySections, sectionIntents } from "./pageSections";

/** What the page offers for the selected results, in the order in which it is shown; a row has the places of those that it offers. */
export const galleryActions = [
  "open-task",
  "open-result",
  "save-into-workspace",
  "convert",
  "insert-link",
  "copy-path",
  "use-as-reference",
  "make-variants",
  "make-video",
  "other-model",
  "get-result",
] as const satisfies readonly TaskAction[];
export type GalleryAction = (typeof galleryActions)[number];

/** Results that are shown side by side. */
export const maxCompared = 4;

/** Results of one message: one with more is refused, so a page sends more in several. */
export const maxResults = 20_000;
const tasks = z.array(taskId).check(z.maxLength(maxResults));

/** What a page with results sends about those that are selected. */
export const resultIntents = {
  "results-judge": {
    tasks,
    rating: z.optional(z.int().check(z.minimum(0), z.maximum(maxRating))),
    choice: z.optional(z.enum([...resultChoices, "none"])),
  },
  /** Two to four are shown side by side: asks for what they were made with beside the prompt. */
  "results-compare": { tasks: z.array(taskId).check(z.maxLength(maxCompared)) },
  "results-act": { action: z.enum(galleryActions), tasks },
};
export type ResultIntent = IntentsOf<typeof resultIntents>;

const intents = {
  ...sectionIntents(gallerySections),
  ...resultIntents,
  /** A filter asks which results the project uses: its files are read for that. */
  "uses-find": {},
  /** The pictures among these results become references of the form. */
  "form-open": { tasks },
};

export type GalleryPageContract = ProjectedContract<typeof intents, GallerySnapshot, GalleryEvent>;
export const galleryPageContract: GalleryPageContract = { intents };
export type GalleryPageIntent = IntentOf<GalleryPageContract>;

/** What a task was asked for beside prompt and model, by its own names. */
export interface ResultOption {
  readonly name: string;
  readonly value: string;
}

/** By the ids of tasks. */
export type ResultOptions = Readonly<Record<string, readonly ResultOption[]>>;

/** One result. The page chooses the words, because there may be ten thousand. */
export interface GalleryRow {
  /** The task's id. */
  readonly id: string;
  /** Its beginning, which is searched. */
  readonly prompt: string;
  /** When the task was submitted, in milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  readonly model: string;
  /** In words. */
  readonly gateway: string;
  readonly batch?: string;
  /** What it differs by from others of its batch, as a person reads it. */
  readonly variant?: string;
  /** Of the file by its ending; `other`: of a type that a page can't show. */
  readonly kind: MediaKind | "other";
  /** The file and the small picture beside it, by their addresses within `base`. Without a file the gateway alone has the result. */
  readonly file?: string;
  readonly thumbnail?: string;
  /** 1 to 5. */
  readonly rating?: number;
  readonly choice?: ResultChoice;
  /** A bit for each of `galleryActions` that can be taken. */
  readonly offers: number;
}

/** The ids of the results that are used in the project, once its files were read; until then *searching*, and *unknown* where they could not be read. */
export type ResultUses = "searching" | "unknown" | readonly string[];

/** `rows`: the newest ones; the others follow as events. */
export interface GallerySnapshot {
  readonly subject: string;
  /** The address of the results folder. */
  readonly base: string;
  /** The URI of the same folder, for what is dragged out of the page. */
  readonly folder: string;
  /** How many results there are, those that follow included. */
  readonly total: number;
  /** All of them have been sent. */
  readonly isComplete: boolean;
  readonly rows: readonly GalleryRow[];
  /** Of the results that were compared last. */
  readonly options?: ResultOptions;
  /** Missing until the page has asked for it. */
  readonly uses?: ResultUses;
  readonly compared?: ComparedResults;
}

/** The ids of results that the host asks the page to compare, once: another object is another request. */
export interface ComparedResults {
  readonly ids: readonly string[];
}

/** `rows`: further ones, and those that changed; `gone`: the ids of those that are no results any more. */
export interface GalleryEvent {
  readonly total: number;
  readonly isComplete: boolean;
  readonly rows: readonly GalleryRow[];
  readonly gone: readonly string[];
  readonly options?: ResultOptions;
  readonly compared?: ComparedResults;
  readonly uses?: ResultUses;
}

export function offersAction({ offers }: GalleryRow, action: GalleryAction): boolean {
  return (offers & (1 << galleryActions.indexOf(action))) !== 0;
}

/** A row that did not change stays the same object. */
export function reduceGallery(before: GallerySnapshot, event: GalleryEvent): GallerySnapshot {
  const { rows, gone, total, isComplete, uses = before.uses, compared = before.compared } = event;
  // Those of what was compared before may come after those of now.
  const options = event.options === undefined ? before.options : { ...before.options, ...event.options };
  const next = { ...before, total, isComplete, ...definedFields({ options, uses, compared }) };
  // The page arranges its rows again when they are another list.
  if (rows.length === 0 && gone.length === 0) return next;
  const known = new Map(before.rows.map((row) => [row.id, row]));
  for (const row of rows) known.set(row.id, row);
  for (const id of gone) known.delete(id);
  return { ...next, rows: [...known.values()] };
}
