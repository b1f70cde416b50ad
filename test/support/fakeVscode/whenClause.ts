/** The `when` clauses of package.json: a parser for them, and their value in a set of contexts. */

export type Contexts = (key: string) => unknown;

type Clause = (contexts: Contexts) => boolean;

const token =
  /\s*(?:(&&|\|\||==|!=|=~|!(?!=)|>=|<=|>|<|\(|\))|(not\s+in\b|in\b)|\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\])+)\/([a-z]*)|'([^']*)'|([^\s()&|=!<>~']+))/y;

type Token =
  | { readonly type: "sign"; readonly text: string }
  | { readonly type: "pattern"; readonly pattern: RegExp }
  | { readonly type: "word"; readonly text: string };

function tokensOf(clause: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < clause.trimEnd().length) {
    const at = token.lastIndex;
    const found = token.exec(clause);
    if (!found) throw new Error(`The clause can't be read at ${at}: ${clause}`);
    const [, sign, inWord, pattern, flags, quoted, word] = found;
    if (sign !== undefined) tokens.push({ type: "sign", text: sign });
    else if (inWord !== undefined) tokens.push({ type: "sign", text: inWord.replaceAll(/\s+/g, " ") });
    else if (pattern !== undefined) tokens.push({ type: "pattern", pattern: new RegExp(pattern, flags) });
    else tokens.push({ type: "word", text: quoted ?? word ?? "" });
  }
  return tokens;
}

/** Parses a clause: || of && of negations, comparisons and parentheses. */
class Parser {
  readonly #clause: string;
  readonly #tokens: Token[];

  constructor(clause: string) {
    this.#clause = clause;
    this.#tokens = tokensOf(clause);
  }

  read(): Clause {
    const clause = this.#either();
    if (this.#tokens.length > 0) this.#fail();
    return clause;
  }

  #either(): Clause {
    const parts = [this.#both()];
    while (this.#takes("||")) parts.push(this.#both());
    return (contexts) => parts.some((part) => part(contexts));
  }

  #both(): Clause {
    const parts = [this.#term()];
    while (this.#takes("&&")) parts.push(this.#term());
    return (contexts) => parts.every((part) => part(contexts));
  }

  #term(): Clause {
    if (this.#takes("!")) {
      const negated = this.#term();
      return (contexts) => !negated(contexts);
    }
    if (this.#takes("(")) {
      const inner = this.#either();
      if (!this.#takes(")")) this.#fail();
      return inner;
    }
    const key = this.#word();
    const sign = this.#tokens[0];
    if (sign?.type === "sign" && !["&&", "||", ")"].includes(sign.text)) {
      this.#tokens.shift();
      return this.#comparison(key, sign.text);
    }
    if (key === "true" || key === "false") return () => key === "true";
    return (contexts) => Boolean(contexts(key));
  }

  #comparison(key: string, sign: string): Clause {
    if (sign === "=~") {
      const next = this.#tokens.shift();
      if (next?.type !== "pattern") this.#fail();
      return (contexts) => next.pattern.test(textOf(contexts(key)));
    }
    const word = this.#word();
    switch (sign) {
      case "==":
        return (contexts) => isEqual(contexts(key), word);
      case "!=":
        return (contexts) => !isEqual(contexts(key), word);
      case "in":
        return (contexts) => isIn(contexts(key), contexts(word));
      case "not in":
        return (contexts) => !isIn(contexts(key), contexts(word));
      case "<":
        return (contexts) => Number(contexts(key)) < Number(word);
      case "<=":
        return (contexts) => Number(contexts(key)) <= Number(word);
      case ">":
        return (contexts) => Number(contexts(key)) > Number(word);
      case ">=":
        return (contexts) => Number(contexts(key)) >= Number(word);
      default:
        return this.#fail();
    }
  }

  #word(): string {
    const next = this.#tokens.shift();
    return next?.type === "word" ? next.text : this.#fail();
  }

  #takes(sign: string): boolean {
    const [next] = this.#tokens;
    if (next?.type !== "sign" || next.text !== sign) return false;
    this.#tokens.shift();
    return true;
  }

  #fail(): never {
    throw new Error(`The clause can't be read: ${this.#clause}`);
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Compares as VS Code does: `true` and `false` are truth values, anything else is compared as text. */
function isEqual(value: unknown, word: string): boolean {
  if (word === "true") return Boolean(value);
  if (word === "false") return !value;
  return textOf(value) === word;
}

function isIn(value: unknown, list: unknown): boolean {
  if (Array.isArray(list)) return list.includes(value);
  return typeof value === "string" && typeof list === "object" && list !== null && Object.hasOwn(list, value);
}

const parsed = new Map<string, Clause>();

/** A clause that is left out is true. */
export function isTrue(clause: string | undefined, contexts: Contexts): boolean {
  if (clause === undefined || clause === "") return true;
  let known = parsed.get(clause);
  if (!known) parsed.set(clause, (known = new Parser(clause).read()));
  return known(contexts);
}
