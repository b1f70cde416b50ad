/** The file into which a result is downloaded: what arrived survives a kill and a broken connection, and the next download goes on from there. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { Asset, AssetRange } from "../../domain/ports";
import { sniffedLength } from "./mediaType";
import { newFileFlags, writeAtomically } from "../../base/privateFile";
import { isProcessAlive } from "../../base/systemErrors";

/**
 * The facts with which the rest of a file is requested. `source` is the URL without its query, because each read of the task gives the query a new
 * signature.
 */
const resumeSchema = z.object({ source: z.string(), validator: z.string(), size: z.exactOptional(z.number()) });
type Resume = z.infer<typeof resumeSchema>;

/**
 * The file is named `<intent id>.<process id>.part`. Where that process has ended, this process takes the file over; where it lives, the file is left
 * alone, because that process may still write it.
 */
export class PartialFile {
  readonly path: string;
  readonly #folder: string;
  readonly #name: string;
  readonly #file: FileHandle;
  #size: number;
  /** The facts to continue the file with; missing where it cannot be continued. */
  #resume: Resume | undefined;

  private constructor(folder: string, name: string, file: FileHandle, size: number, resume: Resume | undefined) {
    this.#folder = folder;
    this.#name = name;
    this.path = join(folder, name);
    this.#file = file;
    this.#size = size;
    this.#resume = resume;
  }

  /**
   * Takes over the file or creates it. The caller must make sure that this process has no other download of the task, because both would write the
   * same file.
   */
  static async open(folder: string, id: string): Promise<PartialFile> {
    const name = `${id}.${process.pid}.part`;
    await takeOver(folder, id, name);
    const flags = constants.O_RDWR | constants.O_NOFOLLOW;
    const old = await open(join(folder, name), flags).catch(() => undefined);
    const found = await old?.stat();
    // A file with a second name is not taken, because writing would change the file of that name too.
    if (old && found?.isFile() && found.nlink === 1) {
      return new PartialFile(folder, name, old, found.size, await readResume(join(folder, `${name}.json`)));
    }
    await old?.close();
    await rm(join(folder, name), { force: true });
    const file = await open(join(folder, name), newFileFlags, 0o600);
    return new PartialFile(folder, name, file, 0, undefined);
  }

  get size(): number {
    return this.#size;
  }

  /** The range of what is still missing of the file at `url`; `undefined` when nothing of that file has arrived. */
  rangeFor(url: string): AssetRange | undefined {
    const resume = this.#resume;
    if (this.#size === 0 || resume?.source !== sourceOf(url)) return undefined;
    const { validator, size } = resume;
    return { from: this.#size, validator, ...definedFields({ size }) };
  }

  /**
   * Is called before the first byte of a response. Empties the file where the response begins elsewhere than at its end, and stores the facts with
   * which the next download goes on.
   */
  async begin(url: string, { offset, validator, size }: Pick<Asset, "offset" | "validator" | "size">): Promise<void> {
    if (offset !== this.#size) {
      await this.#file.truncate(0);
      this.#size = 0;
    }
    this.#resume =
      validator === undefined ? undefined : { source: sourceOf(url), validator, ...definedFields({ size }) };
    if (this.#resume) await writeAtomically(this.#folder, `${this.#name}.json`, JSON.stringify(this.#resume));
    else await rm(`${this.path}.json`, { force: true });
  }

  async append(chunk: Uint8Array): Promise<void> {
    // A write may be partial when the disk is almost full.
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten } = await this.#file.write(chunk, at, chunk.length - at, this.#size);
      at += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  async readStart(): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(sniffedLength), 0, sniffedLength, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** Renames the file and resolves with its new path. A file or link that has the name already is replaced, not followed. */
  async finish(name: string): Promise<string> {
    await this.#file.sync();
    await this.#file.close();
    const path = join(this.#folder, name);
    await rename(this.path, path);
    await rm(`${this.path}.json`, { force: true });
    return path;
  }

  /** Closes the file. It stays for the next download if that can go on with it, and is deleted otherwise. */
  async leave(): Promise<void> {
    if (this.#resume === undefined || this.#size === 0) await this.discard();
    else await this.#file.close();
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.path, { force: true });
    await rm(`${this.path}.json`, { force: true });
  }
}

/** Gives the file of a process that has ended to this process, by its new name. Of several windows that try, only one finds the old name. */
async function takeOver(folder: string, id: string, name: string): Promise<void> {
  for (const found of await readdir(folder)) {
    const match = /^([0-9a-f-]{36})\.(\d+)\.part$/.exec(found);
    if (match?.[1] !== id || found === name || isProcessAlive(Number(match[2]))) continue;
    const old = join(folder, found);
    await rename(`${old}.json`, join(folder, `${name}.json`)).catch(() => undefined);
    await rename(old, join(folder, name)).catch(() => undefined);
    await rm(`${old}.json`, { force: true });
  }
}

/** Milliseconds after the last byte. A result is not fetched without a click after seven days, so hardly anybody goes on with the file then. */
const keptTime = 8 * 24 * 3_600_000;

/** Removes what ended processes have left and nobody went on with: each such file may have 2 GB. Never rejects. */
export async function removeOldParts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid] = /^[0-9a-f-]{36}\.(\d+)\.part(?:\.json)?$/.exec(name) ?? [];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > keptTime) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function readResume(path: string): Promise<Resume | undefined> {
  try {
    const read = resumeSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function sourceOf(url: string): string {
  return URL.canParse(url) ? withoutQuery(new URL(url)) : "";
}

function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
