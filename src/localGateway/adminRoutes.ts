/**
 * Handlers of the endpoints under `/_local`: money, requests, clock, and, for the person who runs the gateway, accounts and task types.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { HttpError } from "./http/httpError";
import { type RequestContext, readJson, sendJson, readWire, withoutNulls } from "./http/requestContext";
import {
  readEntries,
  findAccount,
  Ledger,
  type Account,
  accountName,
  listAccounts,
  openAccount,
  switchType,
} from "./ledger";
import { readSums, mainAccount } from "./state/stateDatabase";
import type { LocalServices } from "./services";
import { proofOf } from "./state/stateLock";
import { taskTypeWords } from "./demo/taskKinds";

const maxBodySize = 100_000;
/** Milliseconds, at most a year. */
const moveSchema = z.object({ advance: z.number().check(z.nonnegative(), z.maximum(366 * 86_400_000)) });

/** The amount is bounded, so that the sums stay exact integers. */
const depositSchema = z.object({
  amount: z.int().check(z.positive(), z.maximum(1e12)),
  /** Accepted only with the key of the main account. When missing, it is the account of the key. */
  account: z.optional(z.string()),
});

/** Proves to another process with the same state folder that this is the folder's gateway, without sending the key. */
export function getProof(context: RequestContext, { secrets }: LocalServices): void {
  sendJson(context, 200, { proof: proofOf(secrets.hello, context.url.searchParams.get("nonce") ?? "") });
}

/** Responds with the sums after every change that was begun before. */
export async function getBalance(context: RequestContext, { state }: LocalServices): Promise<void> {
  const { balance } = await state.flushed().then(() => state.read((read) => readSums(read, context.account)));
  sendJson(context, 200, { unit: "minor", ...balance });
}

/** Responds with the balance in the form of the dialect. A path of another dialect is a 404. */
export async function getStatedBalance(context: RequestContext, { state, dialect }: LocalServices): Promise<void> {
  const { pathname } = context.url;
  const write = dialect.balances?.[pathname];
  if (write === undefined) throw new HttpError(404, "not_found", `There is nothing at GET ${pathname}.`);
  await state.flushed();
  const { balance } = await state.read((read) => readSums(read, context.account));
  sendJson(context, 200, write(balance));
}

/** `{"amount"}`, minor units: responds with the new sums. */
export async function postDeposit(context: RequestContext, { state, clock }: LocalServices): Promise<void> {
  const { amount, account: name } = readWire(depositSchema, await readJson(context, maxBodySize));
  if (name !== undefined) requireMainAccount(context);
  const { balance } = await state.change((connection) => {
    const account = name === undefined ? context.account : findAccount(connection, name).id;
    new Ledger(connection, clock.now(), account).deposit(amount);
    return readSums(connection, account);
  });
  sendJson(context, 200, { unit: "minor", ...balance });
}

/** `?last=N`: the newest entries only. */
export async function getLedger(context: RequestContext, { state }: LocalServices): Promise<void> {
  await state.flushed();
  const { account } = context;
  const last = /^\d{1,6}$/.exec(context.url.searchParams.get("last") ?? "")?.[0];
  const count = last === undefined ? undefined : Number(last);
  const [{ balance, openHolds }, entries] = await state.read(
    (connection) => [readSums(connection, account), readEntries(connection, account, count)] as const,
  );
  sendJson(context, 200, {
    balance,
    open_holds: openHolds,
    entries: entries.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry })),
  });
}

export function getRequests(context: RequestContext, { log }: LocalServices): void {
  sendJson(context, 200, { refused: log.refused, requests: log.requests });
}

export function getClock(context: RequestContext, { clock }: LocalServices): void {
  sendJson(context, 200, { now: new Date(clock.now()).toISOString(), movable: isMovable(clock) });
}

/** `{"advance": ms}`: responds when everything that has come due is committed. 409 if the clock is the system's. */
export async function moveClock(context: RequestContext, { clock, state, tasks }: LocalServices): Promise<void> {
  const { advance } = readWire(moveSchema, await readJson(context, maxBodySize));
  if (!isMovable(clock)) throw new HttpError(409, "clock_not_movable", notMovable);
  await clock.advance(advance);
  await tasks.settle();
  await state.flushed();
  sendJson(context, 200, { now: new Date(clock.now()).toISOString(), movable: true });
}

const notMovable =
  "This gateway runs on the system's clock. Start it with --movable-clock: npm run gateway -- --movable-clock";

type AdvancingClock = Clock & { advance(ms: number): Promise<void> };

function isMovable(clock: Clock): clock is AdvancingClock {
  return "advance" in clock && typeof clock.advance === "function";
}

// Handlers for the person who runs the gateway: accounts, and task types that are on or off.

const maxAccountBodySize = 10_000;

const accountSchema = z.object({
  name: z.optional(z.string().check(z.regex(accountName))),
});
const typeSchema = z.object({ task_type: z.string(), enabled: z.boolean(), account: z.optional(z.string()) });

/** 403 with the key of another account. */
function requireMainAccount({ account }: RequestContext): void {
  if (account === mainAccount) return;
  throw new HttpError(
    403,
    "forbidden",
    "This needs the key of the main account, which the gateway prints at its start.",
  );
}

/** Responds with all accounts and their keys. */
export async function getAccounts(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const accounts = await services.state.read(listAccounts);
  sendJson(context, 200, { accounts: accounts.map((account) => accountBody(account, services)) });
}

/** `{"name"}`: creates an account; the name may be missing. */
export async function postAccount(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const { name } = readWire(accountSchema, withoutNulls(await readJson(context, maxAccountBodySize)));
  const { state, clock, keys } = services;
  const account = await state.change((connection) => openAccount(connection, clock.now(), name));
  if (account.key !== undefined) keys.add(account.key, account.id);
  sendJson(context, 201, accountBody(account, services));
}

/** `{"task_type", "enabled", "account"}`: switches a task type on or off; without `account` for the main one. */
export async function postTaskType(context: RequestContext, services: LocalServices): Promise<void> {
  requireMainAccount(context);
  const body = readWire(typeSchema, withoutNulls(await readJson(context, maxAccountBodySize)));
  const type = services.typeNames.typeOf(body.task_type, "task_type");
  const account = await services.state.change((connection) => {
    const name = body.account ?? listAccounts(connection)[0]?.name ?? "";
    switchType(connection, findAccount(connection, name), type, body.enabled);
    return findAccount(connection, name);
  });
  sendJson(context, 200, accountBody(account, services));
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
