/**
 * The files of a repository without a commit (A15): git tracks nothing yet, so the person's are those that were there when the window
 * opened the folder and the person trusted it. What arrives later was made by the tools of the chat, or is not the project's.
 */
import { join, sep } from "node:path";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { hasCommit } from "./gitRepository";
import { isInside } from "./pathNames";

/** Files of one folder; beyond them none counts as the person's. */
const fileCap = 50_000;
const depthCap = 60;
/** Folders that others fill: packages, version control. */
const skipped: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "venv"]);

export class OpenedFiles {
  readonly #workspace: Pick<ReadableWorkspace, "roots" | "realPath" | "list" | "status" | "open">;
  /** The opened files by the real path of the root. */
  readonly #roots = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(workspace: Pick<ReadableWorkspace, "roots" | "realPath" | "list" | "status" | "open">) {
    this.#workspace = workspace;
  }

  /** Lists the roots that are open now and were not before. Called when the tools are loaded, and before each answer. */
  async look(): Promise<void> {
    for (const { path } of this.#workspace.roots()) {
      const root = await this.#workspace.realPath(path).catch(() => undefined);
      if (root !== undefined && !this.#roots.has(root)) this.#roots.set(root, this.#list(root));
    }
    await Promise.all(this.#roots.values());
  }

  /** Whether the file, by its real path, was there; a folder, of which a file must have been there, ends with a slash. */
  readonly wasThere = async (path: string): Promise<boolean> => {
    await this.look();
    const root = [...this.#roots.keys()].find((one) => isInside(one, path));
    const files = root === undefined ? undefined : await this.#roots.get(root);
    if (files === undefined) return false;
    if (!path.endsWith("/")) return files.has(path);
    const folder = join(path, sep);
    return [...files].some((file) => file.startsWith(folder));
  };

  async #list(root: string): Promise<ReadonlySet<string>> {
    const files = new Set<string>();
    // The index of any other repository names its files.
    if (await hasCommit(this.#workspace, root)) return files;
    const isWhole = await this.#walk(root, files, 0).catch(() => false);
    return isWhole ? files : new Set();
  }

  async #walk(folder: string, files: Set<string>, depth: number): Promise<boolean> {
    const { entries, more } = await this.#workspace.list(folder, fileCap);
    if (more || depth > depthCap) return false;
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      if (kind === "file") files.add(path);
      if (files.size > fileCap) return false;
      if (kind === "folder" && !skipped.has(name) && !(await this.#walk(path, files, depth + 1))) return false;
    }
    return true;
  }
}
