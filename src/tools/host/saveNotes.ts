/** The contents of files before an editor saved them, for the merge of such a save with what a command has made of the file. */
import { readFileSync, statSync } from "node:fs";

/** Bytes of one file, and of all. */
const bounds = { file: 1024 * 1024, all: 16 * 1024 * 1024 };

export class SaveNotes {
  readonly #begun = Date.now();
  /** `undefined` for a file that was too large to note, or had more than one content since the beginning. */
  readonly #noted = new Map<string, Buffer | undefined>();
  #length = 0;

  /** To be called before each save. It reads the file at once, because VS Code writes it when its listeners have returned. */
  note(path: string): void {
    const known = this.#noted.get(path);
    if (known === undefined) {
      if (this.#noted.has(path)) return;
      const first = this.#length > bounds.all ? undefined : contentOf(path, this.#begun);
      this.#noted.set(path, first);
      this.#length += first?.length ?? 0;
    } else if (contentOf(path, Infinity)?.equals(known) !== true) this.#noted.set(path, undefined);
  }

  /** See `NotedSaves`. */
  before(path: string): Uint8Array | undefined {
    return this.#noted.get(path);
  }
}

/** `undefined` for a file that is missing or large, or that was changed at `end` or later, in milliseconds. */
function contentOf(path: string, end: number): Buffer | undefined {
  try {
    const { size, ctimeMs } = statSync(path);
    return size > bounds.file || ctimeMs >= end ? undefined : readFileSync(path);
  } catch {
    return undefined;
  }
}
