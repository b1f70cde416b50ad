/**
 * Reads the usage lines of the programs that a longer yes may cover (A3), and finds the one that a command follows.
 *
 * A line is `program words rest: options`. `a|b` are alternatives. `<…>` is a word of that kind, see `kinds`. `*`: any number of
 * such words may follow; `+`: one or more. An option takes a value after `=`, in the same word or the next one; after `==`, in the
 * same word only; else none. `-[abc]`: these letters together, such as `-ab`.
 */
import type { NamedPaths } from "../../domain/tools/grant";
import { isRiskyName, programName } from "./riskyWords";
import { commonOptions, usageTable } from "./usageTable";

type Accepts = (word: string, paths: NamedPaths) => boolean;

interface KnownOptions {
  readonly flags: ReadonlySet<string>;
  /** Letters that may be together after a beginning. */
  readonly letters: readonly { readonly beginning: string; readonly letters: string }[];
  /** What the value of an option may be, by its name. */
  readonly values: ReadonlyMap<string, readonly Accepts[]>;
  /** Names of those whose value is in the same word. */
  readonly joined: ReadonlySet<string>;
}

interface UsageLine {
  /** The program, with the words that start it before it and the options that it must begin with. */
  readonly head: readonly Accepts[];
  /** The first words that are no options: those of the line, then as many of `rest` as there are. */
  readonly words: readonly Accepts[];
  readonly rest?: Accepts;
  /** Before its sub-command no option has its value in the next word: a program that reads the option otherwise would take that for the sub-command. */
  readonly hasSubcommand: boolean;
  readonly options: KnownOptions;
}

const isForeign: Accepts = (word, { foreign }) => foreign.includes(word);
const isFile: Accepts = (word, { files }) => files.includes(word);
const isPath: Accepts = (word, { files, folders }) => files.includes(word) || folders.includes(word);
const isPlain: Accepts = (word, paths) =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.,+%-]*$/u.test(word) && !isRiskyName(word) && !isForeign(word, paths);
const isTarget: Accepts = (word) => /^\w[\w.:-]*$/u.test(word) && !isRiskyName(word);

