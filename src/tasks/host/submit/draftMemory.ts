/**
 * Keeps what a person began and did not submit: the form for media (fields in VS Code's memory, pictures as files), what was typed in the pick, and
 * the last choices.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { parseJson } from "../../../base/jsonValue";
import { makePrivateFolder, writeAtomically } from "../../../base/privateFile";
import type { MediaFields } from "../../../domain/task/mediaFields";
import { mediaFieldsSchema } from "../../contract/mediaFormPageContract";
import { imageReference, type Reference } from "../../submit/references";
import { definedFields } from "../../../base/definedFields";
import { taskTypes, type TaskType } from "../../../domain/task/task";
import { type CarriedOver, emptyDraft, wouldLoseWork, type TaskDraft } from "./taskDraft";

/** `id`: the name of the picture's file in the folder, or the address of a picture that has none. */
export interface KeptReference extends Reference {
  readonly id: string;
}

const mediaFormKey = "mediaForm";
const fileName = /^[0-9a-f]{64}\.[a-z]{1,9}$/;
const carriedSchema = z.object({
  duplicatedFrom: z.string(),
  referenceField: z.string(),
  otherAssets: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  place: z.exactOptional(z.object({ root: z.string(), path: z.string() })),
});
const mediaFormSchema = z.object({
  fields: mediaFieldsSchema,
  references: z.array(z.object({ id: z.string(), name: z.string() })),
  carried: z.exactOptional(carriedSchema),
  /** The name of the file that has it where it is large. */
  carriedFile: z.exactOptional(z.string().check(z.regex(fileName))),
});
type KeptCarried = Pick<z.infer<typeof mediaFormSchema>, "carried" | "carriedFile">;
/**
 * Characters of a text that is kept in VS Code's memory, which is written as a whole with each key that is pressed in the form. A longer text, as of a
 * picture within the request of a task, is written to a file once.
 */
const maxInMemory = 8 * 1024;
const addressEnding = ".url";
/** Milliseconds for which a picture stays after it was written, also where no reference names it any more. */
const keptFor = 30 * 24 * 60 * 60 * 1000;

/** The contents of the form, as the person has filled it in. */
export interface FormContent {
  readonly fields: MediaFields;
  readonly references: readonly KeptReference[];
  /** What it takes over from the task that it was filled in from. */
  readonly carried?: CarriedOver | undefined;
}

interface KeptForm extends Pick<FormContent, "references" | "carried"> {
  readonly fields?: MediaFields;
  /** The names of pictures whose files can't be read any more. */
  readonly lost: readonly string[];
  /** The file with what was carried over can't be read any more. */
  readonly isCarriedLost?: true;
}

export class FormMemory {
  readonly folder: string;
  readonly #memory: Pick<vscode.Memento, "get" | "update">;
  /** What was carried over when the form was kept last, and how it is kept. */
  #carried: { readonly carried: CarriedOver; readonly kept: KeptCarried } | undefined;

  /** `folder`: a path on this machine; it is created with the first picture. */
  constructor(memory: Pick<vscode.Memento, "get" | "update">, folder: string) {
    this.#memory = memory;
    this.folder = folder;
  }

