/**
 * The words of a line that sh, bash, zsh and fish read alike: quotes and backslashes, nothing that is expanded. Each
 * rejection names what a shell would make of the line.
 */

/** Characters outside of quotes that mean themselves in every shell. */
const literal = /[\w@%+=:,./-]/;
/** `\n` and the like are no escapes in a shell: a letter after a backslash hides what the word is. */
const escapable = /[ -/:-@[-`{-~]/;
const escapableInQuotes = /["\\$`]/;

/** `undefined` for anything but plain words. The line is printable ASCII. */
export function posixWords(line: string): readonly string[] | undefined {
  const words = new WordReader(line).read();
  return words !== undefined && isProgram(words[0]) ? words : undefined;
}

class WordReader {
  readonly #line: string;
  readonly #words: string[] = [];
  #at = 0;
  /** The word so far; `undefined` between two words. */
  #word: string | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  read(): readonly string[] | undefined {
    for (; this.#at < this.#line.length; this.#at += 1) {
      if (!this.#readNext(this.#line.charAt(this.#at))) return undefined;
    }
    this.#endWord();
    return this.#words;
  }

  /** False when the character makes the line more than plain words. */
  #readNext(character: string): boolean {
    switch (character) {
      case " ":
        this.#endWord();
        return true;
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
      // An interactive shell puts an earlier command in the place of `!`.
      if (/[$`!]/.test(character)) return false;
      if (character === "\\") {
        this.#at += 1;
        if (!this.#add(this.#line.charAt(this.#at), escapableInQuotes)) return false;
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
function isProgram(word: string | undefined): boolean {
  return word !== undefined && /^[^-+%=][^=]*$/.test(word) && !shellWords.has(word);
}
