/** Reads and writes the lines of the undo ledger of a chat, and reduces them to changes. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import type { Immutable } from "../../base/immutable";
import { momentSchema } from "../../base/momentSchema";
import { isMissingPath } from "../../base/systemErrors";
import { decodeText } from "../../base/text/decodeText";
import { ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";

const text = z.string();
/** Names a stored content by its SHA-256. The content is the bytes of a file, or the text of an unsaved editor in UTF-8. */
const keptSchema = z.object({ as: z.enum(["file", "text"]), hash: text });

const causeSchema = z.discriminatedUnion("type", [
  /** A call of a tool. `allowed`: how a person approved it. */
  z.object({ type: z.literal("call"), answer: text, call: text, allowed: text }),
  /** A person took back a part of what the answer had changed. */
  z.object({ type: z.literal("hunk"), answer: text }),
  /**
   * An undo, or the undo of one. All changes of one press have the same `operation`. `reverts`: the ids of the changes that it takes back. `kept`: those
   * among them whose answers have lines that stay, because the person has kept them.
   */
  z.object({
    type: z.literal("undo"),
    operation: text,
    reverts: z.array(text),
    kept: z.exactOptional(z.array(text)),
  }),
]);

/** The record is on the disk before the file is changed. */
const changeSchema = z.object({
  type: z.literal("change"),
  id: text,
  at: momentSchema,
  cause: causeSchema,
  /** Absolute, as the editor names the file. */
  path: text,
  /** The name of the file in the chat. */
  label: text,
  /** The new path, for a rename. The content moves with it. */
  to: z.exactOptional(text),
  /** The highest folder that was made for the file. An undo removes it and the folders in it, as far as they are empty. */
  madeFolder: z.exactOptional(text),
  /** Missing: there was no file. */
  before: z.exactOptional(keptSchema),
  /** The intended content; missing: no file. */
  after: z.exactOptional(keptSchema),
  /** The permissions of the file, for a deletion. */
  mode: z.exactOptional(z.int().check(z.nonnegative(), z.maximum(0o777))),
});

/**
 * The state of a file at a review. `before`: the text that an undo of everything undecided would leave. `after`: the text at the review. `rows`: the
 * runs of lines that both have, or only one of them (`RowCounts`).
 */
const reviewShape = {
  before: keptSchema,
  after: keptSchema,
  rows: z.array(z.object({ kind: z.enum(["decided", "added", "removed"]), lines: z.int().check(z.nonnegative()) })),
};
const reviewSchema = z.object(reviewShape);

const recordSchema = z.discriminatedUnion("type", [
  changeSchema,
  /** The change was made and left `after`. `before`: for a text that arrived in pieces, the text without it, with the person's edits meanwhile. */
  z.object({
    type: z.literal("settled"),
    id: text,
    before: z.exactOptional(keptSchema),
    after: z.exactOptional(keptSchema),
  }),
  /** The change was not made. */
  z.object({ type: z.literal("dropped"), id: text }),
  /** A person keeps these changes: they are no longer listed. */
  z.object({ type: z.literal("kept"), changes: z.array(text), at: z.exactOptional(momentSchema) }),
  /** A person has kept or taken back hunks of a file after its change `change`. The record has the lines that are left to decide. */
  z.object({ type: z.literal("reviewed"), change: text, ...reviewShape }),
]);

export type KeptContent = Immutable<z.infer<typeof keptSchema>>;
export type ChangeCause = Immutable<z.infer<typeof causeSchema>>;
export type LedgerRecord = Immutable<z.infer<typeof recordSchema>>;
export type ChangeRecord = Immutable<z.infer<typeof changeSchema>>;

export interface FileChange extends Omit<ChangeRecord, "type"> {
  /** No record has ended the change yet, so whether it was made is not known. */
  readonly isOpen: boolean;
  readonly isKept: boolean;
  readonly keptAt?: number;
  readonly review?: ChangeReview;
}

export type ChangeReview = Immutable<z.infer<typeof reviewSchema>>;

