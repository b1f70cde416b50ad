/** The one file that remembers: each line is one thing that happened, with what it did to the task and to the money together. */
import * as z from "zod/mini";
import { AppendFile } from "../../base/appendFile";
import { ledgerEntrySchema } from "../money/ledger";
import { storedTaskSchema, taskEndSchema } from "../tasks/storedTask";

const at = z.number();

/** A task and its hold stand on the same line: there is no moment at which one is kept without the other. */
const journalRecordSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("deposited"), at, entry: ledgerEntrySchema }),
  z.object({ type: z.literal("task-created"), at, entry: ledgerEntrySchema, task: storedTaskSchema }),
  z.object({
    type: z.literal("task-ended"),
    at,
    entry: ledgerEntrySchema,
    taskId: z.string(),
    end: taskEndSchema,
  }),
  z.object({ type: z.literal("task-refunded"), at, entry: ledgerEntrySchema, taskId: z.string(), reason: z.string() }),
  /** An answer of the chat endpoints, which has no id that anybody could ask for later. */
  z.object({ type: z.literal("charge-opened"), at, entry: ledgerEntrySchema }),
  z.object({ type: z.literal("charge-closed"), at, entry: ledgerEntrySchema }),
]);

export type JournalRecord = z.infer<typeof journalRecordSchema>;

export class Journal {
  readonly #file: AppendFile;
  readonly #records: JournalRecord[];
  readonly #check: () => void;

  private constructor(file: AppendFile, records: JournalRecord[], check: () => void) {
    this.#file = file;
    this.#records = records;
    this.#check = check;
  }

  /**
   * Opens the file and reads it. A line that a kill cut in two is no record, nobody was told of it. Rejects when a whole
   * line is none of ours: sums made from the rest would be wrong.
   * `check` throws when nothing may be written any more.
   */
  static async open(path: string, check: () => void = () => undefined): Promise<Journal> {
    const { file, contents } = await AppendFile.open(path);
    try {
      const records = contents.records.map((record, index) => readRecord(record, index, path));
      return new Journal(file, records, check);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  /** The record has reached the disk when this resolves. */
  async append(record: JournalRecord): Promise<void> {
    this.#check();
    await this.#file.append(record, { sync: true });
    this.#records.push(record);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function readRecord(record: unknown, index: number, path: string): JournalRecord {
  const read = journalRecordSchema.safeParse(record);
  if (read.success) return read.data;
  throw new Error(`record ${index + 1} of ${path} is not one of this gateway's`);
}
