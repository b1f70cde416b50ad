/** Walks a gated folder in order. Skips links, special files, ignored files and secrets, unless the folder was approved with that reason. */
import { join, relative } from "node:path";
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import type { FolderEntry, ReadableWorkspace } from "../../domain/tools/workspace";
import type { FileCaution } from "../gate/cautions";
import { toRefusal } from "../gate/fileAccess";
import type { GatedFolder } from "../gate/fileGate";
import { type FolderRules, IgnoreTree, verdictIn } from "../gate/ignoreTree";
import { toSlashes } from "../gate/locate";
import { listedName } from "../gate/pathNames";
import type { QuotedFile } from "../gate/quotedFiles";
import { isSecretPath, isUnlistedPath } from "../gate/sensitiveNames";

const bounds = { depth: 100, folderEntries: 10_000, entries: 200_000 };

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
  /** Sorted backwards, the next one last. */
  readonly entries: FolderEntry[];
}

export class FolderWalk {
  /** What the walk skipped, for the model. */
  readonly notes: string[] = [];
  readonly #workspace: ReadableWorkspace;
  readonly #start: WalkStart;
  readonly #slices: TimeSlices;
  readonly #tree: IgnoreTree;
  /** From the root to the start, empty or with `/` at its end. */
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

  /** Sorted by name, folder by folder. What is not wanted by its path in the folder is passed over; the walk ends once it is over. */
  async *files(
    isWanted: (inFolder: string) => boolean = () => true,
    isOver: () => boolean = () => false,
  ): AsyncGenerator<WalkedFile> {
    const { rules, label } = this.#start;
    const open = [await this.#list(rules, "").catch((error: unknown) => Promise.reject(asError(error, label)))];
    for (let folder = open.at(-1); folder; folder = open.at(-1)) {
      const entry = folder.entries.pop();
      if (isOver()) {
        this.#note("the time is over, what follows is left out: name a folder to see less");
        return;
      }
      if (!entry) open.pop();
      else if (entry.kind === "file" || entry.kind === "folder") {
        if (this.#slices.isSpent) await this.#slices.next();
        const inFolder = `${folder.inFolder}${entry.name}`;
        if (entry.kind === "file" && !isWanted(inFolder)) continue;
        if (!this.#mayBeListed(folder, entry)) continue;
        if (entry.kind === "file") yield { path: join(folder.rules.folder, entry.name), inFolder };
        else if (open.length === bounds.depth) this.#note(`${listedName(inFolder)} lies too deep and is left out`);
        else {
          // A folder that was removed or can't be read does not end the walk.
          const below = await this.#enter(folder, entry.name).catch(ignoreFileErrors);
          if (below) open.push(below);
        }
      }
    }
  }

  #mayBeListed({ rules, inFolder }: OpenFolder, { name, kind }: FolderEntry): boolean {
    const end = `${name}${kind === "folder" ? "/" : ""}`;
    const cautions: FileCaution[] = [];
    if (isSecretPath(`${toSlashes(rules.folder)}/${end}`)) cautions.push("secret");
    if (isUnlistedPath(`${this.#above}${inFolder}${end}`)) cautions.push("unlisted");
    if (cautions.every((caution) => this.#isApproved(caution))) {
      const verdict = verdictIn(rules, name, kind === "folder");
      return verdict === undefined || this.#isApproved(verdict);
    }
    return false;
  }

  #isApproved(caution: FileCaution): boolean {
    return this.#start.cautions.includes(caution);
  }

  async #enter(folder: OpenFolder, name: string): Promise<OpenFolder | undefined> {
    const rules = await this.#tree.enter(folder.rules, name);
    const inFolder = `${folder.inFolder}${name}/`;
    if (rules.verdict === undefined || this.#isApproved(rules.verdict)) return this.#list(rules, inFolder);
    this.#note(`${listedName(inFolder)} is left out: what git ignores there can't be known`);
    return undefined;
  }

  async #list(rules: FolderRules, inFolder: string): Promise<OpenFolder> {
    const limit = Math.min(bounds.folderEntries, bounds.entries - this.#seen);
    const { entries, more } = await this.#workspace.list(rules.folder, limit);
    this.#seen += entries.length;
    if (more) this.#note(`${listedName(inFolder || ".")} has more than ${limit} entries, the others are left out`);
    return { rules, inFolder, entries: entries.toSorted((a, b) => (a.name < b.name ? 1 : -1)) };
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
