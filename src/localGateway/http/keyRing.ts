/** The key of the gateway and those that it replaced since the start. */
import { checkKey } from "./auth";
import type { RequestHead } from "./familyOf";
import type { HttpError } from "./httpError";

const mostFormerKeys = 8;

export class KeyRing {
  #current: string;
  /** The newest last. */
  #former: readonly string[] = [];

  constructor(key: string) {
    this.#current = key;
  }

  get current(): string {
    return this.#current;
  }

  /** Until the gateway ends; the state folder keeps the old one. */
  replace(key: string): void {
    this.#former = [...this.#former, this.#current].slice(-mostFormerKeys);
    this.#current = key;
  }

  /** The error response, unless the request carries the current key. */
  check(request: RequestHead): HttpError | undefined {
    return checkKey(request, this.#current);
  }

  /** Whether the request carries a key that was replaced. */
  isFormer(request: RequestHead): boolean {
    return this.#former.some((key) => checkKey(request, key) === undefined);
  }
}
