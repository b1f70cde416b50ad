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
