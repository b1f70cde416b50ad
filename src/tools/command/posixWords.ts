/**
 * The parts of a line that sh, bash, zsh and fish read alike: words with quotes and backslashes, nothing that is expanded,
 * between them `&&`, `||`, `;` and `|`. Each rejection names what a shell would make of the line.
 */
import { definedFields } from "../../base/definedFields";
import type { CommandPart } from "./lineParts";

/** Characters outside of quotes that mean themselves in every shell. */
const literal = /[\w@%+=:,./-]/;
/** `\n` and the like are no escapes in a shell: a letter after a backslash hides what the word is. */
const escapable = /[ -/:-@[-`{-~]/;
const escapableInQuotes = /["\\$`]/;
/** Before these a backslash stays in every shell, as patterns have it. */
const keptInQuotes = /[|(){}[\].+*?^<>-]/;

/** Empty for anything but plain words and what may be between them. The line is printable ASCII, unless it is read as a script's. */
export function posixParts(line: string, isInteractive = true): readonly CommandPart[] {
  return new PartReader(line, isInteractive).read();
}

/** Only these are read: any other redirection opens a file. */
const redirections = { "2>&1": "joined", "2>/dev/null": "dropped" } as const;

class PartReader {
  readonly #line: string;
  /** Within double quotes. An interactive shell puts an earlier command in the place of `!`. */
  readonly #expanded: RegExp;
  /** What a backslash in double quotes stays before. `\n` differs from shell to shell, but not in the `sh` that reads a script. */
  readonly #kept: RegExp;
  readonly #parts: CommandPart[] = [];
  /** Of the part that is read. */
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
      case "%": // At the start a job of the shell.
        return this.#word !== undefined && this.#add(character, literal);
      case "~": // A home directory at the start, and after `=` and `:`. Not in HEAD~1.
        return this.#word !== undefined && /[\w./-]/.test(this.#line.charAt(this.#at - 1)) && this.#add(character, /~/);
      default:
        return this.#add(character, literal);
    }
  }

  /** After a word of the part, as a word of its own. */
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

/** What a shell itself does, for which there is no program, or another one than the shell's. */
const shellWords = new Set(
  `if then else elif fi do done case esac while until for in function select time coproc repeat foreach begin end switch and or not
  . : break continue eval exec exit export readonly return set shift times trap unset
  cd alias unalias bg fg jobs command builtin type hash getopts read umask wait ulimit source local declare typeset let history fc
  dirs pushd popd enable shopt suspend logout disown bind caller mapfile readarray complete compgen compopt
  noglob nocorrect autoload setopt unsetopt zmodload bindkey functions abbr string`.split(/\s+/),
);

/** Neither a word of the shell, nor an assignment before the command, nor something that reads as an option. */
function isProgram(word: string): boolean {
  return /^[^-+%=][^=]*$/.test(word) && !shellWords.has(word);
}
