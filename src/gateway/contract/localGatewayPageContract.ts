/** The contract of the page of the local gateway. No key crosses to the page. */
import type { IntentOf, ProjectedContract } from "../../base/pageContract";

const intents = { "address-copy": {}, "key-copy": {}, "top-up": {} };

export type LocalGatewayPageContract = ProjectedContract<typeof intents, LocalGatewaySnapshot, LocalGatewaySnapshot>;
export const localGatewayPageContract: LocalGatewayPageContract = { intents };
export type LocalGatewayIntent = IntentOf<LocalGatewayPageContract>;

/** `type`: the ledger's name for it; `what`: the words for a person. */
export interface LocalLedgerRow {
  readonly at: string;
  readonly type: string;
  readonly what: string;
  readonly amount: string;
}

export interface LocalGatewayView {
  readonly address: string;
  readonly available: string;
  /** The other sums in a sentence. */
  readonly sums: string;
  /** Newest first. */
  readonly entries: readonly LocalLedgerRow[];
}

/** `gateway` is the state that was read last; missing before the first read. */
export interface LocalGatewaySnapshot {
  readonly gateway?: LocalGatewayView;
  readonly problem?: string;
}
