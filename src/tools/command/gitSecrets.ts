/**
 * Decides whether a git command in the sandbox may print the content of a file that may hold a secret, in any revision (A4): the file itself is
 * hidden there, but git's object store has it. git lists the names of the files first, in the same sandbox.
 */
import type { ChildProcesses } from "../../domain/tools/childProcesses";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "../gate/fileAccess";
import type { GatedFolder } from "../gate/fileGate";
import { openRepositoryOf } from "../gate/gitRepository";
import { findNamedPaths, mayNameSecret } from "../gate/namedPaths";
import { sandboxPolicy } from "../gate/sandboxPolicy";
import { isSecretPath } from "../gate/sensitiveNames";
import { commandEnvironment } from "./commandEnvironment";
import { confinementOf } from "./confinedCommand";
import { withoutMessages } from "./plainGit";
import type { CommandPart } from "./readCommandLine";

/** Milliseconds, and characters of names. A line that takes longer asks. */
const listBounds = { time: 5000, names: 4 * 1024 * 1024 };
const maxConfigLength = 256 * 1024;

export interface GitLine {
  readonly line: string;
  /** Missing for a line that is more than plain words. */
  readonly parts?: readonly CommandPart[];
  readonly folder: GatedFolder;
  /** The roots that the sandbox has. */
  readonly roots: readonly string[];
}

export interface GitSecretOptions {
  readonly workspace: ReadableWorkspace;
  readonly processes: Pick<ChildProcesses, "environment" | "isWindows" | "run">;
}

/** Rejects with an abort only. */
export async function mayPrintSecrets(
  options: GitSecretOptions,
  { line, parts, folder, roots }: GitLine,
  signal: AbortSignal,
): Promise<boolean> {
  // What a shell makes of the line is not known.
  if (parts === undefined) return /(?:^|[^\w.-])git(?![\w.-])/u.test(line);
  for (const { argv } of parts) {
    const reads = gitReadsOf(argv);
    if (reads !== undefined && (await prints(options, reads, folder, roots, signal))) return true;
  }
  return false;
}

async function prints(
  options: GitSecretOptions,
  reads: GitReads,
  folder: GatedFolder,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  switch (reads.type) {
    case "nothing":
      return false;
    case "unknown":
      return true;
    case "settings":
      return mayHoldLogin(options.workspace, folder);
    case "files": {
      const { named, argv, revisions = [] } = reads;
      if (named.some(mayNameSecret)) return true;
      if (argv === undefined) return false;
      const names = await listNames(options, argv, folder, roots, signal);
      if (names === undefined || names.some(mayBeSecret)) return true;
      // A listed name that is also a word of the line is a file of the work tree, or else an object whose content is printed.
      const { files } = await findNamedPaths(
        options.workspace,
        folder,
        names.filter((name) => revisions.includes(name)),
        signal,
        undefined,
      );
      return names.some((name) => revisions.includes(name) && !files.includes(name));
    }
  }
}

/** A name is `HEAD:path` where git searched a revision. */
function mayBeSecret(name: string): boolean {
  return isSecretPath(name) || isSecretPath(name.slice(name.indexOf(":") + 1));
}

