/** Finds what git ignores, from the top of a repository down: by the rule files of the folders, of the repository and of the person. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readFile, stat } from "node:fs/promises";
import type { TimeSlices } from "../../base/async/timeSlices";
import { isMissingPath } from "../../base/systemErrors";
import type { AskReason } from "../../domain/chat/chat";
import type { FolderEntry, ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "./fileAccess";
import { type GitRepository, readRepository } from "./gitRepository";
import { isInside, isNetworkPath } from "./pathNames";
import { compileWildcard, type MatchBudget, type Matcher } from "./wildcard";
import { gitSetting } from "../../base/gitSetting";

/** `ignore-rules-unreadable`: a rule file on the path can't be used, so whether git ignores it is not known. */
export type IgnoreVerdict = Extract<AskReason, "ignored" | "ignore-rules-unreadable">;

/** The most bytes of all rule files that apply to one folder. */
const bytesOfAll = 512 * 1024;
/** The most folders on the way from the top of the repository. Each may have rules, and is matched itself, so each takes time. */
const deepest = 100;
/** The most steps for matching one path with all rules. They take about 10 ms; ordinary rules need a hundredth of them. */
const matchSteps = 500_000;

/** What was read of a rule file: `undefined` if there is no such file. */
type ReadRules = IgnoreRules | undefined | "unreadable";

interface RuleList {
  /** The folder that its rules are relative to: from the top of the repository, a byte string that is empty or ends with `/`. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

/** The rules that apply to the entries of one folder. */
export interface FolderRules {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** The folder as in `RuleList.base`. */
  readonly base: string;
  /** An earlier list takes precedence over a later one. */
  readonly lists: readonly RuleList[];
  readonly ignoreCase: boolean;
  /** The verdict on everything in the folder: git re-includes nothing below an ignored folder. */
  readonly verdict?: IgnoreVerdict;
}

const ignoresCase = process.platform === "win32" || process.platform === "darwin";

/** Reads the rules once for each root, so one tree serves one look at the workspace: a call, a search, the words of a command. */
export class IgnoreTree {
  readonly #workspace: ReadableWorkspace;
  readonly #slices: TimeSlices;
  readonly #roots = new Map<string, Promise<FolderRules>>();
  #personal: Promise<string | undefined> | undefined;

  constructor(workspace: ReadableWorkspace, slices: TimeSlices) {
    this.#workspace = workspace;
    this.#slices = slices;
  }

  /** The rules for the entries of `root`, which may lie below the top of its repository. */
  rulesOf(root: string): Promise<FolderRules> {
    const rules = this.#roots.get(root) ?? this.#readRoot(root);
    this.#roots.set(root, rules);
    return rules;
  }

