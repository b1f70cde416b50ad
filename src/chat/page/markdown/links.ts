/** Which addresses in a model's text become links: web and mail addresses, which the host can open, and none that runs code. */

const openable = new Set(["http:", "https:", "mailto:"]);

/** The address in its normal form, or `undefined` for what stays text: relative paths, `javascript:`, `data:`, `command:`. */
export function readLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return openable.has(url.protocol) ? url.href : undefined;
}
