/** The selection of results, as in VS Code's own lists: one is active and has the focus, several may be selected. Pure. */

export interface Selection {
  readonly selected: ReadonlySet<string>;
  /** The result that has the focus. */
  readonly active: string | undefined;
  /** The result at which a range begins. */
  readonly anchor: string | undefined;
}

export const noSelection: Selection = { selected: new Set(), active: undefined, anchor: undefined };

/** Moves the focus; the selected results stay selected. */
export function moveTo(selection: Selection, id: string): Selection {
  return { ...selection, active: id, anchor: id };
}

export function selectOnly(id: string): Selection {
  return { selected: new Set([id]), active: id, anchor: id };
}

export function toggle({ selected }: Selection, id: string): Selection {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return { selected: next, active: id, anchor: id };
}

/** Selects the range from the anchor to that result, in the order of the grid. */
export function extendTo({ selected, active, anchor }: Selection, order: readonly string[], id: string): Selection {
  const begin = anchor ?? active ?? id;
  const [one, other] = [order.indexOf(begin), order.indexOf(id)];
  const range = one < 0 ? [id] : order.slice(Math.min(one, other), Math.max(one, other) + 1);
  return { selected: new Set([...selected, ...range]), active: id, anchor: begin };
}

export function selectAll(selection: Selection, order: readonly string[]): Selection {
  return { ...selection, selected: new Set(order) };
}

export function selectNone(selection: Selection): Selection {
  return { ...selection, selected: new Set() };
}

/**
 * Keeps the selection after the grid has changed from one order to another, without results that are gone. The focus goes from a result that is gone
 * to the one that has taken its place.
 */
export function keepPresent(selection: Selection, before: readonly string[], now: readonly string[]): Selection {
  const present = new Set(now);
  const selected = new Set([...selection.selected].filter((id) => present.has(id)));
  const { active, anchor } = selection;
  if (active === undefined || present.has(active)) {
    return { selected, active, anchor: anchor !== undefined && present.has(anchor) ? anchor : active };
  }
  const place = before.indexOf(active);
  const following = before.slice(place + 1).find((id) => present.has(id));
  const next = following ?? before.slice(0, Math.max(place, 0)).findLast((id) => present.has(id)) ?? now[0];
  return { selected, active: next, anchor: next };
}

/** Ids that VS Code keeps for the tab. */
const maxKept = 500;

/** Reads the kept ids; empty where they can't be read. */
export function readSelected(kept: unknown): Set<string> {
  const ids: unknown = typeof kept === "object" && kept !== null && "selected" in kept ? kept.selected : undefined;
  return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(0, maxKept) : []);
}

/** Selects those of the kept ids whose results have come by now, and removes them from `waiting`. */
export function selectKept(selection: Selection, order: readonly string[], waiting: Set<string>): Selection {
  const come = waiting.size === 0 ? [] : order.filter((id) => waiting.delete(id));
  if (come.length === 0) return selection;
  return { ...selection, selected: new Set([...selection.selected, ...come]), active: selection.active ?? come[0] };
}

export function keptIds({ selected }: Selection, waiting: ReadonlySet<string>): readonly string[] {
  return [...selected, ...waiting].slice(0, maxKept);
}

/** The results that the bar and the menu act on, in the order of the grid. */
export function selectedOf({ selected }: Selection, order: readonly string[]): readonly string[] {
  return selected.size === 0 ? [] : order.filter((id) => selected.has(id));
}

/** The results that a key acts on: the selected ones, or the active one if it is not among them. */
export function targetsOf(selection: Selection, order: readonly string[]): readonly string[] {
  const { selected, active } = selection;
  return active === undefined || selected.has(active) ? selectedOf(selection, order) : [active];
}
