/** Computes days of local time by the calendar, because a day has 23 or 25 hours where the clocks change. All times are milliseconds since 1970. */

/** The midnight at or before a moment. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The midnight after a moment. */
export function startOfNextDay(at: number): number {
  const day = new Date(startOfDay(at));
  return day.setDate(day.getDate() + 1);
}

/** Writes the day as *2026-11-24*. */
export function localDate(at: number): string {
  const date = new Date(at);
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