/** `undefined` where git fails, or takes too long. */
async function listNames(
  { processes }: GitSecretOptions,
  argv: readonly string[],
  folder: GatedFolder,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  let output = "";
  const environment = commandEnvironment(processes.environment, folder.real, processes.isWindows);
  const end = await processes.run(
    {
      argv: ["git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", ...argv],
      cwd: folder.real,
      environment: { ...environment, GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" },
      timeoutMs: listBounds.time,
      onOutput: (text) => void (output.length <= listBounds.names && (output += text)),
      confinement: confinementOf(roots, sandboxPolicy, [{ argv: ["git", ...argv] }], false, undefined),
    },
    signal,
  );
  // `git grep` that finds nothing ends with 1.
  const isDone = end.type === "exited" && (end.code === 0 || (end.code === 1 && output === ""));
  if (!isDone || output.length > listBounds.names) return undefined;
  // A history has each name many times.
  return [...new Set(output.split("\0"))].filter((name) => name.trim() !== "");
}

async function mayHoldLogin(workspace: ReadableWorkspace, folder: GatedFolder): Promise<boolean> {
  const repository = await openRepositoryOf(workspace, folder.real);
  if (repository === undefined) return false;
  for (const path of [`${repository.folder}/config`, `${repository.head}/config.worktree`]) {
    const bytes = await readSmallFile(workspace, path, maxConfigLength);
    if (bytes === "missing") continue;
    if (!(bytes instanceof Uint8Array) || sandboxPolicy.mayHoldSecret(Buffer.from(bytes).toString())) return true;
  }
  return false;
}

/**
 * The contents of files that a git command prints, in any revision (A4): the files are named by its words, or by a command that lists their names
 * instead. A word or an option that is not known here makes it unknown.
 */
type GitReads =
  /** It prints names, messages and states only, or the content of files that its words name. */
  | { readonly type: "nothing" }
  | { readonly type: "unknown" }
  /** It prints settings of the repository, which may hold a login. */
  | { readonly type: "settings" }
  /**
   * It prints the files that the words in `named` name, and those whose names the command `argv` lists, with a NUL after each. `revisions`: words
   * that may also be names of objects.
   */
  | {
      readonly type: "files";
      readonly named: readonly string[];
      readonly argv?: readonly string[];
      readonly revisions?: readonly string[];
    };

const nothing: GitReads = { type: "nothing" };
const unknown: GitReads = { type: "unknown" };

const split = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Commands that print names, messages and states only, whatever their options are. */
const quiet = split(`
  branch check-attr check-ignore check-ref-format cherry clean count-objects describe fetch for-each-ref gc help init ls-files ls-tree
  merge-base mv name-rev pull push rev-list rev-parse rm shortlog show-ref symbolic-ref tag version
`);

/**
 * Options with which these commands print no content. With others they print a patch. Those are not listed instead, because git accepts any unambiguous
 * prefix of a long option. `commit --dry-run` is missing: with a setting of the repository it prints the patch.
 */
const quietOptions: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[AfnNuv]+|--(?:all|chmod|dry-run|force|ignore-errors|ignore-missing|ignore-removal|intent-to-add|no-all|no-ignore-removal|refresh|renormalize|sparse|update|verbose)(?:=.*)?|--)$/u,
  commit:
    /^(?:-[aenoqs]*(?:[CFmtS].*)?|--(?:all|allow-empty|allow-empty-message|amend|author|cleanup|date|edit|file|fixup|gpg-sign|message|no-edit|no-gpg-sign|no-post-rewrite|no-signoff|no-status|no-verify|only|quiet|reset-author|reuse-message|signoff|squash|template|trailer)(?:=.*)?|--)$/u,
  status:
    /^(?:-[bsz]+|-u(?:no|normal|all)?|--(?:ahead-behind|branch|column|find-renames|ignored|ignore-submodules|long|no-ahead-behind|no-column|no-renames|null|porcelain|renames|short|show-stash|untracked-files)(?:=.*)?|--)$/u,
};

/** Options that select commits and files. They mean the same for a list of names. */
const selecting =
  /^(?:-\d+|-n\d*|-[iEFP]|-[SG].*|--(?:all|branches|tags|remotes|merges|no-merges|first-parent|reverse|date-order|topo-order|max-count|skip|since|after|until|before|author|committer|grep|left-right|cherry-pick|cherry-mark|ancestry-path|full-history|ignore-case|invert-grep|all-match|diff-filter|cached|staged|merge-base|reflog|walk-reflogs|not|exclude|pickaxe-all|pickaxe-regex)(?:=.*)?)$/u;
