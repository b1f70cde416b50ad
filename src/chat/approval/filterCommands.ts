/** Programs that print their words, or pass on what the part before them wrote: beside others they need no rule. */

/** Options of each, after which no word is a file. A number may be in a word of its own after a letter. */
const filters: Readonly<Record<string, RegExp>> = {
  head: /^-(?:\d+|[nc]\d*|[qv])$/u,
  tail: /^-(?:\d+|[nc][+]?\d*|[qv])$/u,
  wc: /^-[lwcmL]+$/u,
  sort: /^-(?:[bdfghiMnrRuV]+|k\d[\d.,nr]*|k)$/u,
  uniq: /^-[cdui]+$/u,
  nl: /^-[a-z]*$/u,
  cat: /^-[AbeEnstTv]+$/u,
};

const search =
  /^-(?:[ivncowxEFPGhHqsab]*(?:[ABCm]\d*)?|\d+)$|^--(?:color|colour|ignore-case|invert-match|count|line-number|only-matching|word-regexp)(?:=\w+)?$/u;

export const searchers: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep"]);

export function isAside([program = "", ...rest]: readonly string[], isPiped: boolean): boolean {
  if (program === "echo") return true;
  if (program === "pwd" || program === "true") return rest.length === 0;
  if (!isPiped) return false;
  const operands = operandsOf(program, rest);
  return operands?.length === (searchers.has(program) ? 1 : 0);
}

/** The words after the program that are neither options nor their numbers; `undefined` where an option is none of the known ones. */
export function operandsOf(program: string, rest: readonly string[]): readonly string[] | undefined {
  const options = searchers.has(program) ? search : filters[program];
  if (options === undefined) return undefined;
  const operands: string[] = [];
  for (const [at, word] of rest.entries()) {
    if (word.startsWith("-")) {
      if (!options.test(word)) return undefined;
    } else if (!(/^-\w*[nckABCm]$/u.test(rest[at - 1] ?? "") && /^\+?\d[\d.,nr]*$/u.test(word))) operands.push(word);
  }
  return operands;
}

/** Whether it may take what the part before it writes for code, as a console of the project would. With `-`, known programs read it as the text of a file. */
export function readsCode(argv: readonly string[], isPiped: boolean): boolean {
  return isPiped && !argv.includes("-");
}
