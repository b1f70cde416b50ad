/** The folder for temporary files of this window's sandbox. */
import { mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import type { Disposable } from "../../base/disposable";
import { isProcessAlive } from "../../base/systemErrors";
import { statusIfSeen } from "./hostView";
import { removeCopy } from "./workspaceCopy";

const start = "sluice-sandbox-";

export class WindowFolder implements Disposable {
  #path: string | undefined;

  /** It is made with the first use, and again where a cleaner of temporary files has removed it. Throws the error of the file system. */
  get path(): string {
    if (this.#path === undefined || statusIfSeen(this.#path) === undefined) {
      const parent = realpathSync(tmpdir());
      removeEnded(parent);
      this.#path = mkdtempSync(join(parent, `${start}${process.pid}-`));
    }
    return this.#path;
  }

  /** An empty file in it. */
  get emptyFile(): string {
    const file = join(this.path, "empty");
    if (statusIfSeen(file) === undefined) writeFileSync(file, "", { mode: 0o444 });
    return file;
  }

  dispose(): void {
    if (this.#path !== undefined) void removeCopy(this.#path);
  }
}

/** Removes the folders of windows that were killed. Others may make entries here too: a link is left alone, and so is the folder of another person. */
function removeEnded(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(start) ? (/^(\d+)-/u.exec(name.slice(start.length)) ?? []) : [];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    const status = statusIfSeen(join(parent, name));
    if (status?.isDirectory() && status.uid === getuid?.()) void removeCopy(join(parent, name));
  }
}
