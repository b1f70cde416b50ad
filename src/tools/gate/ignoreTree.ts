/** What git ignores, folder by folder from the top of a repository down: its rule files, those of the repository and the person's own. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { TimeSlices } from "../../base/timeSlices";
import type { Workspace } from "../../domain/workspace";
import { isMissing, readSmallFile } from "./fileAccess";
import { type IgnoreRules, parseIgnoreRules, ruleBounds } from "./ignoreRules";

/** `unknown`: a rule file on the way can't be used, so nobody can say. */
export type IgnoreVerdict = "ignored" | "unknown";

/** Nothing where there is no such file. */
type ReadRules = IgnoreRules | undefined | "unknown";

interface RuleList {
  /** Where its rules count from: relative to the top of the repository, a byte string that is empty or ends with `/`. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

/** What counts for the entries of one folder. */
export interface FolderRules {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** The folder as in `RuleList.base`. */
  readonly base: string;
  /** The later one has the first word. */
  readonly lists: readonly RuleList[];
  /** Of everything in the folder: git re-includes nothing below an ignored folder. */
  readonly verdict?: IgnoreVerdict;
}

const ignoreCase = process.platform === "win32" || process.platform === "darwin";

export class IgnoreTree {
  readonly #workspace: Workspace;
  readonly #slices: TimeSlices;
  #personal: Promise<ReadRules> | undefined;

  constructor(workspace: Workspace, slices: TimeSlices) {
    this.#workspace = workspace;
    this.#slices = slices;
  }

  /** For the entries of `root`, which may lie below the top of its repository. */
  async rulesOf(root: string): Promise<FolderRules> {
    let top = root;
    while (!(await this.#isRepository(top))) {
      const parent = dirname(top);
      if (parent === top) return this.#open({ folder: root, base: "", lists: [] });
      top = parent;
    }
    return this.descend(await this.#open({ folder: top, base: "", lists: [] }), root);
  }

  /** From a folder to one below it. */
  async descend(from: FolderRules, folder: string): Promise<FolderRules> {
    let rules = from;
    for (const name of namesBetween(from.folder, folder)) rules = await this.enter(rules, name);
    return rules;
  }

  async enter(parent: FolderRules, name: string): Promise<FolderRules> {
    const verdict = await this.verdictOf(parent, name, true);
    const folder = join(parent.folder, name);
    const rules = { folder, base: `${parent.base}${toBytes(name)}/`, lists: parent.lists };
    return this.#open(verdict === undefined ? rules : { ...rules, verdict });
  }

  async verdictOf(parent: FolderRules, name: string, isFolder: boolean): Promise<IgnoreVerdict | undefined> {
    if (parent.verdict !== undefined) return parent.verdict;
    const path = `${parent.base}${toBytes(name)}`;
    for (const { base, rules } of parent.lists.toReversed()) {
      const isIgnored = await rules.verdict(path.slice(base.length), isFolder, this.#slices);
      if (isIgnored !== undefined) return isIgnored ? "ignored" : undefined;
    }
    return undefined;
  }

  /** Adds the rule files that lie in a folder. A folder that is a repository of its own begins anew. */
  async #open(outer: FolderRules): Promise<FolderRules> {
    if (outer.verdict === "ignored") return outer;
    let rules = outer;
    const lists: ReadRules[] = [];
    if (outer.base === "" || (await this.#isRepository(outer.folder))) {
      rules = { ...outer, base: "", lists: [] };
      this.#personal ??= this.#personalRules();
      lists.push(await this.#personal, await this.#repositoryRules(outer.folder));
    }
    lists.push(await this.#readRules(join(outer.folder, ".gitignore")));
    const { base } = rules;
    const known = lists.filter((list) => list !== undefined && list !== "unknown");
    const added = known.map((list): RuleList => ({ base, rules: list }));
    rules = { ...rules, lists: [...rules.lists, ...added] };
    return lists.includes("unknown") ? { ...rules, verdict: "unknown" } : rules;
  }

  async #isRepository(folder: string): Promise<boolean> {
    return this.#workspace.status(join(folder, ".git")).then(
      ({ kind }) => kind !== "other",
      () => false,
    );
  }

  /** `info/exclude`: in a worktree or submodule `.git` is a file that names the folder of git's own files. */
  async #repositoryRules(top: string): Promise<ReadRules> {
    let folder = join(top, ".git");
    const pointer = await readSmallFile(this.#workspace, folder, 4096);
    if (pointer instanceof Uint8Array) folder = pathIn(top, Buffer.from(pointer).toString(), "gitdir: ") ?? folder;
    const common = await readSmallFile(this.#workspace, join(folder, "commondir"), 4096);
    if (common instanceof Uint8Array) folder = pathIn(folder, Buffer.from(common).toString(), "") ?? folder;
    return this.#readLinkedRules(join(folder, "info", "exclude"));
  }

  async #personalRules(): Promise<ReadRules> {
    const file = await this.#workspace.personalIgnoreFile();
    return file === undefined ? undefined : this.#readLinkedRules(file);
  }

  /** Outside the work tree git follows links to rule files. */
  async #readLinkedRules(path: string): Promise<ReadRules> {
    try {
      return await this.#readRules(await this.#workspace.realPath(path));
    } catch (error) {
      return isMissing(error) ? undefined : "unknown";
    }
  }

  async #readRules(path: string): Promise<ReadRules> {
    const bytes = await readSmallFile(this.#workspace, path, ruleBounds.bytes);
    if (!(bytes instanceof Uint8Array)) return bytes === "missing" ? undefined : "unknown";
    return parseIgnoreRules(bytes, ignoreCase) ?? "unknown";
  }
}

/** An absolute path, or one from `folder`, behind a prefix. A network path is not followed: that alone would sign in to it. */
function pathIn(folder: string, text: string, prefix: string): string | undefined {
  const [line = ""] = text.split(/\r?\n/);
  if (!line.startsWith(prefix)) return undefined;
  const path = line.slice(prefix.length);
  return path === "" || /^[\\/]{2}/.test(path) ? undefined : resolve(folder, path);
}

function namesBetween(folder: string, below: string): string[] {
  const between = relative(folder, below);
  if (isAbsolute(between)) throw new Error(`${basename(below)} is not below ${basename(folder)}.`);
  return between.split(sep).filter((name) => name !== "");
}

/** git compares bytes; a byte string has one character for each. */
function toBytes(name: string): string {
  return Buffer.from(name).toString("latin1");
}
