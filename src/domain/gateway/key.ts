/** An API key: the one rule for its characters, and its places in a request. */

/** The header, or the parameter of the query, that holds the key. */
export type KeyPlace = "bearer" | "x-api-key" | "x-goog-api-key" | "query";

/** Visible ASCII only: anything else can't be sent in a header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
