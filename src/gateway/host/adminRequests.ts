/** Requests of the page and of *Top Up* to the local gateway's own routes, with its key. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import * as vscode from "vscode";
import { flashStatus } from "../../vscode/interface/show";

export interface LocalGatewayAccess {
  readonly url: string;
  /** The key of the main account. */
  readonly key: string;
}

/** The minor units that *Top Up* pays in. */
const topUpAmount = 100_000;

const balance = z.object({ available: z.number(), held: z.number(), spent: z.number(), deposited: z.number() });
/** The number of ledger entries that the page shows. */
const shownEntries = 20;

const ledger = z.object({
  balance,
  open_holds: z.number(),
  /** Oldest first. */
  entries: z.array(
    z.object({
      at: z.string(),
      type: z.string(),
      amount: z.optional(z.number()),
      taskId: z.optional(z.string()),
    }),
  ),
});
export type LocalGatewayState = z.infer<typeof ledger>;

export async function readLocalState(gateway: LocalGatewayAccess): Promise<LocalGatewayState> {
  return ledger.parse(await request(gateway, "GET", `ledger?last=${shownEntries}`));
}

/** Returns the available money after the payment. */
export async function topUpLocal(gateway: LocalGatewayAccess): Promise<number> {
  return balance.parse(await request(gateway, "POST", "deposit", { amount: topUpAmount })).available;
}

async function request(
  { url, key }: LocalGatewayAccess,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${url}/_local/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A redirect must not lead the key to another host.
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(t("The local gateway answered with status {0}: {1}", response.status, text.slice(0, 200)));
  return JSON.parse(text);
}

/** *Top Up Local Gateway* (loaded with its first use): pays in made-up money, and shows how much is available. */
export async function topUpWithNotice(gateway: LocalGatewayAccess): Promise<void> {
  const available = await topUpLocal(gateway);
  const sum = new Intl.NumberFormat(vscode.env.language).format(available);
  flashStatus("check", t("The local gateway is topped up: {0} available.", sum), 5000);
}
