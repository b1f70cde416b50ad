/** Leaves out fields that are `undefined`, because under `exactOptionalPropertyTypes` a missing field and one that is `undefined` differ. */

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type DefinedFields<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

/** Copies the fields that have a value, in their order: `{ id, ...definedFields({ note }) }` has no `note` when `note` is `undefined`. */
export function definedFields<const T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;
}

/**
 * Returns the keys of a table with their type, in the order in which they are written. It is for literals only, because another object
 * may have keys that its type does not name.
 */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}
