/** The size of a file and of a picture, short. */
import { t } from "@vscode/l10n";
import { plural, textLanguage } from "./plural";

/** `34 KB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return plural(bytes, { one: "1 byte", other: "{0} bytes" });
  if (bytes < 1_000_000) return t("{0} KB", Math.round(bytes / 1000));
  return t("{0} MB", Math.round(bytes / 100_000) / 10);
}

/** `1,024 × 683`. */
export function pixelWords({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${groupedNumber(width)} × ${groupedNumber(height)}`;
}

/** `1,024`. */
export function groupedNumber(value: number): string {
  return value.toLocaleString(textLanguage());
}
