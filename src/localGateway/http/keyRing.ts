/** The keys of the accounts, and the keys that were replaced since the start. */
import { isSameSecret } from "../../base/limitedServer";
import type { Family } from "../../domain/chat/chatEvent";
import { mainAccount } from "../state/stateDatabase";
import { type RequestHead, familyOf } from "./familyErrors";
import { HttpError } from "./httpError";

const maxFormerKeys = 8;

export class KeyRing {
  /** The account by its key. */
  readonly #accounts = new Map<string, number>();
  /** The newest last. */
  #former: readonly string[] = [];

  /** `key`: the key of the main account. */
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

  /** Replaces the key of an account until the gateway ends. The caller stores the new one if it is to last longer. */
  replace(key: string, account: number): void {
    const old = this.keyOf(account);
    this.#accounts.delete(old);
    this.#former = [...this.#former, old].slice(-maxFormerKeys);
    this.add(key, account);
  }

  /** The account whose key the request carries, or the error response. */
  check(request: RequestHead): number | HttpError {
    return accountOfKey(request, this.#accounts);
  }

  /** Whether the request carries a key that was replaced. */
  isFormer(request: RequestHead): boolean {
    const former = new Map(this.#former.map((key) => [key, mainAccount]));
    return typeof accountOfKey(request, former) === "number";
  }
}

/**
 * The account by the key, which is in the Authorization header or where the clients of the other two families send it; else the error
 * response for a missing or unknown key.
 */
function accountOfKey(head: RequestHead, accounts: ReadonlyMap<string, number>): number | HttpError {
  const family = familyOf(head);
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(head.request.headers.authorization ?? "") ?? [];
  const own = ownKey(head, family);
  // The family's own header has precedence over Authorization.
  const given = own ?? bearer;
  for (const [key, account] of accounts) if (given !== undefined && isSameSecret(given, key)) return account;
  if (family === "generate-content") return refuseAsGoogle(given, own !== undefined);
  const message = given === undefined ? "No API key was sent." : "This API key is not the one of this gateway.";
  return new HttpError(401, "invalid_api_key", message, { headers: { "www-authenticate": "Bearer" } });
}

function ownKey({ request: { headers }, url }: RequestHead, family: Family): string | undefined {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  if (family === "messages") return header("x-api-key");
  if (family === "generate-content") return header("x-goog-api-key") ?? url.searchParams.get("key") ?? undefined;
  return undefined;
}

/** Responds like Google: 403 without a key, 400 for a wrong key, 401 for a wrong bearer token. */
function refuseAsGoogle(given: string | undefined, isKey: boolean): HttpError {
  if (given === undefined) {
    const message = "No API key was sent: this method is not for callers that nobody knows.";
    return new HttpError(403, "permission_denied", message);
  }
  if (isKey) return new HttpError(400, "API_KEY_INVALID", "API key not valid. Please pass a valid API key.");
  return new HttpError(401, "invalid_api_key", "The bearer token is not the key of this gateway.");
}
