/** The repository of a guarded folder with all of its files: made once, then copied, which takes less time than git. */
import { cp } from "node:fs/promises";
import type { GuardedFolder } from "./guardedFolder";
import { createTemporaryFolder, type TemporaryFolder } from "./temporaryFolder";

export class CopiedRepository {
  #made: TemporaryFolder | undefined;

  async putInto(over: GuardedFolder): Promise<void> {
    if (this.#made) {
      await cp(this.#made.path, over.at(".git"), { recursive: true });
      return;
    }
    await over.git("init", "-q", "--template=");
    await over.git("add", ".");
    this.#made = await createTemporaryFolder();
    await cp(over.at(".git"), this.#made.path, { recursive: true });
  }

  async remove(): Promise<void> {
    await this.#made?.remove();
  }
}