  async #readRoot(root: string): Promise<FolderRules> {
    let top = root;
    let repository = await readRepository(this.#workspace, top);
    while (!repository && dirname(top) !== top) {
      top = dirname(top);
      repository = await readRepository(this.#workspace, top);
    }
    const folder = repository ? top : root;
    const rules = await this.#open({ folder, base: "", lists: [], ignoreCase: ignoresCase }, repository);
    return this.descend(rules, root);
  }

  /** Goes from a folder to one below it. */
  async descend(from: FolderRules, folder: string): Promise<FolderRules> {
    let rules = from;
    for (const name of namesBetween(from.folder, folder)) rules = await this.enter(rules, name);
    return rules;
  }

  /**
   * Goes to the folder `name` in `parent`. `entries` are all that this folder holds, if the caller has listed them: when none of their names can
   * mean `.gitignore` or `.git`, neither is looked for.
   */
  async enter(parent: FolderRules, name: string, entries?: readonly FolderEntry[]): Promise<FolderRules> {
    const verdict = await this.verdictOf(parent, name, true);
    const folder = join(parent.folder, name);
    const { lists, ignoreCase } = parent;
    const rules = { folder, base: `${parent.base}${toBytes(name)}/`, lists, ignoreCase };
    if (verdict !== undefined) return { ...rules, verdict };
    if (rules.base.split("/").length > deepest) return { ...rules, verdict: "ignore-rules-unreadable" };
    const hasNone = entries?.every((entry) => beginsPlain.test(entry.name)) === true;
    return hasNone ? rules : this.#open(rules, await readRepository(this.#workspace, folder));
  }

  async verdictOf(parent: FolderRules, name: string, isFolder: boolean): Promise<IgnoreVerdict | undefined> {
    if (parent.verdict !== undefined) return parent.verdict;
    if (this.#slices.isSpent) await this.#slices.next();
    return verdictIn(parent, name, isFolder);
  }

  /** Adds the rule files of a folder. `repository` is given if the folder is its top: a nested repository starts without the outer rules. */
  async #open(outer: FolderRules, repository: GitRepository | undefined): Promise<FolderRules> {
    let rules = outer;
    const lists: ReadRules[] = [];
    if (outer.base === "" || repository) {
      rules = { ...outer, base: "", lists: [], ignoreCase: ignoresCase || repository?.ignoreCase === true };
      lists.push(await this.#personalRules(rules), await this.#ownRules(rules, repository));
      lists.push(await this.#excludeRules(rules, repository));
    }
    lists.push(await this.#readRules(join(outer.folder, ".gitignore"), rules));
    const { base } = rules;
    const known = lists.filter((list) => list !== undefined && list !== "unreadable").toReversed();
    rules = { ...rules, lists: [...known.map((list): RuleList => ({ base, rules: list })), ...rules.lists] };
    const isOverBound =
      sum(rules.lists, (list) => list.count) > ruleBounds.rules || sum(rules.lists, (list) => list.size) > bytesOfAll;
    return lists.includes("unreadable") || isOverBound ? { ...rules, verdict: "ignore-rules-unreadable" } : rules;
  }

  async #personalRules(rules: FolderRules): Promise<ReadRules> {
    this.#personal ??= this.#workspace.personalIgnoreFile();
    const file = await this.#personal;
    return file === undefined ? undefined : this.#readLinkedRules(file, rules);
  }

  /** Reads `core.excludesFile` of the repository. A file outside of the repository is not read, because listings would reveal its lines. */
  async #ownRules(rules: FolderRules, repository: GitRepository | undefined): Promise<ReadRules> {
    if (repository?.excludesFile === undefined) return undefined;
    if (isNetworkPath(repository.excludesFile)) return "unreadable";
    const path = resolve(rules.folder, repository.excludesFile);
    return this.#readLinkedRules(path, rules, path.startsWith(rules.folder) ? rules.folder : repository.folder);
  }

  #excludeRules(rules: FolderRules, repository: GitRepository | undefined): Promise<ReadRules> {
    const folder = repository?.folder ?? join(rules.folder, ".git");
    return this.#readLinkedRules(join(folder, "info", "exclude"), rules, folder);
  }

  /** Reads a rule file that is no `.gitignore`. It follows links, as git does; if `within` is given, they must lead into that folder. */
  async #readLinkedRules(path: string, rules: FolderRules, within?: string): Promise<ReadRules> {
    try {
      const real = await this.#workspace.realPath(path);
      if (within !== undefined && !isInside(await this.#workspace.realPath(within), real)) return "unreadable";
      return await this.#readRules(real, rules);
    } catch (error) {
      return isMissingPath(error) ? undefined : "unreadable";
    }
  }

  async #readRules(path: string, { ignoreCase }: FolderRules): Promise<ReadRules> {
    const bytes = await readSmallFile(this.#workspace, path, ruleBounds.bytes);
    if (!(bytes instanceof Uint8Array)) return bytes === "missing" ? undefined : "unreadable";
    return parseIgnoreRules(bytes, ignoreCase) ?? "unreadable";
  }
}

/** The verdict on one entry of a folder. Takes up to 10 ms with the worst of rules. */
export function verdictIn(parent: FolderRules, name: string, isFolder: boolean): IgnoreVerdict | undefined {
  if (parent.verdict !== undefined) return parent.verdict;
  const bytes = toBytes(name);
  const budget = { left: matchSteps };
  for (const { base, rules } of parent.lists) {
    const isIgnored = rules.verdict(parent.base.slice(base.length), bytes, isFolder, budget);
    if (budget.left < 0) return "ignore-rules-unreadable";
    if (isIgnored !== undefined) return isIgnored ? "ignored" : undefined;
  }
  return undefined;
}

function sum(lists: readonly RuleList[], of: (rules: IgnoreRules) => number): number {
  return lists.reduce((total, { rules }) => total + of(rules), 0);
}

/** File systems take several names for `.git` and `.gitignore`, but none that begins like this. */
const beginsPlain = /^\w/;

const isPlain = /^[\x20-\x7e]*$/;

function namesBetween(folder: string, below: string): string[] {
  const between = relative(folder, below);
  if (isAbsolute(between)) throw new Error(`${basename(below)} is not below ${basename(folder)}.`);
  return between.split(sep).filter((name) => name !== "");
}

/** git compares bytes, so the name becomes a string with one character for each of its bytes. */
function toBytes(name: string): string {
  if (isPlain.test(name)) return name;
  return Buffer.from(name).toString("latin1");
}

/** Bounds above what real rule files have. A file over a bound is not used at all: its later rules may negate the earlier ones. */
const ruleBounds = { bytes: 256 * 1024, rules: 10_000, ruleLength: 1024 };

interface IgnoreRules {
  /** The number of rules. */
  readonly count: number;
  /** Bytes. */
  readonly size: number;
  /**
   * Decides by the last matching rule: true for ignored, false for re-included, `undefined` when none matches. The answer is not valid once
   * the budget is spent. `folder` is empty or ends with `/`; `name` is that of an entry of it.
   */
  verdict(folder: string, name: string, isFolder: boolean, budget: MatchBudget): boolean | undefined;
}

interface Rule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Whether the pattern has no slash in the middle, so that only the last name of the path is compared. */
  readonly namesOnly: boolean;
  readonly pattern: string;
  matches?: Matcher;
}

/** Returns `undefined` when the file is over a bound. */
export function parseIgnoreRules(bytes: Uint8Array, ignoreCase: boolean): IgnoreRules | undefined {
  if (bytes.length > ruleBounds.bytes) return undefined;
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    const rule = readRule(line);
    if (!rule) continue;
    if (rule.pattern.length > ruleBounds.ruleLength || rules.length === ruleBounds.rules) return undefined;
    rules.push(rule);
  }
  rules.reverse();
  return {
    count: rules.length,
    size: bytes.length,
    verdict(folder, name, isFolder, budget) {
      for (const rule of rules) {
        if (rule.foldersOnly && !isFolder) continue;
        // Compiled at its first use: most files of most workspaces are decided by the first few rules.
        if (!rule.matches) {
          rule.matches = compileRule(rule, ignoreCase);
          budget.left -= rule.pattern.length;
        }
        budget.left -= 1;
        if (rule.matches(rule.namesOnly ? name : folder + name, budget)) return !rule.isNegated;
        if (budget.left < 0) return undefined;
      }
      return undefined;
    },
  };
}

function readRule(line: string): Rule | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  // For git, a NUL ends the line.
  let rest = withoutTrailingSpaces(line.replace(/\r$/, "").replace(/\0.*$/s, ""));
  const isNegated = rest.startsWith("!");
  if (isNegated) rest = rest.slice(1);
  const foldersOnly = rest.endsWith("/");
  if (foldersOnly) rest = rest.slice(0, -1);
  return { isNegated, foldersOnly, namesOnly: !rest.includes("/"), pattern: rest };
}

