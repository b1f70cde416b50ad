/** A file of JSON lines that only grows: each record is whole on disk when `append` resolves; a torn line is set aside by a line end. */
import { type FileHandle, mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface AppendFileContents {
  /** What each whole line held, in order; a line that is no JSON is left out. */
  readonly records: readonly unknown[];
  /** Lines that could not be read: a write that was cut, or a foreign hand. They stay in the file. */
  readonly unreadable: number;
}

/** The part of a file handle that is used; a test gives one that fails as a full disk does. */
export type AppendHandle = Pick<FileHandle, "appendFile" | "datasync" | "readFile" | "close">;
export type OpenHandle = (path: string, flags: "a+", mode: number) => Promise<AppendHandle>;

export class AppendFile {
  #queue: Promise<void> = Promise.resolve();
  readonly #handle: AppendHandle;
  readonly path: string;

  /** Bytes that this process has read or written; `undefined` after a write that failed. */
  #known: number | undefined;

  private constructor(path: string, handle: AppendHandle, known: number) {
    this.path = path;
    this.#handle = handle;
    this.#known = known;
  }

  /** Opens or creates the file (mode 0600) and reads what it holds. Errors are the file system's own. */
  static async open(
    path: string,
    openHandle: OpenHandle = open,
  ): Promise<{ file: AppendFile; contents: AppendFileContents }> {
    await mkdir(dirname(path), { recursive: true });
    const handle = await openHandle(path, "a+", 0o600);
    try {
      const text = await handle.readFile("utf8");
      return { file: new AppendFile(path, handle, Buffer.byteLength(text)), contents: parseLines(text) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Appends one record; with `sync` it has reached the disk when this resolves. Records keep the order of the calls. */
  append(record: unknown, { sync }: { sync: boolean }): Promise<void> {
    // On a line of its own also where the file ends in a part of one: a write of any process may have been cut.
    const line = `\n${JSON.stringify(record)}\n`;
    const written = this.#queue.then(async () => {
      await this.#handle.appendFile(line);
      if (this.#known !== undefined) this.#known += Buffer.byteLength(line);
      if (sync) await this.#handle.datasync();
    });
    this.#queue = written.catch(() => void (this.#known = undefined));
    return written;
  }

  /** The whole file, when another process may have written to it since the last look; otherwise `undefined`. */
  async readForeign(): Promise<AppendFileContents | undefined> {
    await this.#queue;
    if ((await stat(this.path)).size === this.#known) return undefined;
    const text = await readFile(this.path, "utf8");
    this.#known = Buffer.byteLength(text);
    return parseLines(text);
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#handle.close();
  }
}

function parseLines(text: string): AppendFileContents {
  const records: unknown[] = [];
  let unreadable = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      unreadable += 1;
    }
  }
  return { records, unreadable };
}
