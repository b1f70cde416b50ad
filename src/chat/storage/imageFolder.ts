/** Stores images that are attached to a prompt, each in a file named by the SHA-256 of its bytes, until the prompt is sent and the chat has them. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttachedImage, StoredImage } from "../../domain/chat/attachmentSchema";
import { imageSizeCap, imageTypeOf } from "../../domain/chat/imageTypes";

export type ImageRefusal = "not-an-image" | "too-large";

/** Milliseconds. A draft that is older has lost its images. */
const keptFor = 30 * 24 * 60 * 60 * 1000;

export class ImageFolder {
  readonly #path: string;
  #pruned: Promise<void> | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** The image folder that is next to a folder of chats. */
  static beside(chats: string): ImageFolder {
    return new ImageFolder(join(dirname(chats), "images"));
  }

  /** Rejects with the error of the file system. */
  async keep(bytes: Uint8Array): Promise<AttachedImage | ImageRefusal> {
    if (bytes.length > imageSizeCap) return "too-large";
    const mimeType = imageTypeOf(bytes);
    if (mimeType === undefined) return "not-an-image";
    const id = createHash("sha256").update(bytes).digest("hex");
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    await write(this.#fileOf(id, mimeType), bytes);
    this.#pruned ??= this.#prune().catch(() => undefined);
    return { id, mimeType, size: bytes.length };
  }

  /** Resolves when old images are gone, after the first `keep`. */
  async pruned(): Promise<void> {
    await this.#pruned;
  }

  /** The file of an image, for a viewer; written again when it is gone. Rejects with the error of the file system. */
  async fileOf({ id, data }: StoredImage): Promise<string | undefined> {
    const kept = await this.keep(Buffer.from(data, "base64"));
    return typeof kept === "string" || kept.id !== id ? undefined : this.#fileOf(id, kept.mimeType);
  }

  /** `undefined` when there is none, or its bytes do not match the id. Rejects with the error of the file system. */
  async read(id: string): Promise<StoredImage | undefined> {
    if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
    const name = (await readdir(this.#path).catch(() => [])).find((other) => other.startsWith(id));
    if (name === undefined) return undefined;
    const bytes = await readFile(join(this.#path, name));
    const mimeType = imageTypeOf(bytes);
    if (mimeType === undefined || createHash("sha256").update(bytes).digest("hex") !== id) return undefined;
    return { id, mimeType, data: bytes.toString("base64") };
  }

  #fileOf(id: string, mimeType: string): string {
    return join(this.#path, `${id}.${mimeType.slice("image/".length)}`);
  }

  async #prune(): Promise<void> {
    for (const name of await readdir(this.#path)) {
      const file = join(this.#path, name);
      const { mtimeMs } = await stat(file);
      if (Date.now() - mtimeMs > keptFor) await rm(file, { force: true });
    }
  }
}

/**
 * Writes under another name and renames, so that a reader finds the former file or the whole new one, also when the disk is full. A file that has
 * these bytes already stays, and counts as new again for `#prune`.
 */
async function write(file: string, bytes: Uint8Array): Promise<void> {
  const former = await stat(file).catch(() => undefined);
  if (former?.size === bytes.length && (await readFile(file)).equals(bytes)) {
    if (Date.now() - former.mtimeMs > keptFor / 2) await utimes(file, new Date(), new Date());
    return;
  }
  // This is not the name of an image, so `read` ignores it, and `#prune` removes one that a killed window left.
  const part = join(dirname(file), `part-${randomUUID()}`);
  try {
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
