/** The messages between the host and the page of the local gateway. No key crosses to the page. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { pageFailed, type PageIntent, projectedReader, viewReady } from "./pageMessages";

const account = z.string().check(z.maxLength(60));

const intent = z.discriminatedUnion("type", [
  viewReady,
  pageFailed,
  z.object({ type: z.literal("address-copy") }),
  z.object({ type: z.literal("key-copy"), account }),
  z.object({ type: z.literal("top-up"), account }),
  z.object({ type: z.literal("account-add") }),
  /** `taskType`: its name in requests, as the page was given it. */
  z.object({ type: z.literal("type-switch"), account, taskType: z.string().check(z.maxLength(200)), on: z.boolean() }),
  z.object({ type: z.literal("faults-clear") }),
]);

export type LocalGatewayToHost = z.infer<typeof intent>;
export type LocalGatewayIntent = Exclude<LocalGatewayToHost, PageIntent>;

export function readLocalGatewayIntent(value: unknown): LocalGatewayToHost | undefined {
  const read = intent.safeParse(value);
  return read.success ? read.data : undefined;
}

const text = z.string();

const accountView = z.object({
  name: text,
  available: text,
  /** The other sums in a sentence. */
  sums: text,
  types: z.array(z.object({ taskType: text, name: text, on: z.boolean() })),
  /** Newest first. `type`: as the ledger names it; `what`: the words for it. */
  entries: z.array(z.object({ at: text, type: text, what: text, amount: text })),
});
export type LocalAccountView = Immutable<z.infer<typeof accountView>>;

const gateway = z.object({
  address: text,
  /** The main account first. */
  accounts: z.array(accountView),
  faults: z.array(text),
  conduct: z.object({
    verdict: text,
    rules: z.array(z.object({ name: text, count: z.number() })),
    findings: z.array(z.object({ at: text, name: text, detail: text })),
  }),
});
export type LocalGatewayView = Immutable<z.infer<typeof gateway>>;

/** `gateway` is missing until it was read; then it is what was read last. */
const snapshot = z.object({ gateway: z.exactOptional(gateway), problem: z.exactOptional(text) });
export type LocalGatewaySnapshot = Immutable<z.infer<typeof snapshot>>;

const event = z.object({ type: z.literal("gateway-shown"), snapshot });
export type LocalGatewayEvent = Immutable<z.infer<typeof event>>;

export const readLocalGatewayMessage = projectedReader(snapshot, event);

export function reduceLocalGateway(_before: LocalGatewaySnapshot, event: LocalGatewayEvent): LocalGatewaySnapshot {
  return event.snapshot;
}
