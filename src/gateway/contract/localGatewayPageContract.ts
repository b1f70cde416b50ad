/** The contract of the page of the local gateway. No key crosses to the page. */
import * as z from "zod/mini";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";

const account = z.string().check(z.maxLength(60));

const intents = {
  "address-copy": {},
  "key-copy": { account },
  "top-up": { account },
  "account-add": {},
  /** `taskType`: its name in requests, as the page was given it. */
  "type-switch": { account, taskType: z.string().check(z.maxLength(200)), on: z.boolean() },
  "faults-clear": {},
};

export type LocalGatewayPageContract = ProjectedContract<typeof intents, LocalGatewaySnapshot, LocalGatewaySnapshot>;
export const localGatewayPageContract: LocalGatewayPageContract = { intents };
export type LocalGatewayIntent = IntentOf<LocalGatewayPageContract>;

export interface LocalAccountView {
  readonly name: string;
  readonly available: string;
  /** The other sums in a sentence. */
  readonly sums: string;
  readonly types: readonly { readonly taskType: string; readonly name: string; readonly on: boolean }[];
  /** Newest first. */
  readonly entries: readonly LocalLedgerRow[];
}

/** `type`: as the ledger names it; `what`: the words for it. */
export interface LocalLedgerRow {
  readonly at: string;
  readonly type: string;
  readonly what: string;
  readonly amount: string;
}

export interface LocalGatewayView {
  readonly address: string;
  /** The main account first. */
  readonly accounts: readonly LocalAccountView[];
  readonly faults: readonly string[];
  readonly conduct: {
    readonly verdict: string;
    readonly rules: readonly { readonly name: string; readonly count: number }[];
    readonly findings: readonly { readonly at: string; readonly name: string; readonly detail: string }[];
  };
}

/** `gateway` is missing until it was read; then it is what was read last. */
export interface LocalGatewaySnapshot {
  readonly gateway?: LocalGatewayView;
  readonly problem?: string;
}
