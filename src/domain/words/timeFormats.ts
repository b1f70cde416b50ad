/** Formats times and durations in a language: hours and minutes, seconds, the day, the whole date, and how long something took. */
import { clampMoment } from "../../base/momentSchema";
import { t } from "@vscode/l10n";

const shapes = {
  time: { hour: "numeric", minute: "2-digit" },
  exact: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  day: { day: "numeric", month: "short" },
  date: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Creating one takes 5 ms, using it some µs: each is made with its first use and then shared by all rows. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `at`: milliseconds since 1970; a damaged database may have any. */
export function formatTime(locale: string, shape: keyof typeof shapes, at: number): string {
  const name = `${locale} ${shape}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, shapes[shape]);
    formats.set(name, format);
  }
  return format.format(clampMoment(at));
}

export interface Times {
  /** Hours and minutes, with the date when it is not today. */
  short(at: number): string;
  /** The time with seconds, and with the date when it is not today. */
  exact(at: number): string;
}

export function createTimes(locale: string, now: number): Times {
  const withDay = (at: number, time: string): string =>
    isSameDay(at, now) ? time : `${formatTime(locale, "day", at)} ${time}`;
  return {
    short: (at) => withDay(at, formatTime(locale, "time", at)),
    exact: (at) => withDay(at, formatTime(locale, "exact", at)),
  };
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

// Formats how long something took.

/** Shared by all rows and cards of a page. */
const durationFormats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string): Intl.NumberFormat {
  const format = durationFormats.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  durationFormats.set(locale, format);
  return format;
}

/** `4.2 s`, `41 s`, `2 min 5 s`, `1 h 3 min`; `duration` in milliseconds. */
export function formatDuration(duration: number, locale: string): string {
  const seconds = Math.round(duration / 1000);
  if (seconds < 60) return t("{0} s", formatOf(locale).format(duration < 10_000 ? duration / 1000 : seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("{0} min {1} s", minutes, seconds % 60);
  return t("{0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}
