/** *Show Local Gateway*: the gateway's own page (ledger, requests, errors of the client) in an editor tab. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { restrictPage } from "./pageHtml";
import { createTab } from "./show";

const pageLink = z.object({ url: z.url() });

/** Each call loads the page anew into the same tab. */
export function createLocalGatewayPage(
  start: () => Promise<{ readonly url: string; readonly key: string }>,
): () => Promise<void> {
  let panel: vscode.WebviewPanel | undefined;
  return async () => {
    const page = await readPage(await start());
    if (!panel) {
      panel = createTab("sluice.localGateway", t("Local Gateway"));
      panel.onDidDispose(() => (panel = undefined));
    }
    panel.webview.html = page;
    panel.reveal();
  };
}

/** Fetches the page by a one-time link, so that the key is in neither page nor URL. */
async function readPage({ url, key }: { url: string; key: string }): Promise<string> {
  const request = (address: string | URL, init: RequestInit = {}): Promise<Response> =>
    // A redirect is an error: neither the key nor the link is sent to another host.
    fetch(address, { ...init, redirect: "error", signal: AbortSignal.timeout(10_000) });
  const created = await request(`${url}/_local/page`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
  const address = new URL(pageLink.parse(await created.json()).url);
  if (address.origin !== new URL(url).origin) throw new Error(t("The local gateway names a page that is not its own."));
  const response = await request(address);
  if (!response.ok) throw new Error(t("The local gateway does not show its page (status {0}).", response.status));
  return restrictPage(await response.text(), response.headers.get("content-security-policy"));
}
