/**
 * Reads a command line from a model: as parts of plain words, or as more than that (A4). Strict on purpose: a line of which
 * some shell makes anything but these parts is not plain, and only plain parts can be covered by a longer yes.
 */
import type { Argv, CommandPart } from "./lineParts";
import { posixParts } from "./posixWords";

export interface CommandLine {
  /** From `cd folder &&` at its beginning: where the parts run. */
  readonly folder?: string;
  /** The line without that. */
  readonly line: string;
  readonly parts: readonly [CommandPart, ...CommandPart[]];
}

/** `undefined` for a line that is more than parts of plain words. On Windows there is one part only. */
export function readCommandLine(line: string, isWindows: boolean): CommandLine | undefined {
  // Printable ASCII only: no line break, tab, escape or NUL, nothing invisible, and no letter that looks like another one.
  if (!/^[ -~]*$/.test(line)) return undefined;
  const [beginning = "", folder] = (isWindows ? windowsFolder : posixFolder).exec(line)?.filter(Boolean) ?? [];
  const rest = line.slice(beginning.length);
  const [first, ...others] = isWindows ? windowsParts(rest) : posixParts(rest);
  if (first === undefined) return undefined;
  return { ...(folder === undefined ? {} : { folder }), line: rest, parts: [first, ...others] };
}

/** The program and its arguments, of a line that is nothing else: no shell is needed to run it. */
export function onlyArgv({ parts: [first, ...others] }: CommandLine): Argv | undefined {
  return others.length === 0 && first.errors !== "dropped" ? first.argv : undefined;
}

/** A shell's `cd` takes no option here, and expands nothing. */
const posixFolder = /^ *cd +(?:([\w@+./][\w@+:,./-]*)|'([\w@+./][^'%~]*)'|"([\w@+./][^"'\\$`!%~]*)") *(?:&&|;(?!;)) */;
const windowsFolder = /^ *cd +(?:([\w@+.\\][\w@+.\\-]*|[A-Za-z]:\\[\w@+.\\-]*)|"([\w@+.\\][\w@+.\\ ()-]*)") *&& */i;

/**
 * The words of a line that means the same to cmd.exe, to a batch file that gets it on, and to the program: on Windows each
 * program splits its command line itself, and what is started may be a `.cmd`, such as npm. So no character is plain that
 * one of them would take for more.
 */

const word = /(?:[\w@+=:,./\\-]|(?<=[\w./\\-])~)+|"[\w@+=:,./\\ ()'#~-]*"/y;

/** Empty for anything but plain words. The line is printable ASCII. */
function windowsParts(line: string): readonly CommandPart[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    if (line.charAt(at) === " ") {
      at += 1;
      continue;
    }
    word.lastIndex = at;
    const [found] = word.exec(line) ?? [];
    if (found === undefined) return [];
    at += found.length;
    const next = line.charAt(at);
    // A word is quoted as a whole or not at all; a backslash before a quotation mark would be an escape.
    if ((next !== "" && next !== " ") || found.endsWith(String.raw`\"`)) return [];
    words.push(found.startsWith('"') ? found.slice(1, -1) : found);
  }
  const [program, ...rest] = words;
  return program !== undefined && isProgram(program) ? [{ argv: [program, ...rest] }] : [];
}

/** Commands of cmd.exe itself: it also takes `cd\`, `echo.x` and `del,x` for them. */
const shellWords = new Set(
  `assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit for ftype goto if keys md mkdir mklink move
  path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify vol`.split(
    /\s+/,
  ),
);

function isProgram(program: string): boolean {
  if (!/^(?:[A-Za-z]:\\)?[\w.\\-][\w.\\ ()-]*$/.test(program)) return false;
  return !program.startsWith("-") && !shellWords.has((/^[A-Za-z]*/.exec(program)?.[0] ?? "").toLowerCase());
}
