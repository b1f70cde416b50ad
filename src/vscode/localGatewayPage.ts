/** *Show Local Gateway*: the gateway's own page (its money, its requests, what the client did wrong) in an editor tab. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { restrictPage } from "./pageHtml";
import { createTab } from "./show";

const link = z.object({ url: z.url() });

/** Each call shows the page as it is now, in the same tab. */
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

/** The page opens by a link that is good for one time; the key itself goes into no page and no address. */
async function readPage({ url, key }: { url: string; key: string }): Promise<string> {
  const ask = (address: string | URL, init: RequestInit = {}): Promise<Response> =>
    // Nothing leads elsewhere: neither the key nor the link.
    fetch(address, { ...init, redirect: "error", signal: AbortSignal.timeout(10_000) });
  const made = await ask(`${url}/_local/page`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
  const address = new URL(link.parse(await made.json()).url);
  if (address.origin !== new URL(url).origin) throw new Error(t("The local gateway names a page that is not its own."));
  const answer = await ask(address);
  if (!answer.ok) throw new Error(t("The local gateway does not show its page (status {0}).", answer.status));
  return restrictPage(await answer.text(), answer.headers.get("content-security-policy"));
}
