/** Text that every service accepts, for requests. */

/** Without NUL characters and unpaired surrogates, which services refuse. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), cleanValue(inner)]));
}
