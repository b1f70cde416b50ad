/** A command's words as one line for a person: words that are not plain are quoted, so that their bounds can be seen. */

export function quoteArguments(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word))).join(" ");
}
