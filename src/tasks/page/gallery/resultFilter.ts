/** Filters and sorts the results of the gallery, and reads the filter that VS Code has kept. Pure: rows in, rows out. */
import { startOfNextDay } from "../../../base/localDay";
import { createWordFilter, foldText } from "../../../base/text/wordFilter";
import type { GalleryRow, LockedResults } from "../../contract/galleryPageContract";
import { sizeLimits } from "./gridLayout";

/** The filters by the person's marks. Rejected results are hidden unless they are asked for. */
export const markFilters = ["usual", "kept", "rated", "unrated", "rejected", "all"] as const;
export type MarkFilter = (typeof markFilters)[number];
/** The filters by whether the project uses the results, and by the states of their files there; empty for all results. */
export const useFilters = ["", "used", "unused", "rehearsed", "stale", "foreign"] as const;
export type UseFilter = (typeof useFilters)[number];
export const resultOrders = ["newest", "oldest", "rating", "model"] as const;
export type ResultOrder = (typeof resultOrders)[number];

/** A text is empty where nothing is filtered by it. Days are written *2026-11-24*. */
export interface ResultFilter {
  readonly text: string;
  readonly type: string;
  readonly model: string;
  readonly gateway: string;
  readonly batch: string;
  readonly marks: MarkFilter;
  readonly use: UseFilter;
  readonly from: string;
  readonly to: string;
}

export const noResultFilter: ResultFilter = {
  text: "",
  type: "",
  model: "",
  gateway: "",
  batch: "",
  marks: "usual",
  use: "",
  from: "",
  to: "",
};

/** The number of fields that filter, without the text, which is always in view. */
export function countFilters({ text: _, marks, ...others }: ResultFilter): number {
  return Object.values(others).filter((value) => value !== "").length + (marks === "usual" ? 0 : 1);
}

/** The prompts as they are searched, by their rows, because a row that did not change stays the same object. */
const folded = new WeakMap<GalleryRow, string>();

function foldedPrompt(row: GalleryRow): string {
  const known = folded.get(row) ?? foldText(row.prompt);
  folded.set(row, known);
  return known;
}

/** `used`: the ids of the results that the project uses, where that is known; `locked`: the ids of those whose files are stale or foreign. */
export function arrangeResults(
  rows: readonly GalleryRow[],
  filter: ResultFilter,
  order: ResultOrder,
  used?: ReadonlySet<string>,
  locked?: LockedResults,
): readonly GalleryRow[] {
  const hasWords = createWordFilter(filter.text);
  const from = momentOf(filter.from) ?? -Infinity;
  const to = momentOf(filter.to);
  const end = to === undefined ? Infinity : startOfNextDay(to);
  const shown = rows.filter(
    (row) =>
      hasMarks(row, filter.marks) &&
      isUsedAs(row, filter.use, used, locked) &&
      isOf(row.type, filter.type) &&
      isOf(row.model, filter.model) &&
      isOf(row.gateway, filter.gateway) &&
      isOf(row.batch, filter.batch) &&
      row.at >= from &&
      row.at < end &&
      (hasWords === undefined || hasWords(foldedPrompt(row))),
  );
  return shown.sort(comparers[order]);
}

function isUsedAs(
  { id, isRehearsed }: GalleryRow,
  use: UseFilter,
  used: ReadonlySet<string> | undefined,
  locked: LockedResults | undefined,
): boolean {
  switch (use) {
    case "":
      return true;
    case "used":
    case "unused":
      return used === undefined || used.has(id) === (use === "used");
    case "rehearsed":
      return isRehearsed === true;
    case "stale":
    case "foreign":
      return locked === undefined || locked[use].includes(id);
  }
}

function isOf(value: string | undefined, wanted: string): boolean {
  return wanted === "" || value === wanted;
}

function hasMarks({ rating, choice }: GalleryRow, marks: MarkFilter): boolean {
  switch (marks) {
    case "all":
      return true;
    case "rejected":
      return choice === "rejected";
    case "usual":
      return choice !== "rejected";
    case "kept":
      return choice === "kept";
    case "rated":
      return choice !== "rejected" && rating !== undefined;
    case "unrated":
      return choice !== "rejected" && rating === undefined;
  }
}

