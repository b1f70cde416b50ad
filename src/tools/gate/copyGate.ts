/**
 * Decides about each change that a command has made on its copy of the workspace (A13): it is applied so that it can be undone, applied as it is,
 * asked about, or left. It goes by name, place, kind and text, as for the edits of the tools.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { closeSync, openSync, readSync } from "node:fs";
import type { TimeSlices } from "../../base/async/timeSlices";
import type { AskReason } from "../../domain/chat/chat";
import type { CopyChange } from "../../domain/tools/sandbox";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readFlags } from "../../node/diskFiles";
import { isExecutedPath, isLoadedPath, isObeyedInRoot, isObeyedPath } from "./executedNames";
import { type FolderRules, IgnoreTree } from "./ignoreTree";
import { isRepository, readRepository } from "./gitRepository";
import { compileNames } from "./nameTable";
import { isBuildFolder, isPackages } from "./sandboxPolicy";
import { isPlainFile, isSecretPath } from "./sensitiveNames";
import { findTracked } from "./trackedFiles";

/**
 * `ledger`: applied, and undone like an edit. `as-is`: applied. `dropped`: left out, such as what each run writes again. `git`: a part of a
 * repository that was there, which git alone may change. `hidden`: the command could not see what it has changed, so that it would be lost.
 * `disputed`: build output that the command has removed and something else has changed meanwhile: it stays. `impossible`: a workspace can't hold it.
 */
export type ChangeVerdict =
  | { readonly type: "ledger" | "as-is" | "dropped" | "git" | "hidden" | "disputed" | "impossible" }
  | { readonly type: "asks"; readonly reasons: readonly AskReason[] };

/** Bytes. The ledger keeps no larger file. */
export const ledgerCap = 20 * 1024 * 1024;
/** Bytes of a file that is applied as it is: on another disk it is copied, with all that a sparse file leaves out. */
const asIsCap = 1024 * 1024 * 1024;
/** Bytes of a package.json that is read. */
const manifestCap = 1024 * 1024;

/** Caches of tools in a folder of packages: what is in them is run again from there, and made again where it is missing. */
const isPackageCache = (inRoot: string): boolean =>
  /(?:^|\/)node_modules\/(?:\.cache|\.vite|\.vite-temp|\.vitest|\.tmp)\//u.test(`${inRoot}/`);

/** Pictures, fonts, sounds and tables. */
const isPlainData = compileNames({
  data: {
    names: `*.png *.jpg *.jpeg *.gif *.webp *.avif *.ico *.bmp *.svg *.woff *.woff2 *.ttf *.otf *.pdf *.mp3 *.mp4 *.webm *.wav *.ogg
      *.jsonl *.ndjson *.geojson *.csv *.tsv *.parquet *.log *.map *.po *.pot *.mo *.strings`,
  },
}).has;

/** JSON is the form of settings too: a file in the top folder or in a hidden one, or with the name of a setting, does not count as plain. */
function isPlainJson(inRoot: string): boolean {
  const names = inRoot.split("/");
  const name = names.at(-1)?.toLowerCase() ?? "";
  return name.endsWith(".json") && names.length > 1 && !names.some((each) => each.startsWith(".")) && !isSetting(name);
}

const isSetting = (name: string): boolean =>
  /config|conf|setting|rc\.json$|manifest|project|workspace|plugin|task|launch|extension|hook|rule|package|composer|mcp/u.test(
    name,
  );

/** Files that tools write next to those of a project. */
const isGeneratedName = compileNames({
  files: {
    names:
      "*.tsbuildinfo .eslintcache .stylelintcache .prettiercache .coverage .coverage.* lcov.info *.lcov *.log *.tmp",
  },
}).has;

/**
 * Files that builds, daemons and language servers load from their folder of intermediate files without being asked, and that their first bytes don't
 * show; tests that an explorer collects there, and interpreters that an extension looks for and runs. Cargo starts what it calls `build-script-…`,
 * and obeys what that has printed.
 */
const isImported = compileNames({
  files: {
    names: `*.targets *.props *.rsp *.cmake cmakecache.txt project.assets.json .bloop/*.json .dart_tool/package_config.json test_*.py *_test.py
      *.pyc *.pyo *.jar *.war *.aar *.egg build-script-* build_script_* *-*/output pyvenv.cfg python python2* python3*`,
  },
}).has;

/** Jest runs a snapshot as code when it reads it. */
const isEvaluated = compileNames({ files: { names: "*.snap" } }).has;

/** Compiled files in `__pycache__` run in place of their sources. In the sandbox Python writes them elsewhere, so no command need make one here. */
const isCompiledCache = (inRoot: string): boolean => /(?:^|\/)__pycache__\//iu.test(inRoot);

