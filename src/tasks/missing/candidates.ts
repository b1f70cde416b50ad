/** The paths of a `srcset` with their descriptors, in one pass over its words. */
import { isMediaPath, type PathTest } from "./foundReference";

interface Candidate {
  readonly written: string;
  /** The offset of the path in the value. */
  readonly at: number;
  readonly count?: number;
  /** `w`: `count` is the width of the file in pixels. `x`: it is how many there are for each pixel of the page. */
  readonly unit?: "w" | "x";
}

const maxCandidates = 50;

export function candidatesOf(value: string, isWanted: PathTest = isMediaPath): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const match of value.matchAll(/\S+/g)) {
    const word = match[0];
    const descriptor = /^(\d{1,5}(?:\.\d{1,3})?)([wx]),?$/.exec(word);
    const last = found.at(-1);
    if (descriptor !== null && last !== undefined && last.unit === undefined)
      found[found.length - 1] = { ...last, count: Number(descriptor[1]), unit: descriptor[2] === "w" ? "w" : "x" };
    else if (found.length < maxCandidates && word.length <= 1000) {
      const written = word.replace(/^,/, "").replace(/,$/, "");
      found.push({ written, at: match.index + (word.startsWith(",") ? 1 : 0) });
    }
  }
  return found.filter(({ written }) => isWanted(written));
}