/** Options for how commits are printed, without contents. */
const describing =
  /^(?:-[szMCB]|--(?:oneline|graph|decorate|no-decorate|stat|shortstat|numstat|name-only|name-status|summary|dirstat|raw|no-patch|abbrev-commit|no-abbrev-commit|abbrev|date|relative-date|format|pretty|color|no-color|no-ext-diff|no-textconv|simplify-by-decoration|parents|source|no-notes|find-renames|no-renames|exit-code|quiet)(?:=.*)?)$/u;
/** Options that replace the patch of a command that prints one by itself. */
const listing =
  /^(?:-s|--(?:stat|shortstat|numstat|name-only|name-status|summary|dirstat|raw|no-patch|quiet)(?:=.*)?)$/u;
const patch =
  /^(?:-[puwbaWcmR]|-U\d+|--(?:patch|unified|word-diff|color-words|patch-with-stat|function-context|minimal|patience|histogram|diff-algorithm|ignore-all-space|ignore-space-change|ignore-blank-lines|ignore-space-at-eol|inter-hunk-context|full-index|cc|no-prefix|text|color-moved)(?:=.*)?)$/u;

const searching =
  /^(?:-[niwEFPeclIapoWHv]+|-[ABCm]\d*|--(?:line-number|ignore-case|word-regexp|extended-regexp|fixed-strings|perl-regexp|count|files-with-matches|name-only|heading|break|cached|and|or|not|all-match|context|after-context|before-context|max-count|color|no-color|show-function|only-matching|column|full-name|invert-match)(?:=.*)?)$/u;

/** `undefined` for another program. */
function gitReadsOf([program = "", ...all]: readonly string[]): GitReads | undefined {
  if (!/(?:^|[\\/])git(?:\.exe)?$/iu.test(program)) return undefined;
  const [command = "", ...rest] = all[0] === "--no-pager" ? all.slice(1) : all;
  // A format with `(raw` prints whole objects, with `(*raw` those that tags name.
  if (all.some((word) => /\(\*?raw/u.test(word))) return unknown;
  switch (command) {
    case "log":
    case "reflog":
    case "whatchanged":
      return logOf(command, rest);
    case "show":
      return showOf(rest);
    case "diff":
      return diffOf(rest);
    case "stash":
      return stashOf(rest);
    case "grep":
      return grepOf(rest);
    case "blame":
    case "annotate":
      return { type: "files", named: rest };
    case "cat-file":
      return catFileOf(rest);
    case "remote":
      return rest.length === 0 ? nothing : { type: "settings" };
    case "config":
      return { type: "settings" };
    case "bisect":
      return rest.length === 1 && rest[0] === "log" ? nothing : unknown;
    case "am":
      return rest.length === 1 && rest[0] === "--abort" ? nothing : unknown;
    case "worktree":
    case "submodule":
      return /^(?:list|status|summary)$/u.test(rest[0] ?? "status") ? nothing : unknown;
  }
  if (quiet.has(command)) return nothing;
  // A `--` may be the value of an option, so the words after it are looked at too.
  const option = Object.hasOwn(quietOptions, command) ? quietOptions[command] : undefined;
  const words = command === "commit" ? withoutMessages(rest) : rest;
  return option !== undefined && words.every((word) => !word.startsWith("-") || option.test(word)) ? nothing : unknown;
}

interface ReadWords {
  readonly selects: readonly string[];
  /** Revisions and paths. */
  readonly words: readonly string[];
  /** The words from `--` on. */
  readonly paths: readonly string[];
  readonly isListing: boolean;
  readonly hasPatch: boolean;
}

/** `undefined` where an option is not known. */
function readWords(rest: readonly string[]): ReadWords | undefined {
  const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
  const ahead = rest.slice(0, end);
  const options = ahead.filter((word) => word.startsWith("-"));
  if (!options.every((word) => selecting.test(word) || describing.test(word) || patch.test(word))) return undefined;
  return {
    selects: ahead.filter((word) => !word.startsWith("-") || selecting.test(word)),
    words: ahead.filter((word) => !word.startsWith("-")),
    paths: rest.slice(end),
    isListing: options.some((word) => listing.test(word)),
    hasPatch: options.some((word) => patch.test(word) && !selecting.test(word)),
  };
}

/** `-m`, which is added for commits, lists the files of merges. Without renames both names of a file are listed. */
const namesOnly = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];

