/** Which account a key belongs to (C2): an account has the fingerprint of its first key as its id, and keeps it when the key is replaced. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { AccountsOfKeys, OriginAccounts } from "../domain/gateway/account";

export interface AccountMemory {
  /** What was written for an origin, also by another window. */
  read(origin: string): Promise<unknown>;
  write(origin: string, memory: unknown): Promise<void>;
}

/** Account ids by the fingerprint of a key. A key that is not in it is the first of its account. */
const memorySchema = z.record(z.string(), z.string());

/** Differs for each key and does not reveal it. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(`sluice account ${key}`).digest("hex").slice(0, 16);
}

export class KeyAccounts implements AccountsOfKeys {
  readonly #memory: AccountMemory;

  constructor(memory: AccountMemory) {
    this.#memory = memory;
  }

  async at(origin: string): Promise<OriginAccounts> {
    const ids = await this.#read(origin);
    const resolve = (account: string): string => ids.get(account) ?? account;
    return {
      ofKey: (key) => resolve(fingerprintOf(key)),
      resolve,
      isAssigned: (key) => ids.has(fingerprintOf(key)),
    };
  }

  async assign(origin: string, key: string, account: string | undefined): Promise<void> {
    const ids = await this.#read(origin);
    const fingerprint = fingerprintOf(key);
    const id = account === undefined ? fingerprint : (ids.get(account) ?? account);
    // What was assigned to this key's own account follows it, so that resolving takes one step.
    const moved = [...ids].map(([one, of]) => [one, of === fingerprint ? id : of] as const);
    await this.#memory.write(origin, Object.fromEntries([...moved, [fingerprint, id]]));
  }

  async #read(origin: string): Promise<ReadonlyMap<string, string>> {
    const read = memorySchema.safeParse(await this.#memory.read(origin));
    return new Map(read.success ? Object.entries(read.data) : []);
  }
}
