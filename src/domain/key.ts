/** The one rule for the characters of an API key. */

/** Visible ASCII only: anything else can't be sent in a header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