function logOf(command: string, rest: readonly string[]): GitReads {
  const read = readWords(rest);
  if (!read) return unknown;
  if (!read.hasPatch && command !== "whatchanged") return nothing;
  const { selects, paths } = read;
  const start = command === "reflog" ? ["log", "--walk-reflogs"] : ["log"];
  return { type: "files", argv: [...start, ...namesOnly, "-m", "--format=", ...selects, ...paths], named: [] };
}

function diffOf(rest: readonly string[]): GitReads {
  const read = readWords(rest);
  if (!read) return unknown;
  const { selects, words, paths, isListing, hasPatch } = read;
  if (isListing && !hasPatch) return nothing;
  const named = words.filter(isPathInRevision);
  // The other word may be the name of an object, and the list would have only one of both names.
  if (named.length > 0 && named.length < words.length) return unknown;
  return { type: "files", argv: ["diff", ...namesOnly, ...selects, ...paths], named, revisions: words };
}

function showOf(rest: readonly string[]): GitReads {
  const read = readWords(rest);
  if (!read) return unknown;
  const { selects, words, paths, isListing, hasPatch } = read;
  const revisions = words.filter((word) => !isPathInRevision(word));
  const named = words.filter(isPathInRevision);
  if (revisions.length === 0 && named.length > 0) return { type: "files", named };
  const options = selects.filter((word) => word.startsWith("-"));
  // `show` prints a blob whose name is a word; with `^{commit}` such a word fails.
  const commits = revisions.length === 0 ? ["HEAD"] : revisions.map((word) => `${word}^{commit}`);
  const names = isListing && !hasPatch ? ["-s"] : [...namesOnly, "-m"];
  const argv = ["log", "--no-walk=unsorted", "--format=", ...names, ...options, ...commits];
  return { type: "files", argv: [...argv, ...(paths.length > 0 ? paths : ["--"])], named };
}

function stashOf(rest: readonly string[]): GitReads {
  const [first = "", ...others] = rest;
  if (first === "list") return readWords(others)?.hasPatch === false ? nothing : unknown;
  if (first !== "show") return unknown;
  const read = readWords(others.filter((word) => word !== "-u" && word !== "--include-untracked"));
  if (!read) return unknown;
  const { words } = read;
  return { type: "files", argv: ["stash", "show", "--include-untracked", ...namesOnly, ...words], named: [] };
}

function grepOf(rest: readonly string[]): GitReads {
  // After `-e` a `--` is what is searched for, and options may follow.
  const isKnown = rest.every((word) => !word.startsWith("-") || word === "--" || searching.test(word));
  return isKnown ? { type: "files", argv: ["grep", "-l", "-z", ...rest], named: [] } : unknown;
}

function catFileOf(rest: readonly string[]): GitReads {
  const [how = "", what = "", ...more] = rest;
  const isListed = rest
    .slice(1)
    .every((word) => !word.startsWith("-") || /^--(?:batch-all-objects|buffer)$/u.test(word));
  if (/^(?:-[tse]|--batch-check(?:=.*)?|commit|tag|tree)$/u.test(how)) return isListed ? nothing : unknown;
  const isNamed = /^(?:-p|blob)$/u.test(how) && isPathInRevision(what) && more.length === 0;
  return isNamed ? { type: "files", named: [what] } : unknown;
}

/** `HEAD:src/a.ts` and `:src/a.ts`; not `:/words of a message`. */
function isPathInRevision(word: string): boolean {
  return /^[^:]*:(?!\/)/u.test(word);
}
