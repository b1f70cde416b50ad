/**
 * Reads a command line from a model: as plain words, or as more than that (A4). Strict on purpose: a line of which some shell
 * makes anything but these words is not plain, and only plain words can be covered by a longer yes.
 */
import { posixWords } from "./posixWords";
import { windowsWords } from "./windowsWords";

/** The program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** `undefined` for a line that is more than plain words. */
export function readCommandLine(line: string, isWindows: boolean): Argv | undefined {
  // Printable ASCII only: no line break, tab, escape or NUL, nothing invisible, and no letter that looks like another one.
  if (!/^[ -~]*$/.test(line)) return undefined;
  const [program, ...rest] = (isWindows ? windowsWords(line) : posixWords(line)) ?? [];
  return program === undefined ? undefined : [program, ...rest];
}
