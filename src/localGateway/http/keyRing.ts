/** The keys of the accounts, and those that they replaced since the start. */
import { mainAccount } from "../state/accountSums";
import { accountOfKey } from "./auth";
import type { RequestHead } from "./familyOf";
import type { HttpError } from "./httpError";

const maxFormerKeys = 8;

export class KeyRing {
  /** The account by its key. */
  readonly #accounts = new Map<string, number>();
  /** The newest last. */
  #former: readonly string[] = [];

  /** `key`: of the main account. */
  constructor(key: string) {
    this.#accounts.set(key, mainAccount);
  }

  get current(): string {
    return this.keyOf(mainAccount);
  }

  keyOf(account: number): string {
    return [...this.#accounts].find(([, owner]) => owner === account)?.[0] ?? "";
  }

  add(key: string, account: number): void {
    this.#accounts.set(key, account);
  }

  /** Until the gateway ends; the state folder keeps the old one. */
  replace(key: string, account: number): void {
    const old = this.keyOf(account);
    this.#accounts.delete(old);
    this.#former = [...this.#former, old].slice(-maxFormerKeys);
    this.add(key, account);
  }

  /** The error response, unless the request carries the key of an account. */
  check(request: RequestHead): number | HttpError {
    return accountOfKey(request, this.#accounts);
  }

  /** Whether the request carries a key that was replaced. */
  isFormer(request: RequestHead): boolean {
    const former = new Map(this.#former.map((key) => [key, mainAccount]));
    return typeof accountOfKey(request, former) === "number";
  }
}
