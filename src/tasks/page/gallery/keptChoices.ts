/** What VS Code keeps of the gallery while its tab is hidden and over a reload of the window: filter, order, size of the pictures. */
import { sizeLimits } from "./gridLayout";
import {
  type MarkFilter,
  markFilters,
  noResultFilter,
  type ResultFilter,
  type ResultOrder,
  resultOrders,
  type UseFilter,
  useFilters,
} from "./resultFilter";

export interface GalleryChoices {
  readonly filter: ResultFilter;
  readonly order: ResultOrder;
  /** The width of a cell in pixels, at least. */
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

/** What can't be read is as at first. */
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
