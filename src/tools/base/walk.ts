/** Walks a gated folder in order. Skips links, special files, ignored files and secrets, unless the folder was approved with that reason. */
import { join, relative } from "node:path";
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import type { FolderEntry, ReadableWorkspace } from "../../domain/tools/workspace";
import type { FileCaution } from "../gate/cautions";
import { toRefusal } from "../gate/fileAccess";
import type { GatedFolder } from "../gate/fileGate";
import { type FolderRules, IgnoreTree, verdictIn } from "../gate/ignoreTree";
import { toSlashes, listedName } from "../gate/pathNames";
import type { QuotedFile } from "../gate/quotedFiles";
import type { NamesInFolder } from "../gate/nameTable";
import { secretNamesIn, unlistedNamesIn } from "../gate/sensitiveNames";

/** The note of a walk, or of a reader of its files, that ended because its time was over. */
export const overNote = "(the time is over, what follows is left out: name a folder to see less)";

const walkBounds = { depth: 100, folderEntries: 10_000, entries: 200_000 };

export interface WalkedFile {
  /** Absolute, without links. */
  readonly path: string;
  /** Relative to where the walk began, with `/`. */
  readonly inFolder: string;
}

/** A gated folder. */
export type WalkStart = Pick<GatedFolder, "label" | "cautions" | "rules" | "root">;

/** The file for a result that names it. */
export function walkedFile(
  { label, root, rootPath, cautions }: GatedFolder,
  { path, inFolder }: WalkedFile,
): QuotedFile {
  const above = label === "." ? "" : label.replace(/\/?$/, "/");
  return { path: join(rootPath, relative(root, path)), real: path, label: above + inFolder, cautions };
}

interface OpenFolder {
  readonly rules: FolderRules;
  /** Relative to where the walk began; empty or with `/` at its end. */
  readonly inFolder: string;
  /** Absolute, with a separator at its end. */
  readonly path: string;
  readonly isSecret: NamesInFolder;
  readonly isUnlisted: NamesInFolder;
  /** Sorted backwards, the next one last. */
  readonly entries: FolderEntry[];
}

type Listed = Awaited<ReturnType<ReadableWorkspace["list"]>> & { readonly limit: number };

export class FolderWalk {
  /** Notes about what the walk skipped, for the model. */
  readonly notes: string[] = [];
  readonly #workspace: ReadableWorkspace;
  readonly #start: WalkStart;
  readonly #slices: TimeSlices;
  readonly #tree: IgnoreTree;
  /** The path from the root to the start, empty or with `/` at its end. */
  readonly #above: string;
  #seen = 0;

  /** A person approved `start` with its cautions. */
  constructor(workspace: ReadableWorkspace, start: WalkStart, slices: TimeSlices) {
    this.#workspace = workspace;
    this.#start = start;
    this.#slices = slices;
    this.#tree = new IgnoreTree(workspace, slices);
    this.#above = toSlashes(relative(start.root, join(start.rules.folder, "_"))).slice(0, -1);
  }

  /** Yields the files sorted by name, folder by folder. A file whose path `isWanted` rejects is skipped; the walk ends once `isOver` is true. */
  async *files(
    isWanted?: (inFolder: string) => boolean,
    isOver?: () => boolean,
  ): AsyncGenerator<WalkedFile, void, undefined> {
    for await (const run of this.runs(isWanted, isOver)) yield* run;
  }

