/** Requests to the local gateway's own routes, with its key: what the page and *Top Up* do. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import * as vscode from "vscode";
import { flashStatus } from "../../vscode/interface/show";

export interface LocalGatewayAccess {
  readonly url: string;
  /** The key of the main account. */
  readonly key: string;
}

/** Minor units that *Top Up* pays in. */
const topUpAmount = 100_000;

const balance = z.object({ available: z.number(), held: z.number(), spent: z.number(), deposited: z.number() });
const account = z.object({
  name: z.string(),
  key: z.string(),
  balance,
  open_holds: z.number(),
  task_types: z.array(
    z.object({
      type: z.string(),
      task_type: z.string(),
      enabled: z.boolean(),
    }),
  ),
});
const accountList = z.object({ accounts: z.array(account) });
const state = z.object({
  accounts: z.array(
    z.extend(account, {
      entries: z.array(
        z.object({
          at: z.number(),
          type: z.string(),
          amount: z.optional(z.number()),
          taskId: z.optional(z.string()),
        }),
      ),
    }),
  ),
  faults: z.array(z.object({ name: z.string(), route: z.optional(z.string()), times: z.optional(z.number()) })),
  clientReport: z.object({
    requests: z.number(),
    refused: z.number(),
    rules: z.array(z.object({ rule: z.string(), count: z.number() })),
    findings: z.array(z.object({ at: z.number(), rule: z.string(), detail: z.string() })),
  }),
});
export type LocalGatewayState = z.infer<typeof state>;

export async function readLocalState(gateway: LocalGatewayAccess): Promise<LocalGatewayState> {
  return state.parse(await request(gateway, "GET", "state"));
}

/** `undefined` for an account that is not there. */
export async function readLocalKey(gateway: LocalGatewayAccess, name: string): Promise<string | undefined> {
  const { accounts } = accountList.parse(await request(gateway, "GET", "accounts"));
  return accounts.find((one) => one.name === name)?.key;
}

/** Returns what is available then. */
export async function topUpLocal(gateway: LocalGatewayAccess, name?: string): Promise<number> {
  const body = { amount: topUpAmount, ...(name === undefined ? {} : { account: name }) };
  return balance.parse(await request(gateway, "POST", "deposit", body)).available;
}

export async function addLocalAccount(gateway: LocalGatewayAccess): Promise<void> {
  await request(gateway, "POST", "accounts", {});
}

export async function switchLocalType(
  gateway: LocalGatewayAccess,
  change: { readonly account: string; readonly taskType: string; readonly on: boolean },
): Promise<void> {
  const { account: name, taskType, on } = change;
  await request(gateway, "POST", "task-types", { account: name, task_type: taskType, enabled: on });
}

export async function clearLocalFaults(gateway: LocalGatewayAccess): Promise<void> {
  await request(gateway, "DELETE", "faults");
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
    // The key is sent to no other host.
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(t("The local gateway answered with status {0}: {1}", response.status, text.slice(0, 200)));
  return JSON.parse(text);
}

/** Top Up Local Gateway* (loaded with its first use): pays made-up money in, and shows what is available then. */
export async function topUpWithNotice(gateway: LocalGatewayAccess): Promise<void> {
  const available = await topUpLocal(gateway);
  const sum = new Intl.NumberFormat(vscode.env.language).format(available);
  flashStatus("check", t("The local gateway is topped up: {0} available.", sum), 5000);
}
