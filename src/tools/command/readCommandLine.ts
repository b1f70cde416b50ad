/**
 * Reads a command line from a model: as parts of plain words, or as more than that (A4). Strict on purpose: a line of which
 * some shell makes anything but these parts is not plain, and only plain parts can be covered by a rule.
 */
import { definedFields } from "../../base/definedFields";

export interface CommandLine {
  /** The folder of `cd folder &&` at the beginning, where the parts run. */
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

/** The program and its arguments where the line has nothing else, so that no shell is needed to run it. */
export function onlyArgv({ parts: [first, ...others] }: CommandLine): Argv | undefined {
  return others.length === 0 && first.errors !== "dropped" ? first.argv : undefined;
}

/** A shell's `cd` takes no option here, and expands nothing. */
const posixFolder = /^ *cd +(?:([\w@+./][\w@+:,./-]*)|'([\w@+./][^'%~]*)'|"([\w@+./][^"'\\$`!%~]*)") *(?:&&|;(?!;)) */;
const windowsFolder = /^ *cd +(?:([\w@+.\\][\w@+.\\-]*|[A-Za-z]:\\[\w@+.\\-]*)|"([\w@+.\\][\w@+.\\ ()-]*)") *&& */i;

/**
 * The words of a line that means the same to cmd.exe, to a batch file that passes it on, and to the program: on Windows each
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
  return program !== undefined && isWindowsProgram(program) ? [{ argv: [program, ...rest] }] : [];
}

/** Commands of cmd.exe itself: it also takes `cd\`, `echo.x` and `del,x` for them. */
const windowsWords = new Set(
  `assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit for ftype goto if keys md mkdir mklink move
  path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify vol`.split(
    /\s+/,
  ),
);

function isWindowsProgram(program: string): boolean {
  if (!/^(?:[A-Za-z]:\\)?[\w.\\-][\w.\\ ()-]*$/.test(program)) return false;
  return !program.startsWith("-") && !windowsWords.has((/^[A-Za-z]*/.exec(program)?.[0] ?? "").toLowerCase());
}

/** The program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** One program of a line with its words. */
export interface CommandPart {
  readonly argv: Argv;
  /** The operator between it and the part before; missing for the first. */
  readonly joint?: "&&" | "||" | ";" | "|";
  /** The redirection of its standard error: `2>&1`, `2>/dev/null`. Missing for none. */
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

/** Characters outside of quotes that mean themselves in every shell. */
const literal = /[\w@%+=:,./-]/;
/** `\n` and the like are no escapes in a shell: a letter after a backslash hides what the word is. */
const escapable = /[ -/:-@[-`{-~]/;
const escapableInQuotes = /["\\$`]/;
/** Every shell keeps a backslash before these, as patterns have it. */
const keptInQuotes = /[|(){}[\].+*?^<>-]/;

/** Empty for anything but plain words and what may be between them. The line is printable ASCII, unless it is read as a script's. */
export function posixParts(line: string, isInteractive = true): readonly CommandPart[] {
  return new PartReader(line, isInteractive).read();
}

/** Only these redirections are read: any other one opens a file. */
const redirections = { "2>&1": "joined", "2>/dev/null": "dropped" } as const;

class PartReader {
  readonly #line: string;
  /** Characters that a shell expands in double quotes. An interactive shell puts an earlier command in the place of `!`. */
  readonly #expanded: RegExp;
  /** Characters before which a backslash in double quotes stays. `\n` differs from shell to shell, but not in the `sh` that reads a script. */
  readonly #kept: RegExp;
  readonly #parts: CommandPart[] = [];
  /** The words of the part that is read. */
  #words: string[] = [];
  #joint: CommandPart["joint"];
  #errors: CommandPart["errors"];
  #at = 0;
  /** The word so far; `undefined` between two words. */
  #word: string | undefined;

  constructor(line: string, isInteractive: boolean) {
    this.#line = line;
    this.#expanded = isInteractive ? /[$`!]/ : /[$`]/;
    this.#kept = isInteractive ? keptInQuotes : /[^"\\$`]/;
  }

  read(): readonly CommandPart[] {
    for (; this.#at < this.#line.length; this.#at += 1) {
      if (!this.#readRedirection() && !this.#readNext(this.#line.charAt(this.#at))) return [];
    }
    return this.#endPart(undefined) ? this.#parts : [];
  }

  /** False when the character makes the line more than plain words. */
  #readNext(character: string): boolean {
    switch (character) {
      case " ":
        this.#endWord();
        return true;
      case "&": // Alone it leaves the program running.
        return this.#take("&&") && this.#endPart("&&");
      case "|": // `|&` joins outputs.
        if (this.#take("||")) return this.#endPart("||");
        return this.#line.charAt(this.#at + 1) !== "&" && this.#endPart("|");
      case ";":
        return this.#endPart(";");
      case "'":
        return this.#readSingleQuotes();
      case '"':
        return this.#readDoubleQuotes();
      case "\\":
        this.#at += 1;
        return this.#add(this.#line.charAt(this.#at), escapable);
      case "=": // At the start zsh puts the path of a program in its place.
      case "%": // At the start it names a job of the shell.
        return this.#word !== undefined && this.#add(character, literal);
      case "~": // It is a home directory at the start, and after `=` and `:`. Not in HEAD~1.
        return this.#word !== undefined && /[\w./-]/.test(this.#line.charAt(this.#at - 1)) && this.#add(character, /~/);
      default:
        return this.#add(character, literal);
    }
  }

  /** Reads a redirection that stands as its own word after a word of the part. */
  #readRedirection(): boolean {
    if (this.#word !== undefined || this.#words.length === 0 || this.#errors !== undefined) return false;
    const rest = this.#line.slice(this.#at);
    const [found] = /^2>(?:&1|\/dev\/null)(?![^ ;|])/.exec(rest) ?? [];
    if (found === undefined) return false;
    this.#errors = redirections[found as keyof typeof redirections];
    this.#at += found.length - 1;
    return true;
  }

  #take(operator: string): boolean {
    if (!this.#line.startsWith(operator, this.#at)) return false;
    this.#at += operator.length - 1;
    return true;
  }

  #readSingleQuotes(): boolean {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) return false;
    this.#word = (this.#word ?? "") + this.#line.slice(this.#at + 1, end);
    this.#at = end;
    return true;
  }

  #readDoubleQuotes(): boolean {
    this.#word ??= "";
    for (this.#at += 1; this.#at < this.#line.length; this.#at += 1) {
      const character = this.#line.charAt(this.#at);
      if (character === '"') return true;
      if (this.#expanded.test(character)) return false;
      if (character === "\\") {
        this.#at += 1;
        const next = this.#line.charAt(this.#at);
        if (this.#kept.test(next)) this.#word += `\\${next}`;
        else if (!this.#add(next, escapableInQuotes)) return false;
      } else this.#word += character;
    }
    return false;
  }

  #add(character: string, allowed: RegExp): boolean {
    if (!allowed.test(character)) return false;
    this.#word = (this.#word ?? "") + character;
    return true;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  /** False for a part without a program, such as after the last `;`. `next`: what is between it and the next part. */
  #endPart(next: CommandPart["joint"]): boolean {
    this.#endWord();
    const [program, ...rest] = this.#words;
    if (program === undefined || !isProgram(program)) return false;
    this.#parts.push({ argv: [program, ...rest], ...definedFields({ joint: this.#joint, errors: this.#errors }) });
    this.#words = [];
    this.#joint = next;
    this.#errors = undefined;
    return true;
  }
}

/** Commands of the shell itself, for which there is no program, or another one than the shell's. */
const shellWords = new Set(
  `if then else elif fi do done case esac while until for in function select time coproc repeat foreach begin end switch and or not
  . : break continue eval exec exit export readonly return set shift times trap unset
  cd alias unalias bg fg jobs command builtin type hash getopts read umask wait ulimit source local declare typeset let history fc
  dirs pushd popd enable shopt suspend logout disown bind caller mapfile readarray complete compgen compopt
  noglob nocorrect autoload setopt unsetopt zmodload bindkey functions abbr string`.split(/\s+/),
);

/** Whether the word is neither one of the shell, nor an assignment before the command, nor something that reads as an option. */
function isProgram(word: string): boolean {
  return /^[^-+%=][^=]*$/.test(word) && !shellWords.has(word);
}
