/**
 * Reads a command line from a model: as plain words, or as more than that (A4). Strict on purpose: a line of which some shell
 * makes anything but these words is not plain, and only plain words can be covered by a longer yes.
 */
import { posixWords } from "./posixWords";

/** The program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** `undefined` for a line that is more than plain words. */
export function readCommandLine(line: string, isWindows: boolean): Argv | undefined {
  // Printable ASCII only: no line break, tab, escape or NUL, nothing invisible, and no letter that looks like another one.
  if (!/^[ -~]*$/.test(line)) return undefined;
  const [program, ...rest] = (isWindows ? windowsWords(line) : posixWords(line)) ?? [];
  return program === undefined ? undefined : [program, ...rest];
}

/**
 * The words of a line that means the same to cmd.exe, to a batch file that gets it on, and to the program: on Windows each
 * program splits its command line itself, and what is started may be a `.cmd`, such as npm. So no character is plain that
 * one of them would take for more.
 */

const word = /(?:[\w@+=:,./\\-]|(?<=[\w./\\-])~)+|"[\w@+=:,./\\ ()'#~-]*"/y;

/** `undefined` for anything but plain words. The line is printable ASCII. */
function windowsWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    if (line.charAt(at) === " ") {
      at += 1;
      continue;
    }
    word.lastIndex = at;
    const [found] = word.exec(line) ?? [];
    if (found === undefined) return undefined;
    at += found.length;
    const next = line.charAt(at);
    // A word is quoted as a whole or not at all; a backslash before a quotation mark would be an escape.
    if ((next !== "" && next !== " ") || found.endsWith(String.raw`\"`)) return undefined;
    words.push(found.startsWith('"') ? found.slice(1, -1) : found);
  }
  return isProgram(words[0]) ? words : undefined;
}

/** Commands of cmd.exe itself: it also takes `cd\`, `echo.x` and `del,x` for them. */
const shellWords = new Set(
  `assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit for ftype goto if keys md mkdir mklink move
  path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify vol`.split(
    /\s+/,
  ),
);

function isProgram(program: string | undefined): boolean {
  if (program === undefined || !/^(?:[A-Za-z]:\\)?[\w.\\-][\w.\\ ()-]*$/.test(program)) return false;
  return !program.startsWith("-") && !shellWords.has((/^[A-Za-z]*/.exec(program)?.[0] ?? "").toLowerCase());
}
