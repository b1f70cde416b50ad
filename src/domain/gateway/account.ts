/** The accounts of a gateway and their keys. Services name no account, so one is identified by its keys. */

/** The name of an account for a person: the first characters of its id, the same in each window and after a restart. */
export function shortAccount(account: string): string {
  return account.slice(0, 6);
}

/** The accounts of one origin as they are now. */
export interface OriginAccounts {
  /** The id of the account of a key. */
  readonly ofKey: (key: string) => string;
  /**
   * The account that a stored id stands for now. It is another one if the key that the id was made from turned out to be a later key of that account.
   */
  readonly resolve: (account: string) => string;
  /** The person chose the account of this key. */
  readonly isAssigned: (key: string) => boolean;
}

export interface AccountsOfKeys {
  at(origin: string): Promise<OriginAccounts>;
  /** `account`: an id of this origin, or `undefined` for an account of its own. To be called before the key is stored. */
  assign(origin: string, key: string, account: string | undefined): Promise<void>;
}

// An API key has one rule for its characters, and four places in a request.

/** The header, or the parameter of the query, that holds the key. */
export type KeyPlace = "bearer" | "x-api-key" | "x-goog-api-key" | "query";

/** Whether the text is visible ASCII only: anything else can't be sent in a header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