  async read(): Promise<KeptForm> {
    const kept = mediaFormSchema.safeParse(this.#memory.get(mediaFormKey));
    if (!kept.success) return { references: [], lost: [] };
    const references: KeptReference[] = [];
    const lost: string[] = [];
    for (const { id, name } of kept.data.references) {
      const reference = fileName.test(id) ? await this.#readReference(id, name) : { id, name, url: id };
      if (reference) references.push(reference);
      else lost.push(name);
    }
    const { fields, carriedFile } = kept.data;
    const used = kept.data.references.map(({ id }) => id);
    void this.#prune(new Set([...used, ...(carriedFile === undefined ? [] : [carriedFile])])).catch(() => undefined);
    const carried = carriedFile === undefined ? kept.data.carried : await this.#readCarried(carriedFile);
    if (carriedFile !== undefined && carried === undefined) return { fields, references, lost, isCarriedLost: true };
    return { fields, references, lost, ...definedFields({ carried }) };
  }

  keep({ fields, references, carried }: FormContent): void {
    const named = references.map(({ id, name }) => ({ id, name }));
    void this.#memory.update(mediaFormKey, { fields, references: named, ...this.#keepCarried(carried) });
  }

  /** Writes a file only where `carried` is another object than the last time. If the file can't be written, the next `read` finds that it is lost. */
  #keepCarried(carried: CarriedOver | undefined): KeptCarried {
    if (carried === undefined) return {};
    if (this.#carried?.carried === carried) return this.#carried.kept;
    const text = JSON.stringify(carried);
    const carriedFile = `${sha256Of(text)}.json`;
    const isLarge = text.length > maxInMemory;
    if (isLarge) void this.#writeFile(carriedFile, text).catch(() => undefined);
    const kept = isLarge ? { carriedFile } : { carried };
    this.#carried = { carried, kept };
    return kept;
  }

  async #readCarried(file: string): Promise<CarriedOver | undefined> {
    const text = await readFile(join(this.folder, file), "utf8").catch(() => "");
    const read = carriedSchema.safeParse(parseJson(text));
    return read.success ? read.data : undefined;
  }

  async #writeFile(name: string, content: string | Uint8Array): Promise<void> {
    await makePrivateFolder(this.folder);
    await writeAtomically(this.folder, name, content);
  }

  /** Rejects with the error of the file system. */
  async keepReference(reference: Reference): Promise<KeptReference> {
    const { url, mimeType = "" } = reference;
    if (mimeType === "" && url.length <= maxInMemory) return { ...reference, id: url };
    const [, ending] = /^image\/([a-z]{1,9})$/.exec(mimeType) ?? [];
    // An image that has no ending of letters alone, as SVG, is kept as its address.
    const content = ending === undefined ? url : bytesOf(reference);
    const id = `${sha256Of(content)}${ending === undefined ? addressEnding : `.${ending}`}`;
    await this.#writeFile(id, content);
    return { ...reference, id };
  }

  async #readReference(id: string, name: string): Promise<KeptReference | undefined> {
    const bytes = await readFile(join(this.folder, id)).catch(() => undefined);
    if (bytes && id.endsWith(addressEnding)) return { id, name, url: bytes.toString("utf8") };
    const read = bytes && imageReference(name, bytes, Infinity);
    return typeof read === "object" ? { ...read, id } : undefined;
  }

  async #prune(used: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name);
      if (!used.has(name) && Date.now() - (await stat(file)).mtimeMs > keptFor) await rm(file, { force: true });
    }
  }
}

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The bytes of a picture whose address is a data URL. */
function bytesOf({ url }: Reference): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

// Keeps what a person had typed or edited for *Submit Selection as Task…*, so that Esc, a cap or a lost connection loses nothing.

const keptDraftKey = "keptDraft";
const maxDrafts = 5;
/** One more is stored: a draft is kept while its task is being written, and must not displace another one that stays. */
const maxStored = maxDrafts + 1;
/** Pictures are too large for VS Code's memory: this window keeps them until it is reloaded, no other window gets them. */
const keptFields = {
  typed: z.string(),
  type: z.exactOptional(z.enum(taskTypes)),
  model: z.exactOptional(z.string()),
  metadata: z._default(z.record(z.string(), z.unknown()), {}),
};
/** Earlier versions kept one draft. The newest draft still has that form, so that earlier versions and this one can read each other's. */
const keptDraftsSchema = z.object({
  ...keptFields,
  earlier: z._default(z.array(z.object(keptFields)), []),
});
type KeptFields = z.infer<typeof keptDraftsSchema>["earlier"][number];

/** Drafts are named by their text, so the same text is kept once. */
export class KeptDrafts {
  readonly #memory: Pick<vscode.Memento, "get" | "update">;
  /** The drafts that this window has kept, with all that the memory does not hold. */
  readonly #inWindow = new Map<string, TaskDraft>();

  constructor(memory: Pick<vscode.Memento, "get" | "update">) {
    this.#memory = memory;
  }

