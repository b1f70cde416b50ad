/** Days of local time. By the calendar: a day has 23 or 25 hours where the clocks change. All times in milliseconds since 1970. */

/** The midnight at or before a moment. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The midnight after a moment. */
export function startOfNextDay(at: number): number {
  const day = new Date(startOfDay(at));
  return day.setDate(day.getDate() + 1);
}

/** *2026-11-24*. */
export function localDate(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
