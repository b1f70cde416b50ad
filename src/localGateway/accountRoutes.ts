/** Handlers for the person who runs the gateway: accounts, task types that are on or off, and the state that the page in the editor shows. */
import * as z from "zod/mini";
import { conductRules, type ConductRule } from "./conduct/rules";
import { type Account, accountName, findAccount, listAccounts, openAccount, switchType } from "./money/accountRows";
import { mainAccount } from "./state/accountSums";
import { readEntries } from "./money/ledgerEntries";
import type { LocalServices } from "./localServices";
import { taskTypeWords } from "./demo/taskKinds";
import { HttpError } from "./http/httpError";
import { readWire, withoutNulls } from "./http/readWire";
import { type RequestContext, readJson, sendJson } from "./http/requestContext";

const maxBodySize = 10_000;
/** Of an account, and of the conduct report, for the page. */
const shownEntries = 20;

const accountSchema = z.object({
  name: z.optional(z.string().check(z.regex(accountName))),
});
const typeSchema = z.object({ task_type: z.string(), enabled: z.boolean(), account: z.optional(z.string()) });

/** 403 with the key of another account. */
export function requireMainAccount({ account }: RequestContext): void {
  if (account === mainAccount) return;
  throw new HttpError(
    403,
    "forbidden",
    "This needs the key of the main account, which the gateway prints at its start.",
  );
}

/** With their keys. */
export async function getAccounts(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const accounts = await services.state.read(listAccounts);
  sendJson(context, 200, { accounts: accounts.map((account) => accountBody(account, services)) });
}

/** `{"name"}`, which may be missing. */
export async function postAccount(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const { name } = readWire(accountSchema, withoutNulls(await readJson(context, maxBodySize)));
  const { state, clock, keys } = services;
  const account = await state.change((connection) => openAccount(connection, clock.now(), name));
  if (account.key !== undefined) keys.add(account.key, account.id);
  sendJson(context, 201, accountBody(account, services));
}

/** `{"task_type", "enabled", "account"}`; without an account the main one. */
export async function postTaskType(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const body = readWire(typeSchema, withoutNulls(await readJson(context, maxBodySize)));
  const type = services.typeNames.typeOf(body.task_type, "task_type");
  const account = await services.state.change((connection) => {
    const name = body.account ?? listAccounts(connection)[0]?.name ?? "";
    switchType(connection, findAccount(connection, name), type, body.enabled);
    return findAccount(connection, name);
  });
  sendJson(context, 200, accountBody(account, services));
}

/** Everything that the page in the editor shows; it never gets the keys from the editor. */
export async function getState(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const { state, lab, conduct, log } = services;
  await state.flushed();
  const accounts = await state.read((connection) =>
    listAccounts(connection).map((account) => {
      const entries = readEntries(connection, account.id, shownEntries).toReversed();
      return { ...accountBody(account, services), entries };
    }),
  );
  sendJson(context, 200, {
    accounts,
    faults: (lab?.faults.armed ?? []).map(({ name, route, times }) => ({ name, route, times })),
    conduct: {
      requests: conduct.requests,
      refused: log.refused,
      rules: Object.keys(conductRules).map((rule) => ({ rule, count: conduct.count(rule as ConductRule) })),
      findings: conduct.findings.slice(-shownEntries).toReversed(),
    },
  });
}

function accountBody(account: Account, { keys, typeNames }: LocalServices): object {
  const { id, name, balance, openHolds, typesOff } = account;
  return {
    name,
    key: keys.keyOf(id),
    balance,
    open_holds: openHolds,
    task_types: taskTypeWords.map((type) => ({
      type,
      task_type: typeNames.nameOf(type),
      enabled: !typesOff.includes(type),
    })),
  };
}
