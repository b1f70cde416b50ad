/** A page of the local gateway as a webview shows it: its own style, and nothing else, whatever the page holds. */

/** `header`: the page's Content-Security-Policy. Only the hash of its style is taken from it: it becomes part of an attribute. */
export function withPolicy(page: string, header: string | null): string {
  const style = /style-src ('sha256-[A-Za-z0-9+/=]{44}')/.exec(header ?? "")?.[1] ?? "'none'";
  const policy = `default-src 'none'; style-src ${style}; base-uri 'none'; form-action 'none'`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  // Before everything else: a policy counts for what comes after it.
  return page.replace(/^(?:<!doctype html>)?/i, (doctype) => `${doctype}${meta}`);
}
