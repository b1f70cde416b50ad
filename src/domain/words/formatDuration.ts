/** How long something took. */
import { t } from "@vscode/l10n";

/** Shared by all rows and cards of a page. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string): Intl.NumberFormat {
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  formats.set(locale, format);
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
