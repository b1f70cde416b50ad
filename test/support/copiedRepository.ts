/** The repository of a folder with all of its files: made once, then copied, which takes less time than git. */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTemporaryFolder, type TemporaryFolder } from "./temporaryFolder";

export class CopiedRepository {
  #made: TemporaryFolder | undefined;

  /** Puts the repository into a folder, which must have the same files each time. */
  async putInto(folder: string): Promise<void> {
    const at = join(folder, ".git");
    if (this.#made) {
      await cp(this.#made.path, at, { recursive: true });
      return;
    }
    for (const args of [
      ["init", "-q", "--template="],
      ["add", "."],
    ])
      await promisify(execFile)("git", args, { cwd: folder });
    this.#made = await createTemporaryFolder();
    await cp(at, this.#made.path, { recursive: true });
  }

  async remove(): Promise<void> {
    await this.#made?.remove();
  }
}
