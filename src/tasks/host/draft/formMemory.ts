/** What is kept of the form for media while it is closed: its fields in VS Code's memory, its pictures as files. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { makePrivateFolder, writeBeside } from "../../../base/privateFile";
import type { MediaFields } from "../../../domain/task/mediaFields";
import { mediaFieldsSchema } from "../../contract/mediaFormPageContract";
import { readImage, type Reference } from "../../submit/references";

/** `id`: the name of its file, or its address. */
export interface KeptReference extends Reference {
  readonly id: string;
}

const key = "mediaForm";
const fileName = /^[0-9a-f]{64}\.[a-z]{1,9}$/;
const keptSchema = z.object({
  fields: mediaFieldsSchema,
  references: z.array(z.object({ id: z.string(), name: z.string() })),
});
/** Milliseconds in which a file that no reference names any more stays. */
const keptFor = 30 * 24 * 60 * 60 * 1000;

export interface KeptForm {
  readonly fields?: MediaFields;
  readonly references: readonly KeptReference[];
  /** The names of pictures whose files can't be read any more. */
  readonly lost: readonly string[];
}

export class FormMemory {
  readonly folder: string;
  readonly #memory: Pick<vscode.Memento, "get" | "update">;

  /** `folder`: a path on this machine; it is created with the first picture. */
  constructor(memory: Pick<vscode.Memento, "get" | "update">, folder: string) {
    this.#memory = memory;
    this.folder = folder;
  }

  async read(): Promise<KeptForm> {
    const kept = keptSchema.safeParse(this.#memory.get(key));
    if (!kept.success) return { references: [], lost: [] };
    const references: KeptReference[] = [];
    const lost: string[] = [];
    for (const { id, name } of kept.data.references) {
      const reference = fileName.test(id) ? await this.#readPicture(id, name) : { id, name, url: id };
      if (reference) references.push(reference);
      else lost.push(name);
    }
    void this.#prune(new Set(kept.data.references.map(({ id }) => id))).catch(() => undefined);
    return { fields: kept.data.fields, references, lost };
  }

  keep(fields: MediaFields, references: readonly KeptReference[]): void {
    void this.#memory.update(key, { fields, references: references.map(({ id, name }) => ({ id, name })) });
  }

  /** Rejects with the error of the file system. */
  async keepReference(reference: Reference): Promise<KeptReference> {
    const { url, mimeType } = reference;
    if (mimeType === undefined) return { ...reference, id: url };
    const bytes = bytesOf(reference);
    const id = `${createHash("sha256").update(bytes).digest("hex")}.${mimeType.replace("image/", "")}`;
    await makePrivateFolder(this.folder);
    await writeBeside(this.folder, id, bytes);
    return { ...reference, id };
  }

  async #readPicture(id: string, name: string): Promise<KeptReference | undefined> {
    const bytes = await readFile(join(this.folder, id)).catch(() => undefined);
    const read = bytes && readImage(name, bytes, Infinity);
    return typeof read === "object" ? { ...read, id } : undefined;
  }

  async #prune(used: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name);
      if (!used.has(name) && Date.now() - (await stat(file)).mtimeMs > keptFor) await rm(file, { force: true });
    }
  }
}

/** Of a picture that is a data URL. */
function bytesOf({ url }: Reference): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
