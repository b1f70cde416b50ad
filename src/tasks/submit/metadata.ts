/** `metadata_json` of a task: the fields that task types commonly take, and the check of what a person typed as JSON. */
export type MetadataObject = Readonly<Record<string, unknown>>;

/** The fields of the form; everything else in the object is kept as it is. */
export interface CommonMetadata {
  readonly size?: string | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly seed?: number | undefined;
}

/** A field that is `undefined` is taken out. */
export function withCommon(before: MetadataObject, change: CommonMetadata): MetadataObject {
  const merged: Record<string, unknown> = { ...before, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** The object, or why the text is none. Empty text is the empty object. */
export function readMetadata(text: string): { readonly object: MetadataObject } | { readonly problem: string } {
  if (text.trim() === "") return { object: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { object: value as MetadataObject };
    return { problem: Array.isArray(value) ? "array" : value === null ? "null" : typeof value };
  } catch (failure) {
    return { problem: failure instanceof Error ? failure.message : String(failure) };
  }
}

export function writeMetadata(object: MetadataObject): string | undefined {
  return Object.keys(object).length === 0 ? undefined : JSON.stringify(object);
}

/** For one line: `size 1280x720 · seed 7`. */
export function describeMetadata(object: MetadataObject): string {
  return Object.entries(object)
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}
