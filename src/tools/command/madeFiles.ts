/** Files that commands of the project have made in this window, such as reports and copies: they are its own like those that tools made (A4). */
import type { ReadableWorkspace } from "../../domain/tools/workspace";

/** Files of one command; one that makes more has unpacked or installed something. */
const fileCap = 500;

export class MadeFiles {
  readonly #workspace: Pick<ReadableWorkspace, "status">;
  /** What identifies the file, by its path as the editor names it. */
  readonly #made = new Map<string, string>();

  constructor(workspace: Pick<ReadableWorkspace, "status">) {
    this.#workspace = workspace;
  }

  /** Whether the file is one of them, and the same as then. */
  readonly has = async (path: string): Promise<boolean> => {
    const known = this.#made.get(path);
    return known !== undefined && known === (await this.#identify(path));
  };

  async add(paths: readonly string[]): Promise<void> {
    if (paths.length > fileCap) return;
    for (const path of paths) {
      const identity = await this.#identify(path);
      if (identity !== undefined) this.#made.set(path, identity);
    }
  }

  async #identify(path: string): Promise<string | undefined> {
    const status = await this.#workspace.status(path).catch(() => undefined);
    return status?.kind === "file" ? `${status.identity} ${status.size}` : undefined;
  }
}
