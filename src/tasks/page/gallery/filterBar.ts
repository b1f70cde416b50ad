/** The bar above the grid: the search, the order, the size of the pictures, and the fields of the filter, which a button shows. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { live } from "lit-html/directives/live.js";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { GalleryRow } from "../../contract/galleryPageContract";
import { sizeLimits } from "./gridLayout";
import { revealName } from "../../../webview/hiddenCharacters";
import {
  type GalleryChoices,
  countFilters,
  type Facet,
  type FacetName,
  facetsOf,
  type MarkFilter,
  markFilters,
  noResultFilter,
  type ResultFilter,
  type ResultOrder,
  resultOrders,
  type UseFilter,
  useFilters,
} from "./resultFilter";

/** The most values of one field, because nobody reads a longer list. */
const maxFacets = 200;

export interface FilterBarContext {
  /** All results, newest first. */
  readonly rows: readonly GalleryRow[];
  readonly choices: GalleryChoices;
  readonly change: (change: Partial<GalleryChoices>) => void;
}

export function filterBar({ rows, choices, change }: FilterBarContext): TemplateResult {
  const { filter, order, size, isFilterOpen } = choices;
  const count = countFilters(filter);
  const toFilter = (fields: Partial<ResultFilter>): void => change({ filter: { ...filter, ...fields } });
  return html`<div class="filter-bar fields" role="search" aria-label=${t("Filter")}>
    <div class="filter-line">
      <input
        class="filter-text"
        type="search"
        placeholder=${t("Search the prompts")}
        aria-label=${t("Search the prompts")}
        .value=${live(filter.text)}
        @input=${(event: Event) => toFilter({ text: valueOf(event) })}
      />
      <button
        type="button"
        class="button secondary"
        aria-expanded=${isFilterOpen}
        @click=${() => change({ isFilterOpen: !isFilterOpen })}
      >
        ${count === 0 ? t("Filter") : plural(count, { other: "Filter ({0})" })}
      </button>
      ${select(
        t("Order"),
        order,
        resultOrders.map((value) => [value, orderName(value)]),
        (value) => change({ order: value as ResultOrder }),
      )}
      <label class="filter-size" title=${t("Size of the pictures")}>
        <span class="hidden">${t("Size of the pictures")}</span>
        <input
          type="range"
          min=${sizeLimits.min}
          max=${sizeLimits.max}
          step=${sizeLimits.step}
          .value=${live(String(size))}
          @input=${(event: Event) => change({ size: Number(valueOf(event)) })}
        />
      </label>
    </div>
    ${isFilterOpen ? filterFields(rows, filter, toFilter) : nothing}
  </div>`;
}

function filterFields(
  rows: readonly GalleryRow[],
  filter: ResultFilter,
  change: (fields: Partial<ResultFilter>) => void,
): TemplateResult {
  const facet = (name: FacetName, label: string, every: string, nameOf: (facet: Facet) => string): unknown =>
    guard([rows, filter[name]], () => {
      const facets = facetsOf(rows, name, maxFacets);
      const isUseful = facets.length > 1 || filter[name] !== "" || (name === "batch" && facets.length > 0);
      if (!isUseful) return nothing;
      const options = facets.map((one) => [one.value, nameOf(one)] as const);
      return select(label, filter[name], [["", every], ...options], (value) => change({ [name]: value }));
    });
  return html`<div class="filter-fields">
    ${select(
      t("Marks"),
      filter.marks,
      markFilters.map((value) => [value, markName(value)]),
      (value) => change({ marks: value as MarkFilter }),
    )}
    ${select(
      t("Use in the project"),
      filter.use,
      useFilters.map((value) => [value, useName(value)]),
      (value) => change({ use: value as UseFilter }),
    )}
    ${facet("type", t("Type"), t("All types"), ({ value }) => taskTypeName(value))}
    ${facet("model", t("Model"), t("All models"), ({ value }) => revealName(value))}
    ${facet("gateway", t("Gateway"), t("All gateways"), ({ value }) => revealName(value))}
    ${facet("batch", t("Batch"), t("All batches"), batchName)}
    ${dayField(t("From"), filter.from, (from) => change({ from }))}
    ${dayField(t("To"), filter.to, (to) => change({ to }))}
    ${
      countFilters(filter) === 0
        ? nothing
        : html`<button
            type="button"
            class="button quiet"
            @click=${() => change({ ...noResultFilter, text: filter.text })}
          >
            ${t("Clear Filter")}
          </button>`
    }
  </div>`;
}

function batchName({ prompt, count }: Facet): string {
  return t("{0} · {1}", revealName(cutLabel(prompt, 30)), count);
}

function dayField(label: string, value: string, onChange: (value: string) => void): TemplateResult {
  return html`<label class="filter-day">
    <span>${label}</span>
    <input type="date" .value=${live(value)} @change=${(event: Event) => onChange(valueOf(event))} />
  </label>`;
}

function select(
  label: string,
  value: string,
  options: readonly (readonly [value: string, name: string])[],
  onChange: (value: string) => void,
): TemplateResult {
  return html`<select
    class=${value === "" || value === "usual" || label === t("Order") ? "" : "filtering"}
    aria-label=${label}
    title=${label}
    @change=${(event: Event) => onChange(valueOf(event))}
  >
    ${options.map(([one, name]) => html`<option value=${one} .selected=${one === value}>${name}</option>`)}
  </select>`;
}

function valueOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLInputElement || currentTarget instanceof HTMLSelectElement
    ? currentTarget.value
    : "";
}

function orderName(order: ResultOrder): string {
  switch (order) {
    case "newest":
      return t("Newest first");
    case "oldest":
      return t("Oldest first");
    case "rating":
      return t("Best rated first");
    case "model":
      return t("By model");
  }
}

function markName(marks: MarkFilter): string {
  switch (marks) {
    case "usual":
      return t("All but rejected");
    case "kept":
      return t("Kept");
    case "rated":
      return t("Rated");
    case "unrated":
      return t("Not rated");
    case "rejected":
      return t("Rejected");
    case "all":
      return t("Rejected too");
  }
}

function useName(use: UseFilter): string {
  switch (use) {
    case "":
      return t("Used or not");
    case "used":
      return t("Used in this project");
    case "unused":
      return t("Not used in this project");
    case "rehearsed":
      return t("Placeholders");
    case "stale":
      return t("Prompt changed since");
    case "foreign":
      return t("File changed since");
  }
}