export function writeLedgerRecord(record: LedgerRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Reads the records in order. Lines that are damaged or of a newer version are skipped. */
export async function readLedger(lines: string): Promise<readonly LedgerRecord[]> {
  const slices = new TimeSlices();
  const records: LedgerRecord[] = [];
  for (const line of lines.split("\n")) {
    const record = readRecord(line);
    if (record) records.push(record);
    if (slices.isSpent) await slices.next();
  }
  return records;
}

function readRecord(line: string): LedgerRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The hashes of all contents that the records name. */
export function hashesIn(records: readonly LedgerRecord[]): readonly string[] {
  return records
    .flatMap((record) => {
      if (record.type === "change") return [record.before?.hash, record.after?.hash];
      return record.type === "settled" || record.type === "reviewed" ? [record.before?.hash, record.after?.hash] : [];
    })
    .filter((hash) => hash !== undefined);
}

/** Applies a record to `changes`, which holds the changes so far by their ids, the oldest first. */
export function reduceLedger(changes: Map<string, FileChange>, record: LedgerRecord): void {
  switch (record.type) {
    case "change": {
      const { type: _type, ...change } = record;
      changes.set(record.id, { ...change, isOpen: true, isKept: false });
      return;
    }
    case "settled": {
      const known = changes.get(record.id);
      if (known === undefined) return;
      const { after: _intended, ...rest } = known;
      const { before, after } = record;
      changes.set(record.id, { ...rest, isOpen: false, ...(before && { before }), ...(after && { after }) });
      return;
    }
    case "reviewed": {
      const known = changes.get(record.change);
      const { type: _type, change: _change, ...review } = record;
      if (known) changes.set(record.change, { ...known, review });
      return;
    }
    case "dropped":
      changes.delete(record.id);
      return;
    case "kept":
      for (const id of record.changes) {
        const known = changes.get(id);
        if (known) changes.set(id, { ...known, isKept: true, ...definedFields({ keptAt: record.at }) });
      }
  }
}

/** The ids of the changes that no undo has taken back, or whose undo was taken back. */
export function liveChanges(changes: readonly FileChange[]): ReadonlySet<string> {
  const reverted = new Set<string>();
  const live = new Set<string>();
  for (const { id, cause } of changes.toReversed()) {
    if (reverted.has(id)) continue;
    live.add(id);
    if (cause.type === "undo") for (const one of cause.reverts) reverted.add(one);
  }
  return live;
}

/** The content of a file for the undo ledger: its bytes on the disk, or the text of an editor with unsaved changes. */
export type FileContent =
  | { readonly as: "file"; readonly bytes: Uint8Array }
  /** Unsaved, in an editor. */
  | { readonly as: "text"; readonly text: string };

/** Bytes. The ledger keeps no larger file, so no tool changes or deletes one. */
const contentCap = 20 * 1024 * 1024;

export function textOf(content: FileContent): string {
  return content.as === "text" ? content.text : decodeText(content.bytes).text;
}

/** Encodes a text that was only in an editor as UTF-8. A file in another encoding is in the ledger as bytes. */
export function bytesOf(content: FileContent): Uint8Array {
  return content.as === "file" ? content.bytes : new TextEncoder().encode(content.text);
}

export function isSameContent(one: FileContent | undefined, other: FileContent | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.as === "file" && other.as === "file") return Buffer.compare(one.bytes, other.bytes) === 0;
  return textOf(one) === textOf(other);
}

/** Whether it is a text that can be compared and merged by lines. */
export function isText(content: FileContent): boolean {
  if (content.as === "text") return true;
  const { text, isDamaged } = decodeText(content.bytes);
  return !isDamaged && !text.includes("\0");
}

/**
 * Reads the text of an editor where one has the file with unsaved changes, else the file. `undefined` when nothing is there. Rejects with a
 * `ToolRefusal` for anything but a regular file that the ledger can keep.
 */
export async function readContent(workspace: Workspace, path: string): Promise<FileContent | undefined> {
  const shown = workspace.shownText(path);
  if (shown !== undefined) return { as: "text", text: shown };
  try {
    if ((await workspace.status(path)).kind !== "file") throw new ToolRefusal("It is no file any more.");
    const file = await workspace.open(path);
    try {
      const bytes = await file.read(contentCap + 1);
      if (bytes.length <= contentCap) return { as: "file", bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissingPath(error)) return undefined;
    throw error;
  }
  throw new ToolRefusal(`The file is larger than ${contentCap / 1024 / 1024} MB; such files are left alone.`);
}

/** The real path of the nearest folder that exists, with the rest of the path appended. */
export async function realPathOf(workspace: Workspace, path: string): Promise<string> {
  try {
    return await workspace.realPath(path);
  } catch {
    const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
    return cut <= 0 ? path : (await realPathOf(workspace, path.slice(0, cut))) + path.slice(cut);
  }
}
