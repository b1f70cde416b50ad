/** A file of lines that only grows, with one writer. Lines are written whole; opening the file cuts off the torn line that a crash left. */
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissingFile } from "./systemErrors";

/** Another process has written to the file, so this writer's view of its content is outdated. */
export class ForeignWriteFailure extends Error {
  override readonly name = "ForeignWriteFailure";
}

const lineEnd = 0x0a;
/** Bytes that the search for the end of the last line reads at a time. */
const searchStep = 64 * 1024;

export class AppendOnlyFile {
  readonly #handle: FileHandle;
  /** The number of bytes of all whole lines. */
  #length: number;
  /** Whether a write failed halfway, so that the file may hold bytes after `#length`. */
  #isTorn = false;

  private constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
  }

  /** Creates the file (mode 0600) and its folder where they are missing. Rejects with the error of the file system. */
  static async open(path: string): Promise<AppendOnlyFile> {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, "r+").catch(async (error: unknown) => {
      if (!isMissingFile(error)) throw error;
      return open(path, "wx+", 0o600);
    });
    try {
      const { size } = await handle.stat();
      const length = await endOfLastLine(handle, size);
      if (length < size) await handle.truncate(length);
      return new AppendOnlyFile(handle, length);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Appends whole lines. When it rejects, nothing of the text counts as written, and the same text has to be appended again: a
   * reader may have seen its first lines. Rejects with a `ForeignWriteFailure` or the error of the file system.
   */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const { size } = await this.#handle.stat();
    if (this.#isTorn ? size < this.#length : size !== this.#length) {
      throw new ForeignWriteFailure(`The file has ${size} bytes instead of ${this.#length}.`);
    }
    this.#isTorn = true;
    for (let written = 0; written < bytes.length;) {
      const position = this.#length + written;
      const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, position);
      written += bytesWritten;
    }
    this.#length += bytes.length;
    this.#isTorn = false;
  }

  /** Waits until the appended lines are on the disk. */
  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(Math.min(size, searchStep));
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - buffer.length);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const found = buffer.subarray(0, bytesRead).lastIndexOf(lineEnd);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
