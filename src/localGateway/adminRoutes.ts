/** Handlers of the gateway's own endpoints under `/_local`: money, requests, clock. */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { HttpError } from "./http/httpError";
import { type RequestContext, readJson, sendJson } from "./http/requestContext";
import { readEntries } from "./money/ledgerEntries";
import { findAccount } from "./money/accountRows";
import { Ledger } from "./money/ledger";
import { readSums } from "./state/accountSums";
import { requireMainAccount } from "./accountRoutes";
import { readWire } from "./http/readWire";
import type { LocalServices } from "./localServices";
import { proofOf } from "./state/stateLock";

const maxBodySize = 100_000;
/** At most a year. */
const moveSchema = z.object({ advance: z.number().check(z.nonnegative(), z.maximum(366 * 86_400_000)) });

/** Bounded, so that the sums stay exact integers. */
const depositSchema = z.object({
  amount: z.int().check(z.positive(), z.maximum(1e12)),
  /** Only with the key of the main account; missing: that of the key. */
  account: z.optional(z.string()),
});

/** Proves to another process on the same state folder that this is its gateway, without the key. */
export function getProof(context: RequestContext, { secrets }: LocalServices): void {
  sendJson(context, 200, { proof: proofOf(secrets.hello, context.url.searchParams.get("nonce") ?? "") });
}

/** With every change that was begun before. */
export async function getBalance(context: RequestContext, { state }: LocalServices): Promise<void> {
  const { balance } = await state.flushed().then(() => state.read((read) => readSums(read, context.account)));
  sendJson(context, 200, { unit: "minor", ...balance });
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

export async function getLedger(context: RequestContext, { state }: LocalServices): Promise<void> {
  await state.flushed();
  const { account } = context;
  const [{ balance, openHolds }, entries] = await state.read(
    (connection) => [readSums(connection, account), readEntries(connection, account)] as const,
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

/** `{"advance": ms}`; responds when everything that came due is committed. 409 for the system's clock. */
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
