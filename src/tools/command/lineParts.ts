/** The parts of a command line: programs with their words, and what is between them. */

/** The program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** One program of a line with its words. */
export interface CommandPart {
  readonly argv: Argv;
  /** What is between it and the part before; missing for the first. */
  readonly joint?: "&&" | "||" | ";" | "|";
  /** Where its standard error goes: `2>&1`, `2>/dev/null`. Missing: nothing is said. */
  readonly errors?: "joined" | "dropped";
}

/**
 * The line for the shell, each word in quotes: what was judged is what runs, whatever the shell would read in the line
 * as it was written.
 */
export function quotedLine(parts: readonly CommandPart[]): string {
  return parts
    .map(({ argv, joint, errors }) => {
      const words = argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
      const end = errors === undefined ? "" : errors === "joined" ? " 2>&1" : " 2>/dev/null";
      return `${joint === undefined ? "" : ` ${joint} `}${words}${end}`;
    })
    .join("");
}
