/** What the words of a command name: files and folders of the project, which a rule for the command may cover, and what no rule covers. */
import { basename, dirname, join, relative, resolve } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { NamedPaths } from "../../domain/tools/grant";
import { type CallEffects, ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "./cautions";
import { type GatedFolder, gateFile, gateFolder, gatePlace } from "./fileGate";
import { toSlashes } from "./locate";
import { isInside, oddityOf } from "./pathNames";
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
  const gate = new WordGate(workspace, folder, signal, wrote);
  for (const [at, word] of words.entries()) {
    const { kind, isWritable } = await gate.judge(word);
    if (kind === "file") files.push(word);
    if (kind === "folder") folders.push(word);
    if (kind === "foreign") foreign.push(word);
    if (isWritable) writable.push(word);
    if (words[at - 1] === "-m" && (await gate.isOwnModule(word))) modules.push(word);
  }
  return { files, folders, modules, writable, foreign };
}

/** A root, or a folder in which git tracks something. */
export async function isProjectFolder(
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

  constructor(workspace: ReadableWorkspace, folder: GatedFolder, signal: AbortSignal, wrote: CallEffects["wrote"]) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#signal = signal;
    this.#wrote = wrote;
  }

  /** `isWritable`: a file of the project, or a new one, that nothing executes. */
  async judge(word: string): Promise<{ readonly kind: Kind; readonly isWritable?: boolean }> {
    if (leadsOut(word) || mayNameSecret(word)) return { kind: "foreign" };
    const option = /^-[^=]*=(?<value>.+)$|^-[A-Za-z](?<glued>[^=-].*)$/u.exec(word)?.groups;
    if (word.startsWith("-")) {
      const value = option?.["value"] ?? option?.["glued"];
      const isForeign =
        value !== undefined && ((await this.#judgePath(value)).kind === "foreign" || (await this.#namesModule(value)));
      return { kind: isForeign ? "foreign" : "other" };
    }
    // `file::test` of pytest, and `folder/...` of go.
    const judged = await this.#judgePath((word.split("::", 1)[0] ?? "").replace(/\/\.\.\.$/u, ""));
    return judged.kind === "new" && (await this.#namesModule(word)) ? { kind: "foreign" } : judged;
  }

  /** `a.b` is in the folder `a`, or in the file `a.py`. */
  async isOwnModule(word: string): Promise<boolean> {
    const [name = ""] = word.split(".");
    if (!/^\w+(?:\.\w+)*$/u.test(word)) return false;
    for (const path of [name, `src/${name}`])
      if ((await this.#judgePath(path)).kind === "folder" || (await this.#judgePath(`${path}.py`)).kind === "file")
        return true;
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

  get #at(): string {
    const { rootPath, root, real } = this.#folder;
    return join(rootPath, relative(root, real));
  }

  async #judgePath(given: string): Promise<{ readonly kind: Kind; readonly isWritable?: boolean }> {
    if (given === "" || given.length > 4096) return { kind: "other" };
    const { rootPath } = this.#folder;
    const path = resolve(this.#at, given);
    if (!isInside(rootPath, path)) return { kind: "foreign" };
    const [workspace, signal] = [this.#workspace, this.#signal];
    const { kind } = await workspace.status(path).catch(() => ({ kind: undefined }));
    const file =
      kind === "file" || kind === "link" ? await unlessRefused(gateFile(workspace, path, signal)) : undefined;
    const isFolder = kind === "folder" || kind === "link";
    const found = file ?? (isFolder ? await unlessRefused(gateFolder(workspace, path, signal)) : undefined);
    if (found === undefined) {
      const place = kind === undefined ? await unlessRefused(gatePlace(workspace, path, signal)) : undefined;
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

/** An address, a home folder, a folder above, or a path of another system. */
export function leadsOut(word: string): boolean {
  return /:\/\/|\\|^[/]{2}|(?:^|[=:,@])~|(?:^|[=:,@/])\.\.(?:\/|$)|^@/u.test(word);
}

export function mayNameSecret(word: string): boolean {
  const parts = word.split(/[=:,@]/u);
  return [word, ...parts].some((part) => part !== "" && isSecretPath(toSlashes(part)));
}

/** A word such as `a:b`, or a sentence with its full stop. */
function isNoPath(given: string): boolean {
  return !given.includes("/") && oddityOf(given) !== undefined;
}

function unlessRefused<T>(gated: Promise<T>): Promise<T | undefined> {
  return gated.catch((error: unknown) => {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  });
}
