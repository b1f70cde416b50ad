/** Formats for times in a language: hours and minutes, with seconds, and the day. */

interface TimeFormats {
  readonly time: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
}

/** Creating a format costs far more than using it, and a thousand rows use the same three. */
const formats = new Map<string, TimeFormats>();

export function formatsOf(locale: string): TimeFormats {
  const known = formats.get(locale);
  if (known) return known;
  const made: TimeFormats = {
    time: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
    exact: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
    day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }),
  };
  formats.set(locale, made);
  return made;
}
