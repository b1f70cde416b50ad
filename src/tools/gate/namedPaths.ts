/** Finds what the words of a command name: files and folders of the project, which a rule for the command may cover, and what no rule covers. */
import { basename, dirname, join, relative, resolve } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { NamedPaths } from "../../domain/tools/grant";
import { type CallEffects, ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "./cautions";
import { type GatedFolder, gateFile, gateFolder, gatePlace } from "./fileGate";
import { IgnoreTree } from "./ignoreTree";
import { toSlashes, isInside, unusualPathReason } from "./pathNames";
import { isSecretPath } from "./sensitiveNames";
import { findUntracked } from "./trackedFiles";

/** A command with more words is asked about each time. */
const maxWords = 30;
/** Entries of a folder that a word is compared with. */
const maxSiblings = 2000;

type Kind = "file" | "folder" | "new" | "other" | "foreign";

/** `folder`: where the command runs. `wrote`: as in `CallEffects`. */
export async function findNamedPaths(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  words: readonly string[],
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<NamedPaths> {
  const files: string[] = [];
  const folders: string[] = [];
  const writable: string[] = [];
  const modules: string[] = [];
  if (words.length > maxWords) return { files, folders, modules, writable, foreign: words };
  const foreign: string[] = [];
  const gate = new WordGate(workspace, folder, signal, wrote, suffixesOf(words));
  const fetched = /^(?:npx|bunx)(?:\.(?:exe|cmd|bat|ps1))?$/iu.test(words[0] ?? "") ? words[1] : undefined;
  const hasModules = words.some((word) => /^(?:-m$|--(?:settings|cov)=)/u.test(word));
  for (const word of words) {
    const { kind, isWritable } = await gate.judge(word);
    if (kind === "foreign" || (word === fetched && !(await gate.isInstalled(word)))) foreign.push(word);
    if (isWritable) writable.push(word);
    // An option names a path by its value.
    const name = valueOf(word) ?? word;
    const named = name === word ? kind : (await gate.judge(name)).kind;
    if (named === "file") files.push(name);
    if (named === "folder") folders.push(name);
    if (hasModules && (await gate.isOwnModule(name))) modules.push(name);
  }
  return { files, folders, modules, writable, foreign };
}

/** Whether the folder is a root, or git tracks something in it. */
export async function isTrackedFolder(
  workspace: ReadableWorkspace,
  { root, real }: GatedFolder,
  signal: AbortSignal,
): Promise<boolean> {
  return real === root || (await findUntracked(workspace, [`${real}/`], new TimeSlices(signal))).length === 0;
}

class WordGate {
  readonly #workspace: ReadableWorkspace;
  readonly #folder: GatedFolder;
  readonly #signal: AbortSignal;
  readonly #wrote: CallEffects["wrote"];

  readonly #tree: IgnoreTree;
  /** Matches what may follow a path in the same word. */
  readonly #suffix: RegExp | undefined;

  constructor(
    workspace: ReadableWorkspace,
    folder: GatedFolder,
    signal: AbortSignal,
    wrote: CallEffects["wrote"],
    suffix: RegExp | undefined,
  ) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#signal = signal;
    this.#wrote = wrote;
    this.#suffix = suffix;
    this.#tree = new IgnoreTree(workspace, new TimeSlices(signal));
  }

  /** Whether the program is in a `node_modules` here or above, where `npx` takes it from. What is not there is downloaded and run. */
  async isInstalled(program: string): Promise<boolean> {
    for (let folder = this.#at; ; folder = dirname(folder)) {
      const file = join(folder, "node_modules", ".bin", program);
      const found = await this.#workspace.status(file).catch(() => undefined);
      if (found !== undefined) return true;
      if (folder === dirname(folder)) return false;
    }
  }

  /** `isWritable`: a file of the project, or a new one, that nothing executes. */
  async judge(word: string): Promise<{ readonly kind: Kind; readonly isWritable?: boolean }> {
    if (leadsOut(word) || mayNameSecret(word)) return { kind: "foreign" };
    if (word.startsWith("-")) {
      const value = valueOf(word) ?? /^-[A-Za-z](?<glued>[^=-].*)$/u.exec(word)?.groups?.["glued"];
      const isForeign =
        value !== undefined && ((await this.#judgePath(value)).kind === "foreign" || (await this.#namesModule(value)));
      return { kind: isForeign ? "foreign" : "other" };
    }
    const judged = await this.#judgePath(this.#suffix ? word.replace(this.#suffix, "") : word);
    const isForeign = judged.kind === "new" && ((await this.#namesModule(word)) || (await this.#namesPackage(word)));
    return isForeign ? { kind: "foreign" } : judged;
  }

  /**
   * Whether the word is a Python module of the project. `a.b` is the package `a/b`, or in the file `a/b.py`; here also in `a.py`.
   * Where only the folder `a`, or `src/a.py`, is the project's, Python may have another module of that name.
   */
  async isOwnModule(word: string): Promise<boolean> {
    if (!/^\w+(?:\.\w+)*$/u.test(word)) return false;
    const names = word.split(".");
    for (const place of ["", "src/", "tests/"]) {
      const files = ["__init__.py", "__main__.py"].map((file) => `${names.join("/")}/${file}`);
      for (let count = place === "" ? 1 : Math.min(2, names.length); count <= names.length; count += 1)
        files.push(`${names.slice(0, count).join("/")}.py`);
      for (const file of files) if ((await this.#judgePath(place + file)).kind === "file") return true;
    }
    return false;
  }

  /** Whether a program could complete the word to a path that is not the project's: `a` to `a.js`, `a.b` to `a/b.py`. */
  async #namesModule(word: string): Promise<boolean> {
    const names = /^\w+(?:\.\w+)+$/u.test(word) ? word.split(".") : [word];
    for (let count = 1; count <= names.length; count += 1) {
      const path = names.slice(0, count).join("/");
      if ((await this.#judgePath(path)).kind === "foreign") return true;
      const at = resolve(this.#at, path);
      const { entries } = await this.#workspace.list(dirname(at), maxSiblings).catch(() => ({ entries: [] }));
      for (const { name } of entries)
        if (name.startsWith(`${basename(at)}.`) && (await this.#judgePath(join(dirname(at), name))).kind === "foreign")
          return true;
    }
    return false;
  }

  /** Whether Node finds the path in an installed package: `evil/package.json`. */
  async #namesPackage(word: string): Promise<boolean> {
    const name = /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/)/u.exec(word)?.[0];
    if (name === undefined) return false;
    const { rootPath } = this.#folder;
    for (let folder = this.#at; isInside(rootPath, folder); folder = dirname(folder)) {
      const found = await this.#workspace.status(join(folder, "node_modules", name)).catch(() => undefined);
      if (found !== undefined) return true;
      if (folder === rootPath) break;
    }
    return false;
  }

  get #at(): string {
    const { rootPath, root, real } = this.#folder;
    return join(rootPath, relative(root, real));
  }

  async #judgePath(given: string): Promise<{ readonly kind: Kind; readonly isWritable?: boolean }> {
    if (given === "" || given.length > 4096) return { kind: "other" };
    const { rootPath } = this.#folder;
    const path = resolve(this.#at, given);
    if (!isInside(rootPath, path)) return { kind: "foreign" };
    const [workspace, signal, tree] = [this.#workspace, this.#signal, this.#tree];
    const { kind } = await workspace.status(path).catch(() => ({ kind: undefined }));
    const file =
      kind === "file" || kind === "link" ? await unlessRefused(gateFile(workspace, path, signal, tree)) : undefined;
    const isFolder = kind === "folder" || kind === "link";
    const found = file ?? (isFolder ? await unlessRefused(gateFolder(workspace, path, signal, tree)) : undefined);
    if (found === undefined) {
      const place = kind === undefined ? await unlessRefused(gatePlace(workspace, path, signal, tree)) : undefined;
      // Something is there that no tool may read, or the path leads out through a link.
      if (place === undefined) return { kind: isNoPath(given) ? "other" : "foreign" };
      if (place.cautions.includes("secret")) return { kind: "foreign" };
      return { kind: "new", isWritable: place.cautions.length === 0 };
    }
    if (reasonsToAskForRead(found.cautions) !== undefined) return { kind: "foreign" };
    const asked = file ? found.real : `${found.real}/`;
    const isTracked = (await findUntracked(workspace, [asked], new TimeSlices(signal))).length === 0;
    const isOwn = isTracked || (file !== undefined && (await this.#wrote?.(file.path)) === true);
    if (!isOwn) return { kind: "foreign" };
    return { kind: file ? "file" : "folder", isWritable: file !== undefined && found.cautions.length === 0 };
  }
}

/** In `file::test` of pytest and in `folder/...` of go more than a path is in a word. To other programs such a word is something else. */
function suffixesOf([program = "", ...rest]: readonly string[]): RegExp | undefined {
  const name =
    /[^\\/]*$/u
      .exec(program)?.[0]
      .toLowerCase()
      .replace(/\.exe$/u, "") ?? "";
  if (/^go(?:langci-lint)?$/u.test(name)) return /\/\.\.\.$/u;
  const isPytest =
    name === "pytest" ||
    (/^(?:py|python[\d.]*|coverage|uv|poetry|pipenv|pdm|hatch)$/u.test(name) && rest.includes("pytest"));
  return isPytest ? /::.*$/su : undefined;
}

/** The value of an option that is in the same word. */
function valueOf(word: string): string | undefined {
  return /^-[^=]*=(?<value>.+)$/u.exec(word)?.groups?.["value"];
}

/** Whether the word has an address, a home folder, a folder above, or a path of another system. */
function leadsOut(word: string): boolean {
  return /:\/\/|\\|^[/]{2}|(?:^|[=:,@])~|(?:^|[=:,@/])\.\.(?:\/|$)|^@/u.test(word);
}

export function mayNameSecret(word: string): boolean {
  const parts = word.split(/[=:,@]/u);
  return [word, ...parts].some((part) => part !== "" && isSecretPath(toSlashes(part)));
}

/** Whether the word is no path, such as `a:b`, or a sentence with its full stop. */
function isNoPath(given: string): boolean {
  return !given.includes("/") && unusualPathReason(given) !== undefined;
}

function unlessRefused<T>(gated: Promise<T>): Promise<T | undefined> {
  return gated.catch((error: unknown) => {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  });
}
