/** Reads a time from a file that a person, a service or another machine may have written, and bounds it. */
import * as z from "zod/mini";

/** Outside these bounds `Date` is invalid, and `Intl.DateTimeFormat` throws a RangeError for it. */
const latest = 8.64e15;

/** Milliseconds since 1970. An invalid time is moved to the bound, not refused: its record is still read, so no paid task or prompt is lost. */
export const momentSchema = z.pipe(z.number(), z.transform(clampMoment));

export function clampMoment(at: number): number {
  return Math.min(Math.max(at, -latest), latest);
}
