/** Files that commands of the project have made in this window, such as reports and copies: they are its own like those that tools made (A4). */
import { createHash } from "node:crypto";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "../gate/fileAccess";

/** Files of one command; one that makes more has unpacked or installed something. */
const fileCap = 500;
/** Bytes. A larger one is not known again: it is read each time that it is asked for. */
const sizeCap = 4 * 1024 * 1024;

export class MadeFiles {
  readonly #workspace: Pick<ReadableWorkspace, "open" | "status">;
  /** The hash of its content, by its path as the editor names it: a command can write other text of the same length into the same file. */
  readonly #made = new Map<string, string>();

  constructor(workspace: Pick<ReadableWorkspace, "open" | "status">) {
    this.#workspace = workspace;
  }

  /** Whether the file is one of them, and reads as it did then. */
  readonly has = async (path: string): Promise<boolean> => {
    const known = this.#made.get(path);
    return known !== undefined && known === (await this.#hash(path));
  };

  async add(paths: readonly string[]): Promise<void> {
    if (paths.length > fileCap) return;
    for (const path of paths) {
      const hash = await this.#hash(path);
      if (hash !== undefined) this.#made.set(path, hash);
    }
  }

  async #hash(path: string): Promise<string | undefined> {
    const bytes = await readSmallFile(this.#workspace, path, sizeCap);
    return bytes instanceof Uint8Array ? createHash("sha256").update(bytes).digest("base64") : undefined;
  }
}