/** The midnight at which that day begins, local time; `undefined` where there is no such day. */
function momentOf(day: string): number | undefined {
  const [year, month, date] = day.split("-").map(Number);
  const at = new Date(year ?? NaN, (month ?? NaN) - 1, date ?? NaN).getTime();
  return Number.isNaN(at) ? undefined : at;
}

type Comparer = (one: GalleryRow, other: GalleryRow) => number;

const { compare: compareWords } = new Intl.Collator(undefined, { numeric: true });

/** Tasks of a batch are submitted at the same moment: their variants decide, and last the id, so that the order is the same each time. */
const inBatch: Comparer = (one, other) =>
  compareWords(one.variant ?? one.prompt, other.variant ?? other.prompt) || compareText(one.id, other.id);

const newest: Comparer = (one, other) => other.at - one.at || inBatch(one, other);

const comparers: Readonly<Record<ResultOrder, Comparer>> = {
  newest,
  oldest: (one, other) => one.at - other.at || inBatch(one, other),
  rating: (one, other) => starsOf(other) - starsOf(one) || newest(one, other),
  model: (one, other) => compareText(one.model, other.model) || newest(one, other),
};

/** A kept result without stars comes before those without any mark. */
function starsOf({ rating = 0, choice }: GalleryRow): number {
  return rating + (choice === "kept" ? 0.5 : 0);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A value that can be filtered by, and how many results have it. */
export interface Facet {
  readonly value: string;
  readonly count: number;
  /** The prompt of the newest task of a batch. */
  readonly prompt: string;
}

export type FacetName = "type" | "model" | "gateway" | "batch";

/** The most frequent values first, batches by their time. */
export function facetsOf(rows: readonly GalleryRow[], name: FacetName, most: number): readonly Facet[] {
  const facets = new Map<string, { readonly value: string; count: number; readonly prompt: string }>();
  for (const row of rows) {
    const value = row[name];
    if (value === undefined) continue;
    const known = facets.get(value);
    if (known) known.count += 1;
    else facets.set(value, { value, count: 1, prompt: row.prompt });
  }
  const all = [...facets.values()];
  if (name !== "batch") all.sort((one, other) => other.count - one.count || compareText(one.value, other.value));
  return all.slice(0, most);
}

// VS Code keeps filter, order and size of the pictures while the tab is hidden and over a reload of the window.

export interface GalleryChoices {
  readonly filter: ResultFilter;
  readonly order: ResultOrder;
  /** The least width of a cell, in pixels. */
  readonly size: number;
  /** The fields of the filter are shown. */
  readonly isFilterOpen: boolean;
}

export const firstChoices: GalleryChoices = {
  filter: noResultFilter,
  order: "newest",
  size: 176,
  isFilterOpen: false,
};

/** Reads the kept choices. One that can't be read gets its initial value. */
export function readChoices(value: unknown): GalleryChoices {
  const kept = fieldsOf(fieldsOf(value)["choices"]);
  const filter = fieldsOf(kept["filter"]);
  const textOf = (name: keyof ResultFilter): string => {
    const text = filter[name];
    return typeof text === "string" ? text : "";
  };
  const size = Number(kept["size"]);
  return {
    filter: {
      text: textOf("text"),
      type: textOf("type"),
      model: textOf("model"),
      gateway: textOf("gateway"),
      batch: textOf("batch"),
      marks: oneOf<MarkFilter>(markFilters, filter["marks"]) ?? noResultFilter.marks,
      use: oneOf<UseFilter>(useFilters, filter["use"]) ?? "",
      from: textOf("from"),
      to: textOf("to"),
    },
    order: oneOf<ResultOrder>(resultOrders, kept["order"]) ?? firstChoices.order,
    size: size >= sizeLimits.min && size <= sizeLimits.max ? size : firstChoices.size,
    isFilterOpen: kept["isFilterOpen"] === true,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function oneOf<T>(all: readonly T[], value: unknown): T | undefined {
  return all.find((one) => one === value);
}
