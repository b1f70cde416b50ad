/** The folder of the sessions: a file and a lock for each, and the deleted ones for as long as they can be restored. */
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppendOnlyFile } from "../../base/appendOnlyFile";
import { isMissingFile } from "../../base/systemErrors";

export interface SessionFileStatus {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Milliseconds after which a deleted session is removed for good, if the window that deleted it has not done that. */
const maxUndoLength = 3_600_000;
const suffix = ".jsonl";
const partSuffix = ".part";

export class SessionFolder {
  readonly path: string;
  readonly #onRemove: (id: string) => Promise<void>;

  /** `onRemove`: removes what is stored elsewhere for a session that is gone for good. */
  constructor(path: string, onRemove: (id: string) => Promise<void> = () => Promise.resolve()) {
    this.path = path;
    this.#onRemove = onRemove;
  }

  fileOf(id: string): string {
    return join(this.path, `${id}${suffix}`);
  }

  lockOf(id: string): string {
    return join(this.path, "locks", id);
  }

  /** All sessions; none where there is no folder yet. Rejects with the error of the file system. */
  async list(): Promise<readonly SessionFileStatus[]> {
    const names = (await namesIn(this.path)).filter((name) => name.endsWith(suffix));
    const found = await Promise.all(
      names.map(async (name): Promise<readonly SessionFileStatus[]> => {
        const id = name.slice(0, -suffix.length);
        const file = isSessionId(id) ? await stat(join(this.path, name)).catch(() => undefined) : undefined;
        return file?.isFile() === true ? [{ id, size: file.size, changedAt: file.mtimeMs }] : [];
      }),
    );
    return found.flat();
  }

  /**
   * Whether the chat exists. One that was discarded and can still be restored counts too. Rejects with the error of the file system where that is not
   * known, because what belongs to a chat that is gone is deleted.
   */
  async has(id: string): Promise<boolean> {
    const found = await Promise.all([this.fileOf(id), this.#discarded(id)].map(isThere));
    return found.includes(true);
  }

  /** Writes a whole session, which is listed once all of it is on the disk. `pieces` have whole lines. Rejects with the error of the file system. */
  async add(id: string, pieces: Iterable<string>): Promise<void> {
    const path = join(this.path, `${id}${partSuffix}`);
    try {
      const file = await AppendOnlyFile.open(path);
      try {
        for (const piece of pieces) await file.append(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(path, this.fileOf(id));
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Takes a session off the list. Rejects with the error of the file system. */
  async discard(id: string): Promise<void> {
    await mkdir(this.#trash, { recursive: true });
    await rename(this.fileOf(id), this.#discarded(id));
  }

  /** Takes `discard` back. Rejects with the error of the file system. */
  async restore(id: string): Promise<void> {
    await rename(this.#discarded(id), this.fileOf(id));
  }

  /** Removes a discarded session for good, after which `restore` is not possible. */
  async remove(id: string): Promise<void> {
    await rm(this.#discarded(id), { force: true });
    await this.#onRemove(id);
    await rm(this.lockOf(id), { force: true });
  }

  /** Removes sessions that closed windows have discarded, or have written only in part. */
  async sweep(now: number): Promise<void> {
    for (const name of (await namesIn(this.path)).filter((one) => one.endsWith(partSuffix))) {
      const file = await stat(join(this.path, name)).catch(() => undefined);
      if (file && now - file.ctimeMs > maxUndoLength) await rm(join(this.path, name), { force: true });
    }
    for (const name of await namesIn(this.#trash)) {
      const file = await stat(join(this.#trash, name)).catch(() => undefined);
      // Renaming a file sets the time of its last change of status.
      if (file && now - file.ctimeMs > maxUndoLength) await this.remove(name.slice(0, -suffix.length));
    }
  }

  get #trash(): string {
    return join(this.path, "trash");
  }

  #discarded(id: string): string {
    return join(this.#trash, `${id}${suffix}`);
  }
}

/** Whether the text may be the id of a session, which becomes a file name. */
export function isSessionId(id: string): boolean {
  return /^[\da-zA-Z-]{1,64}$/.test(id);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
}
