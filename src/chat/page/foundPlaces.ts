/** The matches of Find in Chat, counted over all entries. Pure. */
import type { FoundEntry } from "../../domain/chat/findPattern";

/** The `occurrence`th match in the `part`th text of an entry, both from 0. */
export interface MatchPlace {
  readonly entry: string;
  readonly part: number;
  readonly occurrence: number;
}

export function countPlaces(hits: readonly FoundEntry[]): number {
  return hits.reduce((sum, { parts }) => sum + parts.reduce((all, count) => all + count, 0), 0);
}

export function placeAt(hits: readonly FoundEntry[], index: number): MatchPlace | undefined {
  let rest = index;
  for (const { entry, parts } of hits) {
    for (const [part, count] of parts.entries()) {
      if (rest < count) return rest < 0 ? undefined : { entry, part, occurrence: rest };
      rest -= count;
    }
  }
  return undefined;
}

/** The index of the place, or of the match that is now at its position; -1 when its entry has no match. */
export function indexOfPlace(hits: readonly FoundEntry[], place: MatchPlace): number {
  let before = 0;
  for (const { entry, parts } of hits) {
    const whole = parts.reduce((all, count) => all + count, 0);
    if (entry === place.entry) {
      const earlier = parts.slice(0, place.part).reduce((all, count) => all + count, 0);
      return before + Math.min(earlier + place.occurrence, whole - 1);
    }
    before += whole;
  }
  return -1;
}

/** The index of the first match in that entry or a later one, otherwise of the last match. `entries`: the ids in the order of the chat. */
export function indexFrom(hits: readonly FoundEntry[], entries: readonly string[], entry: string | undefined): number {
  const later = new Set(entry === undefined ? entries : entries.slice(entries.indexOf(entry)));
  let before = 0;
  for (const { entry: id, parts } of hits) {
    if (later.has(id)) return before;
    before += parts.reduce((all, count) => all + count, 0);
  }
  return before - 1;
}
