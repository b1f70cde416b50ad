/** Adds lines and columns to references: without an editor, nothing else turns an offset of a document into a place. Pure. */
import type { FoundReference } from "./foundReference";

export interface TextPlace {
  /** Counted from 0, in UTF-16 units, as editors count. */
  readonly line: number;
  readonly column: number;
}

export interface PlacedReference extends FoundReference {
  readonly from: TextPlace;
  readonly to: TextPlace;
}

/** `found`: in their order in the text. */
export function withPlaces(text: string, found: readonly FoundReference[]): readonly PlacedReference[] {
  let line = 0;
  let lineStart = 0;
  const placeOf = (offset: number): TextPlace => {
    for (let next = text.indexOf("\n", lineStart); next >= 0 && next < offset; next = text.indexOf("\n", lineStart)) {
      line += 1;
      lineStart = next + 1;
    }
    return { line, column: offset - lineStart };
  };
  return found.map((reference) => ({ ...reference, from: placeOf(reference.start), to: placeOf(reference.end) }));
}
