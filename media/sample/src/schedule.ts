export interface Show {
  readonly title: string;
  /** Local time, as 21:30. */
  readonly start: string;
  readonly minutes: number;
}

export const schedule: readonly Show[] = [
  { title: "Lanterns on the water", start: "20:15", minutes: 25 },
  { title: "The lighthouse story", start: "21:00", minutes: 40 },
  { title: "Fireworks over the pier", start: "22:30", minutes: 15 },
];

// TODO: leave out the shows that start after the last ferry at 22:00.
export function totalMinutes(shows: readonly Show[]): number {
  return shows.reduce((sum, show) => sum + show.minutes, 0);
}
