/** The contract of the page that shows the results on this machine as a grid (T15). The host sends compact rows, newest first and page by page; the page filters and sorts them. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { maxRating, resultChoices, type ResultChoice } from "../../domain/task/judgement";
import type { MediaKind } from "../../domain/task/taskTypes";
import type { TaskAction } from "../../domain/task/taskActions";
import { type IntentOf, type IntentsOf, type ProjectedContract } from "../../base/pageContract";
import { taskIdSchema } from "../../domain/task/taskId";
import { dropIntents } from "./mediaFormPageContract";
import { gallerySections, sectionIntents } from "./pageSections";

/** The actions that the page offers for selected results, in the order of display. The bits of `GalleryRow.offers` are their positions. */
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

/** The most results that are shown side by side. */
export const maxCompared = 4;

/** The most results of one message. A longer message is refused, so a page splits it. */
export const maxResults = 20_000;
const tasks = z.array(taskIdSchema).check(z.maxLength(maxResults));

/** The intents about the selected results, for each page that shows results. */
export const resultIntents = {
  "results-judge": {
    tasks,
    rating: z.optional(z.int().check(z.minimum(0), z.maximum(maxRating))),
    choice: z.optional(z.enum([...resultChoices, "none"])),
  },
  /** The page shows two to four results side by side, and asks for the options that they were made with. */
  "results-compare": { tasks: z.array(taskIdSchema).check(z.maxLength(maxCompared)) },
  "results-act": { action: z.enum(galleryActions), tasks },
};
export type ResultIntent = IntentsOf<typeof resultIntents>;

const intents = {
  ...sectionIntents(gallerySections),
  ...resultIntents,
  ...dropIntents,
  /** A filter asks which results the project uses. The host reads the files of the project for it. */
  "uses-find": {},
  /** The pictures among these results become references of the form. */
  "form-open": { tasks },
};

export type GalleryPageContract = ProjectedContract<typeof intents, GallerySnapshot, GalleryEvent>;
export const galleryPageContract: GalleryPageContract = { intents };
export type GalleryPageIntent = IntentOf<GalleryPageContract>;

/** An option of a task's request other than prompt and model, under its name on the wire. */
export interface ResultOption {
  readonly name: string;
  readonly value: string;
}

/** The options by the ids of tasks. */
export type ResultOptionsById = Readonly<Record<string, readonly ResultOption[]>>;

/** One result. The page chooses the words, because there may be ten thousand. */
export interface GalleryRow {
  /** The task's id. */
  readonly id: string;
  /** The beginning of the prompt; the search looks only there. */
  readonly prompt: string;
  /** The time at which the task was submitted, in milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  readonly model: string;
  /** The name of the gateway as a person reads it. */
  readonly gateway: string;
  readonly batch?: string;
  /** How it differs from the others of its batch, as a person reads it. */
  readonly variant?: string;
  /** The kind by the ending of the file; `other` for a type that a page cannot show. */
  readonly kind: MediaKind | "other";
  /** The addresses of the file and its thumbnail within `base`. Without a file, only the gateway has the result. */
  readonly file?: string;
  readonly thumbnail?: string;
  /** 1 to 5. */
  readonly rating?: number;
  readonly choice?: ResultChoice;
  /** The result is the placeholder of a rehearsal. */
  readonly isRehearsed?: true;
  /** A bit for each of `galleryActions` that the result allows. */
  readonly offers: number;
}

/** The ids of the results that the project uses: `searching` until its files were read, `unknown` where they could not be read. */
export type ResultUses = "searching" | "unknown" | readonly string[];

/** The ids of the results whose files in the project are no longer as `sluice.lock` lists them; sent with the uses. */
export type LockedResults = Readonly<Record<"stale" | "foreign", readonly string[]>>;

/** `rows`: the newest ones; the others follow as events. */
export interface GallerySnapshot {
  readonly subject: string;
  /** The address of the results folder. */
  readonly base: string;
  /** The URI of the same folder, for what is dragged out of the page. */
  readonly folder: string;
  /** How many results there are, those that follow included. */
  readonly total: number;
  /** Whether all rows have been sent. */
  readonly isComplete: boolean;
  readonly rows: readonly GalleryRow[];
  /** The options of the results that were compared last. */
  readonly options?: ResultOptionsById;
  /** Missing until the page has sent `uses-find`. */
  readonly uses?: ResultUses;
  readonly locked?: LockedResults;
  readonly compared?: ComparedResults;
}

/** The ids of results that the host asks the page to compare. Each new object is a new request. */
export interface ComparedResults {
  readonly ids: readonly string[];
}

/** `rows`: further ones, and those that changed; `gone`: the ids of those that are no results any more. */
export interface GalleryEvent {
  readonly total: number;
  readonly isComplete: boolean;
  readonly rows: readonly GalleryRow[];
  readonly gone: readonly string[];
  readonly options?: ResultOptionsById;
  readonly compared?: ComparedResults;
  readonly uses?: ResultUses;
  readonly locked?: LockedResults;
}

export function offersAction({ offers }: GalleryRow, action: GalleryAction): boolean {
  return (offers & (1 << galleryActions.indexOf(action))) !== 0;
}

/** A row that did not change stays the same object. */
export function reduceGallery(before: GallerySnapshot, event: GalleryEvent): GallerySnapshot {
  const {
    rows,
    gone,
    total,
    isComplete,
    uses = before.uses,
    locked = before.locked,
    compared = before.compared,
  } = event;
  // Options of an earlier comparison may arrive after those of the current one, so both are kept.
  const options = event.options === undefined ? before.options : { ...before.options, ...event.options };
  const next = { ...before, total, isComplete, ...definedFields({ options, uses, locked, compared }) };
  // The same list is kept where no row changed, because the page sorts a new list again.
  if (rows.length === 0 && gone.length === 0) return next;
  const known = new Map(before.rows.map((row) => [row.id, row]));
  for (const row of rows) known.set(row.id, row);
  for (const id of gone) known.delete(id);
  return { ...next, rows: [...known.values()] };
}
