/** Formats for times in a language: hours and minutes, with seconds, the day, and the whole date. */

interface TimeFormats {
  readonly time: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  /** With the day of the week. */
  readonly date: Intl.DateTimeFormat;
}

/** Creating a format costs far more than using it, and a thousand rows use the same three. */
const formats = new Map<string, TimeFormats>();

export function formatsOf(locale: string): TimeFormats {
  const known = formats.get(locale);
  if (known) return known;
  const made: TimeFormats = {
    time: new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }),
    exact: new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", second: "2-digit" }),
    day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }),
    date: new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
  };
  formats.set(locale, made);
  return made;
}