/** Removes spaces at the end as git does, which keeps an escaped space. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

function compileRule({ pattern, namesOnly }: Rule, ignoreCase: boolean): Matcher {
  const folded = (text: string): string => (ignoreCase ? text.replace(/[A-Z]/g, (char) => char.toLowerCase()) : text);
  const whole = namesOnly || !pattern.startsWith("/") ? pattern : pattern.slice(1);
  const plainLength = lengthWithoutWildcards(whole);
  const plain = folded(whole.slice(0, plainLength));
  if (plainLength === whole.length) return (text) => text.length === plain.length && folded(text) === plain;
  if (namesOnly) {
    if (whole.startsWith("*") && lengthWithoutWildcards(whole.slice(1)) === whole.length - 1) {
      const ending = folded(whole.slice(1));
      return (text) => folded(text).endsWith(ending);
    }
    return compileWildcard(whole, { paths: false, ignoreCase });
  }
  // git compares the part before the first wildcard separately, so `a**/b` is `a` and then `**/b`.
  const matchRest = compileWildcard(whole.slice(plainLength), { paths: true, ignoreCase });
  return (text, budget) => folded(text.slice(0, plainLength)) === plain && matchRest(text.slice(plainLength), budget);
}

function lengthWithoutWildcards(pattern: string): number {
  const wildcard = pattern.search(/[*?[\\]/);
  return wildcard < 0 ? pattern.length : wildcard;
}

/** Bytes of a git configuration file; a larger one is not read. */
const sizeCap = 256 * 1024;

export async function findPersonalIgnoreFile(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const given = environment["XDG_CONFIG_HOME"];
  const configuration = given !== undefined && isAbsolute(given) ? given : join(home, ".config");
  // git reads `~/.gitconfig` last, so its value wins.
  for (const file of [join(home, ".gitconfig"), join(configuration, "git", "config")]) {
    const path = excludesFileOf(await readSmall(file));
    if (path !== undefined) return path.startsWith("~/") ? join(home, path.slice(2)) : path;
  }
  return join(configuration, "git", "ignore");
}

async function readSmall(path: string): Promise<string> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= sizeCap ? await readFile(path, "utf8") : "";
  } catch {
    return "";
  }
}

/** An absolute path or one below the home folder; any other is ignored. Included files are not read. */
export function excludesFileOf(configuration: string): string | undefined {
  const value = gitSetting(configuration, "core", "excludesfile");
  return value !== undefined && (value.startsWith("~/") || isAbsolute(value)) ? value : undefined;
}
