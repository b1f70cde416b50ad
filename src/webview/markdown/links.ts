/** Which addresses of a model's text may become links: those that VS Code can be asked to open, nothing that runs. */

const openable = new Set(["http:", "https:", "mailto:"]);

/** The address in its normal form, or `undefined` for what stays text: relative paths, `javascript:`, `data:`, `command:`. */
export function readLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return openable.has(url.protocol) ? url.href : undefined;
}