  /** The newest comes first. */
  read(): readonly TaskDraft[] {
    return this.#readFields()
      .map((fields) => this.#wholeOf(fields) ?? { ...emptyDraft, ...fields, kept: fields.typed })
      .filter(wouldLoseWork)
      .slice(0, maxDrafts);
  }

  /**
   * Keeps the draft in the place of its earlier state, and resolves with it, with its name in `kept`. It keeps nothing where nothing would be lost: the
   * text of a document is still in the document. A single prompt that no document has is kept as typed text, and several that were edited as one text
   * are kept as that text, without what it sets: the text will set it again, as the person changes it then.
   */
  async keep(draft: TaskDraft): Promise<TaskDraft> {
    const { edited, prompts } = draft;
    const whole = edited && prompts.length > 1 ? { ...edited.before, prompts: [], typed: edited.text, edited } : draft;
    const [first = ""] = whole.prompts;
    const isOnlyPlace = whole.prompts.length === 1 && (whole.source === undefined || whole.edited !== undefined);
    const typed = whole.typed.trim() === "" && isOnlyPlace ? first : whole.typed;
    if (!wouldLoseWork({ ...whole, typed: typed === first && !isOnlyPlace ? "" : typed })) return draft;
    const { type, model, metadata } = whole;
    this.#inWindow.set(typed, { ...whole, typed, kept: typed });
    const others = this.#readFields().filter((fields) => fields.typed !== typed && fields.typed !== draft.kept);
    await this.#write([{ typed, metadata, ...definedFields({ type, model }) }, ...others].slice(0, maxStored));
    return { ...draft, kept: typed };
  }

  async forget(name: string): Promise<void> {
    await this.#write(this.#readFields().filter(({ typed }) => typed !== name));
  }

  /** The draft as this window has kept it. Another window may have kept the same text for another model since. */
  #wholeOf({ typed, type, model }: KeptFields): TaskDraft | undefined {
    const whole = this.#inWindow.get(typed);
    return whole?.type === type && whole?.model === model ? whole : undefined;
  }

  /** Reads the memory each time, because another window may have kept a draft meanwhile. */
  #readFields(): readonly KeptFields[] {
    const read = keptDraftsSchema.safeParse(this.#memory.get(keptDraftKey));
    if (!read.success) return [];
    const { earlier, ...newest } = read.data;
    return [newest, ...earlier];
  }

  async #write(drafts: readonly KeptFields[]): Promise<void> {
    for (const name of this.#inWindow.keys())
      if (drafts.every(({ typed }) => typed !== name)) this.#inWindow.delete(name);
    const [newest, ...earlier] = drafts;
    await this.#memory.update(keptDraftKey, newest && { ...newest, earlier });
  }
}

// Keeps what was chosen last for each task type of a gateway, which is preselected the next time.

export interface LastChoices {
  readonly type?: TaskType;
  /** Newest first. */
  readonly models: Readonly<Partial<Record<TaskType, readonly string[]>>>;
}

const maxModels = 5;
/** The choices are kept for each gateway, because another one may not have that model or not offer that type. */
const keyOf = (origin: string): string => `lastTask:${origin}`;

export function readLastChoices(memory: vscode.Memento, origin: string): LastChoices {
  const value: unknown = memory.get(keyOf(origin));
  const models: Partial<Record<TaskType, readonly string[]>> = {};
  if (typeof value !== "object" || value === null) return { models };
  const kept = "models" in value && typeof value.models === "object" ? (value.models ?? {}) : {};
  for (const type of taskTypes) {
    const ids: unknown = Reflect.get(kept, type);
    // The first versions kept one id, not a list.
    const list: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
    models[type] = list.filter((id): id is string => typeof id === "string" && id !== "");
  }
  const type = "type" in value ? taskTypes.find((known) => known === value.type) : undefined;
  return type === undefined ? { models } : { type, models };
}

export async function rememberChoice(
  memory: vscode.Memento,
  origin: string,
  type: TaskType,
  model: string,
): Promise<void> {
  const { models } = readLastChoices(memory, origin);
  const ids = [...new Set([model, ...(models[type] ?? [])])].slice(0, maxModels);
  await memory.update(keyOf(origin), { type, models: { ...models, [type]: ids } } satisfies LastChoices);
}