  /** Like `files`, in runs: files of a folder with no other folder between them. */
  async *runs(
    isWanted: (inFolder: string) => boolean = () => true,
    isOver: () => boolean = () => false,
  ): AsyncGenerator<readonly WalkedFile[], void, undefined> {
    const open = [await this.#openStart()];
    for (let folder = open.at(-1); folder; folder = open.at(-1)) {
      const files: WalkedFile[] = [];
      const below = await this.#nextFolder(folder, isWanted, isOver, files);
      if (files.length > 0) yield files;
      if (isOver()) {
        this.notes.push(overNote);
        return;
      }
      if (below === undefined) open.pop();
      else if (open.length === walkBounds.depth) {
        this.#note(`${listedName(folder.inFolder + below)} lies too deep and is left out`);
      } else {
        // A folder that was removed or can't be read does not end the walk.
        const entered = await this.#enter(folder, below).catch(ignoreFileErrors);
        if (entered) open.push(entered);
      }
    }
  }

  /** Adds the files before the next folder, and resolves with its name; with `undefined` at the end of the folder or of the time. */
  async #nextFolder(
    folder: OpenFolder,
    isWanted: (inFolder: string) => boolean,
    isOver: () => boolean,
    files: WalkedFile[],
  ): Promise<string | undefined> {
    for (let entry = folder.entries.pop(); entry && !isOver(); entry = folder.entries.pop()) {
      const { name, kind } = entry;
      if (this.#slices.isSpent) await this.#slices.next();
      if (kind === "folder" && this.#mayBeListed(folder, name, true)) return name;
      if (kind !== "file") continue;
      const inFolder = folder.inFolder + name;
      if (isWanted(inFolder) && this.#mayBeListed(folder, name, false)) {
        files.push({ path: folder.path + name, inFolder });
      }
    }
    return undefined;
  }

  #mayBeListed({ rules, isSecret, isUnlisted }: OpenFolder, name: string, isFolder: boolean): boolean {
    if (isSecret(name, isFolder) && !this.#isApproved("secret")) return false;
    if (isUnlisted(name, isFolder) && !this.#isApproved("unlisted")) return false;
    const verdict = verdictIn(rules, name, isFolder);
    return verdict === undefined || this.#isApproved(verdict);
  }

  #isApproved(caution: FileCaution): boolean {
    return this.#start.cautions.includes(caution);
  }

  async #openStart(): Promise<OpenFolder> {
    const { rules, label } = this.#start;
    try {
      return this.#openFolder(rules, "", await this.#list(rules.folder));
    } catch (error) {
      throw asError(error, label);
    }
  }

  async #enter(folder: OpenFolder, name: string): Promise<OpenFolder | undefined> {
    const inFolder = `${folder.inFolder}${name}/`;
    const listed = await this.#list(folder.path + name);
    const rules = await this.#tree.enter(folder.rules, name, listed.more ? undefined : listed.entries);
    if (rules.verdict === undefined || this.#isApproved(rules.verdict)) {
      return this.#openFolder(rules, inFolder, listed);
    }
    this.#note(`${listedName(inFolder)} is left out: what git ignores there can't be known`);
    return undefined;
  }

  async #list(folder: string): Promise<Listed> {
    const limit = Math.min(walkBounds.folderEntries, walkBounds.entries - this.#seen);
    return { limit, ...(await this.#workspace.list(folder, limit)) };
  }

  #openFolder(rules: FolderRules, inFolder: string, { limit, entries, more }: Listed): OpenFolder {
    this.#seen += entries.length;
    if (more) this.#note(`${listedName(inFolder || ".")} has more than ${limit} entries, the others are left out`);
    return {
      rules,
      inFolder,
      path: join(rules.folder, "_").slice(0, -1),
      isSecret: secretNamesIn(`${toSlashes(rules.folder)}/`),
      isUnlisted: unlistedNamesIn(this.#above + inFolder),
      entries: entries.toSorted((a, b) => (a.name < b.name ? 1 : -1)),
    };
  }

  #note(note: string): void {
    if (this.notes.length < 10) this.notes.push(`(${note})`);
  }
}

function asError(error: unknown, label: string): Error {
  const refusal = toRefusal(error, label);
  return refusal instanceof Error ? refusal : new ToolRefusal(`${label} can't be read.`);
}

function ignoreFileErrors(error: unknown): undefined {
  if (toRefusal(error, "") === error) throw error;
}