export interface JudgedChange {
  readonly change: CopyChange;
  readonly verdict: ChangeVerdict;
}

/** Judges changes; the texts of plain files are left to the caller. */
export class CopyGate {
  readonly #workspace: ReadableWorkspace;
  readonly #slices: TimeSlices;
  readonly #ignoring: IgnoreTree;
  readonly #rules = new Map<string, Promise<FolderRules>>();
  readonly #versioned = new Map<string, Promise<boolean>>();
  readonly #nested = new Map<string, Promise<number>>();

  constructor(workspace: ReadableWorkspace, slices: TimeSlices) {
    this.#workspace = workspace;
    this.#slices = slices;
    this.#ignoring = new IgnoreTree(workspace, slices);
  }

  async judge(changes: readonly CopyChange[]): Promise<readonly JudgedChange[]> {
    const made = new Set(changes.filter(({ is, was }) => is === "folder" && was === undefined).map(absolutePathOf));
    const filled = new Set(
      changes.filter(({ is }) => is !== undefined).map((change) => dirname(absolutePathOf(change))),
    );
    const repositories = await newRepositories(changes);
    const judged: JudgedChange[] = [];
    const generated: CopyChange[] = [];
    for (const change of changes) {
      if (this.#slices.isSpent) await this.#slices.next();
      // A folder with changes inside is made with these, which are judged themselves.
      const isInRepository = isBelowOne(repositories, absolutePathOf(change));
      const verdict =
        filled.has(absolutePathOf(change)) && change.isHidden !== true
          ? ({ type: "dropped" } as const)
          : isInRepository
            ? inRepository(change)
            : await this.#judge(change, made);
      const isOutput = verdict.type === "as-is" || verdict.type === "disputed";
      if (isOutput && (change.was === "file" || isRemovedFolder(change))) generated.push(change);
      judged.push({ change, verdict });
    }
    // A file that git tracks although a rule ignores it is judged like any tracked file, so that its change can be undone.
    const tracked = await findTracked(this.#workspace, generated.map(trackedPathOf), this.#slices);
    return judged.map((each) =>
      tracked.has(trackedPathOf(each.change)) && each.change.is !== "folder"
        ? { ...each, verdict: plainVerdict(each.change, {}) }
        : each,
    );
  }

  async #judge(change: CopyChange, made: ReadonlySet<string>): Promise<ChangeVerdict> {
    const { inRoot, is, was, root } = change;
    const name = is === "folder" || was === "folder" ? `${inRoot}/` : inRoot;
    const repository = repositoryIn(name);
    if (repository !== undefined && !made.has(join(root, repository))) return { type: "git" };
    if (isPackageCache(name) || (is !== undefined && isCompiledCache(name))) return { type: "dropped" };
    if (is === "other" || inRoot.includes("\ufffd") || inRoot.length > 3000) return { type: "impossible" };
    if (isMaskedChange(change)) return { type: "hidden" };
    if (is === "folder" && was === undefined) return isHarmlessFolder(name) ? { type: "as-is" } : { type: "dropped" };
    const names = inRoot.split("/");
    const top = await this.#repositoryAbove(root, names.slice(0, -1));
    const isCode = is === "file" && isLoadableCode(change.source);
    const isRegular = [is, was].every((kind) => kind === undefined || kind === "file" || kind === "folder");
    const isAlone = was !== "file" || change.seen?.nlink === 1;
    if (
      isRegular &&
      isAlone &&
      (change.mode & 0o7000) === 0 &&
      change.size <= asIsCap &&
      !isCode &&
      !isRisky(root, name, is)
    )
      if ((await this.#isBuildOutput(root, names, top, name.endsWith("/"), made)) && !(await isManifest(change))) {
        if (!isDisputedFile(change)) return { type: "as-is" };
        // A watcher writes its output again after each removal, so a question about that would come with every build.
        if (is === undefined) return { type: "disputed" };
      }
    return plainVerdict(change, { isCode, isNested: top > 0 });
  }

  /** Whether it lies where builds and tests write, and git ignores it. `top`: how many of the names lead to its repository. */
  async #isBuildOutput(
    root: string,
    names: readonly string[],
    top: number,
    isFolder: boolean,
    made: ReadonlySet<string>,
  ): Promise<boolean> {
    const inRepository = names.slice(top).join("/") + (isFolder ? "/" : "");
    if (!isBuildFolder(inRepository) && !isGeneratedName(inRepository)) return false;
    // Without a repository it is not known what is ignored: what lies in such a folder may be the person's own.
    if (top === 0 && !(await this.#isVersioned(root)))
      return names.some((_, at) => {
        const folder = names.slice(0, at + 1).join("/");
        return isBuildFolder(`${folder}/`) && made.has(join(root, folder));
      });
    const rules = await this.#rulesOf(join(root, ...names.slice(0, top)), names.slice(top, -1));
    return (await this.#ignoring.verdictOf(rules, names.at(-1) ?? "", isFolder)) === "ignored";
  }

  /** How many of the folders lead to the innermost one, below the root, that is a repository of its own. */
  #repositoryAbove(root: string, folders: readonly string[]): Promise<number> {
    if (folders.length === 0) return Promise.resolve(0);
    const path = join(root, ...folders);
    const find = async (): Promise<number> =>
      (await isThere(this.#workspace, join(path, ".git")))
        ? folders.length
        : this.#repositoryAbove(root, folders.slice(0, -1));
    const known = this.#nested.get(path) ?? find();
    this.#nested.set(path, known);
    return known;
  }

  /** Whether the folder of the workspace lies in a repository. */
  #isVersioned(root: string): Promise<boolean> {
    const find = async (): Promise<boolean> => {
      for (let top = root; ; top = dirname(top)) {
        if (await readRepository(this.#workspace, top)) return true;
        if (dirname(top) === top) return false;
      }
    };
    const known = this.#versioned.get(root) ?? find();
    this.#versioned.set(root, known);
    return known;
  }

  #rulesOf(root: string, folders: readonly string[]): Promise<FolderRules> {
    const key = join(root, ...folders);
    const known = this.#rules.get(key);
    if (known) return known;
    const above = folders.slice(0, -1);
    const rules =
      folders.length === 0
        ? this.#ignoring.rulesOf(root)
        : this.#rulesOf(root, above).then((outer) => this.#ignoring.enter(outer, folders.at(-1) ?? ""));
    this.#rules.set(key, rules);
    return rules;
  }
}

/** Absolute paths of folders, whatever their names, that git takes for repositories because of what is new in them. */
async function newRepositories(changes: readonly CopyChange[]): Promise<ReadonlySet<string>> {
  const parts = changes.filter(
    ({ is, inRoot }) => is !== undefined && /(?:^|\/)(?:head|commondir|objects|refs)$/iu.test(inRoot),
  );
  const found = new Set<string>();
  for (const [folder, made] of Map.groupBy(parts, (change) => dirname(absolutePathOf(change)))) {
    const there = await readdir(folder).catch(() => []);
    const names = [...made.map(({ inRoot }) => basename(inRoot)), ...there];
    if (basename(folder).toLowerCase() !== ".git" && isRepository(names)) found.add(folder);
  }
  return found;
}

function isBelowOne(folders: ReadonlySet<string>, path: string): boolean {
  if (folders.size === 0) return false;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (folders.has(folder)) return true;
  return false;
}

function inRepository({ is }: CopyChange): ChangeVerdict {
  return is === "folder" || is === "other" ? { type: "dropped" } : { type: "asks", reasons: ["executed"] };
}

/** Absolute, links of the root resolved. */
export function absolutePathOf({ root, inRoot }: CopyChange): string {
  return join(root, inRoot);
}

export function isRemovedFolder({ is, was }: CopyChange): boolean {
  return is === undefined && was === "folder";
}

/** Whether something else has changed a file that the command has changed or removed. For a new file `isDisputed` concerns only its folder. */
function isDisputedFile({ was, isDisputed }: CopyChange): boolean {
  return was === "file" && isDisputed === true;
}

/** A removed folder ends with a slash, so that it is looked up whether something in it is tracked. */
function trackedPathOf(change: CopyChange): string {
  return isRemovedFolder(change) ? `${absolutePathOf(change)}/` : absolutePathOf(change);
}

/** The beginning of the path that leads to a repository's folder. */
function repositoryIn(name: string): string | undefined {
  const names = name.split("/");
  const at = names.findIndex((one) => one.toLowerCase() === ".git");
  return at < 0 ? undefined : names.slice(0, at + 1).join("/");
}

function isHarmlessFolder(name: string): boolean {
  return !isExecutedPath(name) && !isSecretPath(name) && !isPackages(name) && repositoryIn(name) === undefined;
}

/** Keys of a package.json that name no program. Builds write such files next to modules. */
const plainKeys = new Set(
  `name version description type main module browser types typings exports imports sideEffects private license author homepage repository
  keywords bugs files engines`.split(/\s+/),
);

/** Whether it is a package.json by which an editor's programs may find code to load. */
async function isManifest({ inRoot, is, source, size }: CopyChange): Promise<boolean> {
  if (is !== "file" || !/(?:^|\/)package\.json$/iu.test(inRoot)) return false;
  if (size > manifestCap) return true;
  try {
    const read: unknown = JSON.parse(await readFile(source, "utf8"));
    return typeof read !== "object" || read === null || Object.keys(read).some((key) => !plainKeys.has(key));
  } catch {
    return true;
  }
}

/** Whether it acts unasked or may hold a secret, also as build output. Output below a folder that something loads is loaded, too. */
function isRisky(root: string, name: string, is: CopyChange["is"]): boolean {
  if ((is !== undefined && isImported(name)) || isObeyedInRoot(root, name)) return true;
  if (isObeyedPath(name) || isLoadedPath(name) || isSecretPath(name) || isRepositoryPart(name)) return true;
  const names = name.split("/");
  const at = names.findIndex((each) => isBuildFolder(`${each}/`));
  return at > 0 && isExecutedPath(`${names.slice(0, at).join("/")}/`);
}

/** Whether the command saw an empty file in its place, or has copied such a file. */
function isMaskedChange({ isHidden, is, size, inRoot }: CopyChange): boolean {
  return isHidden === true || (is === "file" && size === 0 && isSecretPath(inRoot));
}

async function isThere(workspace: ReadableWorkspace, path: string): Promise<boolean> {
  return workspace.status(path).then(
    () => true,
    () => false,
  );
}

/** git takes a folder with a file of this name for a repository, whatever its own name is. */
function isRepositoryPart(name: string): boolean {
  return /(?:^|\/)(?:head|commondir)$/iu.test(name);
}

/** Judges a file, a link, or a folder that was removed. */
function plainVerdict(
  change: CopyChange,
  { isCode = false, isNested = false }: { readonly isCode?: boolean; readonly isNested?: boolean },
): ChangeVerdict {
  const { root, inRoot, is, was, mode, seen, size, isDisputed } = change;
  const reasons = new Set<AskReason>();
  const name = isRemovedFolder(change) ? `${inRoot}/` : inRoot;
  if (is === "link" || was === "link") reasons.add("link");
  const isExecuted = isExecutedPath(name) || isObeyedInRoot(root, name) || isRepositoryPart(name);
  if (isExecuted || isCode || (is !== undefined && isEvaluated(name))) reasons.add("executed");
  if (isSecretPath(name)) reasons.add("secret");
  if (isPackages(name)) reasons.add("unlisted");
  if (isDisputed === true) reasons.add("changed-meanwhile");
  if (seen !== undefined && was === "file" && seen.nlink > 1) reasons.add("hard-link");
  if (is === "file" && (mode & ~(seen?.mode ?? 0) & 0o7111) !== 0) reasons.add("runnable");
  const isLarge = Math.max(size, was === "file" ? (seen?.size ?? 0) : 0) > ledgerCap;
  const isPlain = isPlainFile(inRoot) || isPlainData(inRoot) || isPlainJson(inRoot) || isGeneratedName(inRoot);
  const isRemoval = is === undefined && !/(?:^|\/)\./u.test(inRoot);
  const isFile = is !== "folder" && was !== "folder" && was !== "other";
  if (reasons.size === 0 && (isLarge || !isFile || (!isPlain && !isRemoval))) reasons.add("unknown-kind");
  // The undo of a chat doesn't restore what the nested repository knew of the file.
  if (isNested && (reasons.size > 0 || is === undefined)) reasons.add("nested-repository");
  return reasons.size === 0 ? { type: "ledger" } : { type: "asks", reasons: [...reasons] };
}

/** Holds the first bytes of a file, by which a loader recognises compiled code, whatever the file's name (A13). */
const head = Buffer.alloc(20);

/** `file`: absolute, in a copy that nothing changes any more. One that can't be read counts as loadable, because nothing is known of it. */
function isLoadableCode(file: string): boolean {
  try {
    const handle = openSync(file, readFlags);
    try {
      return isLoadable(head.subarray(0, readSync(handle, head, 0, head.length, 0)));
    } finally {
      closeSync(handle);
    }
  } catch {
    return true;
  }
}

/** Mach-O in both orders of bytes, for one processor and for several; a class of Java begins like the latter. */
const magicNumbers = new Set([
  0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xcafebabf, 0xbebafeca, 0xbfbafeca,
]);

function isLoadable(bytes: Buffer): boolean {
  if (bytes.length >= 2 && bytes.toString("latin1", 0, 2) === "MZ") return true;
  if (bytes.length < 4) return false;
  const magic = bytes.readUInt32BE(0);
  return magicNumbers.has(magic) || (magic === 0x7f454c46 && isShared(bytes));
}

/** Loaders refuse an ELF file that is a program for a fixed address, a part for a linker, or a memory dump: these only run when they are started. */
const unshared = new Set([1, 2, 4]);

/** A program that may lie at any address differs from a library in its tables only, which two readers can read differently: it counts as one. */
function isShared(bytes: Buffer): boolean {
  if (bytes.length < 18) return true;
  return !unshared.has(bytes[5] === 2 ? bytes.readUInt16BE(16) : bytes.readUInt16LE(16));
}
