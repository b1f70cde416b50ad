/** The lines of the undo ledger of a chat, and the changes that they lead to. Pure. */
import * as z from "zod/mini";
import { TimeSlices } from "../../base/async/timeSlices";
import type { Immutable } from "../../base/immutable";
import { momentSchema } from "../../base/momentSchema";

const text = z.string();
/** The content is a blob of that SHA-256: bytes of a file, or the text of an unsaved editor in UTF-8. */
const keptSchema = z.object({ as: z.enum(["file", "text"]), hash: text });

const causeSchema = z.discriminatedUnion("type", [
  /** A call of a tool. `allowed`: how a person approved it. */
  z.object({ type: z.literal("call"), answer: text, call: text, allowed: text }),
  /** A person took back a part of what the answer had changed. */
  z.object({ type: z.literal("hunk"), answer: text }),
  /** An undo, or the undo of one; `operation` is what one press did. */
  z.object({ type: z.literal("undo"), operation: text, reverts: z.array(text) }),
]);

/** On the disk before the file is changed. */
const changeSchema = z.object({
  type: z.literal("change"),
  id: text,
  at: momentSchema,
  cause: causeSchema,
  /** Absolute, as the editor names the file. */
  path: text,
  /** As it is named in the chat. */
  label: text,
  /** A rename: where it went. What it holds goes with it. */
  to: z.exactOptional(text),
  /** The highest folder that was made for the file: an undo removes it, and those in it, where nothing is left there. */
  madeFolder: z.exactOptional(text),
  /** Missing: there was no file. */
  before: z.exactOptional(keptSchema),
  /** What was to be there; missing: no file. */
  after: z.exactOptional(keptSchema),
});

const recordSchema = z.discriminatedUnion("type", [
  changeSchema,
  /** The change was made, and this is there now. */
  z.object({ type: z.literal("settled"), id: text, after: z.exactOptional(keptSchema) }),
  /** The change was not made. */
  z.object({ type: z.literal("dropped"), id: text }),
  /** A person keeps these changes: they are no longer listed. */
  z.object({ type: z.literal("kept"), changes: z.array(text) }),
]);

export type KeptContent = Immutable<z.infer<typeof keptSchema>>;
export type ChangeCause = Immutable<z.infer<typeof causeSchema>>;
export type LedgerRecord = Immutable<z.infer<typeof recordSchema>>;
export type ChangeRecord = Immutable<z.infer<typeof changeSchema>>;

export interface FileChange extends Omit<ChangeRecord, "type"> {
  /** Between the record and its end: whether it was made is not known. */
  readonly isOpen: boolean;
  readonly isKept: boolean;
}

export function writeLedgerRecord(record: LedgerRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** In order. Lines that are damaged or of a newer version are skipped. */
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

/** Every hash that the records name. */
export function hashesIn(records: readonly LedgerRecord[]): readonly string[] {
  return records
    .flatMap((record) => {
      if (record.type === "change") return [record.before?.hash, record.after?.hash];
      return record.type === "settled" ? [record.after?.hash] : [];
    })
    .filter((hash) => hash !== undefined);
}

/** The changes so far by their ids, the oldest first. */
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
      changes.set(record.id, { ...rest, isOpen: false, ...(record.after && { after: record.after }) });
      return;
    }
    case "dropped":
      changes.delete(record.id);
      return;
    case "kept":
      for (const id of record.changes) {
        const known = changes.get(id);
        if (known) changes.set(id, { ...known, isKept: true });
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
