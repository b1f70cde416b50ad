/** What git ignores, folder by folder from the top of a repository down: by the rule files of the folders, of the repository and of the person. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { TimeSlices } from "../../base/async/timeSlices";
import { isMissingPath } from "../../base/systemErrors";
import type { AskReason } from "../../domain/chat/chat";
import type { FolderEntry, ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "./fileAccess";
import { type GitRepository, readRepository } from "./gitRepository";
import { type IgnoreRules, parseIgnoreRules, ruleBounds } from "./ignoreRules";
import { isInside, isNetworkPath } from "./pathNames";

/** `ignore-rules-unreadable`: a rule file on the path can't be used, so whether git ignores it is not known. */
export type IgnoreVerdict = Extract<AskReason, "ignored" | "ignore-rules-unreadable">;

/** Bytes of all rule files that apply to one folder. */
const bytesOfAll = 512 * 1024;
/** Folders from the top of the repository; each may have rules and is matched itself. */
const deepest = 100;
/** Steps for matching one path with all rules: about 10 ms; ordinary rules take a hundredth of it. */
const matchSteps = 500_000;

/** `undefined` where there is no such file. */
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
  /** An earlier one takes precedence. */
  readonly lists: readonly RuleList[];
  readonly ignoreCase: boolean;
  /** For everything in the folder: git re-includes nothing below an ignored folder. */
  readonly verdict?: IgnoreVerdict;
}

const ignoresCase = process.platform === "win32" || process.platform === "darwin";

export class IgnoreTree {
  readonly #workspace: ReadableWorkspace;
  readonly #slices: TimeSlices;
  #personal: Promise<string | undefined> | undefined;

  constructor(workspace: ReadableWorkspace, slices: TimeSlices) {
    this.#workspace = workspace;
    this.#slices = slices;
  }

  /** For the entries of `root`, which may lie below the top of its repository. */
  async rulesOf(root: string): Promise<FolderRules> {
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

  /** From a folder to one below it. */
  async descend(from: FolderRules, folder: string): Promise<FolderRules> {
    let rules = from;
    for (const name of namesBetween(from.folder, folder)) rules = await this.enter(rules, name);
    return rules;
  }

  /** `entries`: all of the folder, where the caller has listed them. Then rule files and repositories are looked for only where they may be. */
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

  /** Adds the rule files of a folder, of which `repository` is the top. A nested repository starts without the outer rules. */
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

  /** `core.excludesFile` of the repository. A file outside is not read: listings would reveal its lines. */
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

  /** git follows links to rule files outside the work tree; here only inside `within`. */
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

/** git compares bytes; a byte string has one character for each. */
function toBytes(name: string): string {
  if (isPlain.test(name)) return name;
  return Buffer.from(name).toString("latin1");
}
