/** Makes the text that is typed into a person's terminal for a command, and decides whether it is run. Pure. */
import type { TerminalCommand, TerminalOutcome } from "../../domain/tools/toolPorts";

export interface TerminalLine {
  /** Empty when nothing is typed. */
  readonly text: string;
  readonly outcome: TerminalOutcome;
}

/** `shell`: the path of the person's default shell. */
export function terminalLine({ line, argv }: Pick<TerminalCommand, "line" | "argv">, shell: string): TerminalLine {
  const text = argv === undefined ? undefined : quotedWords(argv, shell);
  if (text !== undefined) return { text, outcome: "started" };
  // The terminal would take a line break as Enter and a control character as a key.
  if (/\p{Cc}/u.test(line)) return { text: "", outcome: "opened" };
  return { text: line, outcome: "typed" };
}

/** Shells that take a word in single quotes literally. */
const posixShell = /(^|[\\/])(sh|bash|zsh|dash|ksh)(\.exe)?$/i;
/** A word that each shell takes literally without quotes. */
const plainWord = /^[\w./-][\w./:@+,-]*$/;

/** `undefined` when a word needs quotes and the shell's quoting is not known. */
function quotedWords(argv: readonly string[], shell: string): string | undefined {
  const words = argv.map((word) => (plainWord.test(word) ? word : quoted(word, shell)));
  return words.includes(undefined) ? undefined : words.join(" ");
}

function quoted(word: string, shell: string): string | undefined {
  return posixShell.test(shell) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : undefined;
}
