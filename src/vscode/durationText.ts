/** How long something took, in the units of a language: `41 s`, `2 m 5 s`, `1 h 3 m`. */

const formats = new Map<string, Intl.NumberFormat>();

function unit(value: number, name: "second" | "minute" | "hour", locale: string): string {
  const key = `${locale} ${name}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "narrow" });
    formats.set(key, format);
  }
  return format.format(value);
}

/** `duration` in milliseconds. */
export function formatDuration(duration: number, locale: string): string {
  const seconds = Math.round(duration / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return unit(seconds, "second", locale);
  if (minutes < 60) return `${unit(minutes, "minute", locale)} ${unit(seconds % 60, "second", locale)}`;
  return `${unit(Math.floor(minutes / 60), "hour", locale)} ${unit(minutes % 60, "minute", locale)}`;
}
