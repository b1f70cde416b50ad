/** The HTML of the webview pages: their Content-Security-Policy, and the document that loads a bundle under it (P5). Pure. */

/** Directives that are part of every page's policy. */
const baseDirectives = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

/**
 * The policy of a page of ours. Scripts need the nonce; styles, fonts and images come from `source`, the origin of the extension's files;
 * images may also be made by the page itself. With `video`, videos come from `source` too; with `reads`, scripts may fetch its files.
 */
export function scriptedPagePolicy(source: string, nonce: string, { video = false, reads = false } = {}): string {
  return [
    ...baseDirectives,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data: blob:`,
    ...(video ? [`media-src ${source}`] : []),
    ...(reads ? [`connect-src ${source}`] : []),
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
}

export interface PageDocument {
  readonly title: string;
  /** BCP 47, such as `zh-cn`. */
  readonly language: string;
  readonly policy: string;
  readonly nonce: string;
  /** The style sheet of all pages, then the page's own. */
  readonly styleUrls: readonly string[];
  readonly scriptUrl: string;
  /** The translation bundle as JSON, read by the page's script; absent in English. */
  readonly translations: string | undefined;
  /** The state that the host has kept of the page, as JSON. */
  readonly state?: string | undefined;
}

export function pageHtml(page: PageDocument): string {
  const { title, language, policy, nonce, styleUrls, scriptUrl, translations = "", state = "" } = page;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${styleUrls.map((url) => `<link rel="stylesheet" href="${escapeHtml(url)}">`).join("\n")}
<title>${escapeHtml(title)}</title>
</head>
<body>
<div id="app" data-l10n="${escapeHtml(translations)}"${state === "" ? "" : ` data-state="${escapeHtml(state)}"`}></div>
<script type="module" nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUrl)}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
