/** The keys of a table that is typed by them, in the order in which they are written. */

/** For literals only: an object that came from elsewhere may have keys that its type does not name. */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}