/** Kinds of words and of values. */
const kinds: Readonly<Record<string, Accepts>> = {
  "<file>": isFile,
  "<path>": isPath,
  /** A path of the project, or a part of the name of a test. */
  "<word>": (word, paths) => isPath(word, paths) || isPlain(word, paths),
  /** Of a rule, a feature, a group or the like; `.ts,.tsx` too. */
  "<name>": (word, paths) => isPlain(word.replace(/^\./u, ""), paths) && !isForeign(word, paths),
  /** Of a recipe. */
  "<target>": isTarget,
  /** Of a script. npm prints its environment where the project has none of that name. */
  "<script>": (word, paths) => isTarget(word, paths) && word !== "env",
  /** A script that projects have: yarn and bun run a program of the name where this one has not, and to others what follows may be a command. */
  "<usual>": (word, paths) =>
    /^(?:tests?|build|compile|check|lint|format|fmt|types|typecheck|coverage|unit|e2e|spec|vitest|jest|mocha|eslint|tsc)(?:[:-][\w:-]+)?$/u.test(
      word,
    ) && isTarget(word, paths),
  "<module>": (word, paths) => isPath(word, paths) || (paths.modules.includes(word) && !isForeign(word, paths)),
  "<number>": (word) => /^\d[\d.]{0,8}(?:%|[a-z]{1,2}|\/\d+)?$/u.test(word),
  /** A part of the names of tests, mostly as a regular expression; no setting, and nothing that is expanded. */
  "<text>": (word, paths) =>
    /^(?!-)(?:[^\\$`=%;@]|\$(?![({\w]))+$/u.test(word) && (word.includes(" ") || !isForeign(word, paths)),
  /** Names with `and`, `or`, `not`: old versions evaluate it as Python. */
  "<expression>": (word, paths) => /^[\w(][\w ().,-]*$/u.test(word) && !word.includes("__") && !isForeign(word, paths),
  "<message>": (word) => !word.startsWith("-"),
};

const usageLines = usageTable.flatMap(({ launchers, lines, isBare }) =>
  // What is indented more belongs to the line before.
  lines.split(/\n {6}(?! )/u).flatMap((line) => {
    const [usage = "", known = ""] = line.split(/:(?:\s|$)/u, 2);
    if (usage.trim() === "") return [];
    const options = readOptions(isBare ? known : `${commonOptions} ${known}`);
    return launchers.map((launcher) => readLine(launcher, usage, options));
  }),
);

/** The words of the command that name what it does; `undefined` when it follows no line. */
export function findUsage(argv: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const named = [programName(argv[0] ?? ""), ...argv.slice(1)];
  for (const line of usageLines) {
    const operands = startsAs(line, named, paths) ? operandsOf(line, named.slice(line.head.length), paths) : undefined;
    if (operands && fits(line, operands, paths))
      return [...argv.slice(0, line.head.length), ...operands.slice(0, line.words.length)];
  }
  return undefined;
}

/** Whether a line is for that Python module. Such a module is covered by its lines only, not as one of the project's own. */
export function isKnownModule(module: string): boolean {
  const none = { files: [], folders: [], modules: [], writable: [], foreign: [] };
  return usageLines.some((line) => line.head.length > 2 && startsAs(line, ["python", "-m", module], none));
}

function startsAs({ head }: UsageLine, words: readonly string[], paths: NamedPaths): boolean {
  return head.every((accepts, at) => accepts(words[at] ?? "", paths));
}

function fits({ words, rest }: UsageLine, operands: readonly string[], paths: NamedPaths): boolean {
  return operands.length >= words.length && operands.every((word, at) => (words[at] ?? rest)?.(word, paths) === true);
}

/** The words without the options; `undefined` where one of these is not known. */
function operandsOf(line: UsageLine, words: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) operands.push(word);
    else if (isForeign(word, paths)) return undefined;
    else if (takesNext(line.options, word, words[at + 1], paths)) {
      if (line.hasSubcommand && operands.length < line.words.length) return undefined;
      at += 1;
    } else if (!isOption(line.options, word, paths)) return undefined;
  }
  return operands;
}

function takesNext(
  { values, joined }: KnownOptions,
  option: string,
  next: string | undefined,
  paths: NamedPaths,
): boolean {
  return next !== undefined && !joined.has(option) && accepts(values.get(option), next, paths);
}

function isOption({ flags, letters, values }: KnownOptions, word: string, paths: NamedPaths): boolean {
  if (flags.has(word) || letters.some((some) => isOfLetters(word, some))) return true;
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/su.exec(word) ?? /^(-[A-Za-z])(\d.*)$/u.exec(word) ?? [];
  return value !== "" && accepts(values.get(name), value, paths);
}

function isOfLetters(word: string, { beginning, letters }: KnownOptions["letters"][number]): boolean {
  const rest = word.slice(beginning.length);
  return word.startsWith(beginning) && rest !== "" && rest.split("").every((letter) => letters.includes(letter));
}

function accepts(some: readonly Accepts[] | undefined, word: string, paths: NamedPaths): boolean {
  return some?.some((one) => one(word, paths)) === true;
}

function readLine(launcher: string, usage: string, options: KnownOptions): UsageLine {
  const tokens = wordsOf(`${launcher} ${usage}`);
  const last = tokens.at(-1) ?? "";
  const isRepeated = /[*+]$/u.test(last);
  const words = tokens.slice(0, last.endsWith("*") ? -1 : tokens.length).map((token) => token.replace(/\+$/u, ""));
  const headLength =
    Math.max(
      wordsOf(launcher).length,
      words.findLastIndex((word) => word.startsWith("-")),
    ) + 1;
  return {
    head: words.slice(0, headLength).map(readAlternatives),
    words: words.slice(headLength).map(readAlternatives),
    ...(isRepeated ? { rest: readAlternatives(last.slice(0, -1)) } : {}),
    hasSubcommand: /^\w/u.test(words[headLength] ?? ""),
    options,
  };
}

function readOptions(text: string): KnownOptions {
  const flags = new Set<string>();
  const letters: { readonly beginning: string; readonly letters: string }[] = [];
  const values = new Map<string, Accepts[]>();
  const joined = new Set<string>();
  for (const option of wordsOf(text)) {
    const [, names, sign, value] = /^([^=[]+)(==?)(.+)$/u.exec(option) ?? [];
    const cluster = /^(-\w*)\[(\w+)\]$/u.exec(option);
    if (cluster) letters.push({ beginning: cluster[1] ?? "", letters: cluster[2] ?? "" });
    else if (names === undefined || value === undefined) flags.add(option);
    else
      for (const name of names.split("|")) {
        values.set(name, [...(values.get(name) ?? []), readAlternatives(value)]);
        if (sign === "==") joined.add(name);
      }
  }
  return { flags, letters, values, joined };
}

function readAlternatives(token: string): Accepts {
  const some = token.split("|");
  return (word, paths) => some.some((one) => kinds[one]?.(word, paths) ?? one === word);
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}
