/** Takes over the tasks of the journal of lines that earlier versions kept. The file stays beside the database under another name. */
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import * as z from "zod/mini";
import type { Database } from "../../base/database/database";
import { parseJson } from "../../base/jsonValue";
import { momentSchema } from "../../base/momentSchema";
import { appErrorSchema } from "../../domain/errors/appErrorSchema";
import { intentIdOf, type TaskRecord } from "../../domain/task/taskRecord";
import {
  cancelProgressSchema,
  createdTaskSchema,
  remoteTaskSchema,
  taskEventSchema,
  taskIntentSchema,
} from "../../domain/task/taskSchema";
import { applyRecord } from "./taskRows";

const of = { id: z.string(), at: momentSchema };
const failed = { ...of, error: appErrorSchema };
const recordSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("task-intended"), intent: taskIntentSchema }),
  z.object({ type: z.literal("task-sending"), ...of }),
  z.object({ type: z.literal("task-accepted"), ...of, created: createdTaskSchema }),
  z.object({ type: z.literal("task-not-accepted"), ...failed }),
  z.object({ type: z.literal("task-outcome-unknown"), ...failed }),
  z.object({ type: z.literal("task-read"), ...of, remote: remoteTaskSchema }),
  z.object({ type: z.literal("task-events"), ...of, events: z.array(taskEventSchema) }),
  z.object({ type: z.literal("task-cancel"), id: z.string(), cancel: cancelProgressSchema }),
  z.object({ type: z.literal("task-saved"), ...of, path: z.string() }),
  z.object({ type: z.literal("task-removed"), ...of }),
]);

/**
 * Returns how many lines could not be read. A task that the database has already is left as it is there: so a kill
 * between the import and the change of name does no harm.
 */
export async function importJournal(database: Database, journal: string): Promise<number> {
  if (!existsSync(journal)) return 0;
  const text = await readFile(journal, "utf8");
  let unreadable = 0;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const records = lines.flatMap((line) => {
    const record = readTaskRecord(parseJson(line));
    if (record === undefined) unreadable += 1;
    return record ?? [];
  });
  await database.write((connection) => {
    const known = new Set(connection.all("SELECT id FROM task").map(({ id }) => id));
    const written = new Map<string, number>();
    for (const record of records) {
      if (!known.has(intentIdOf(record))) applyRecord(connection, { record }, written);
    }
  });
  await rename(journal, `${journal}.imported`);
  return unreadable;
}

/** `undefined` when the line can't be read by this version. */
export function readTaskRecord(line: unknown): TaskRecord | undefined {
  const read = recordSchema.safeParse(line);
  return read.success ? read.data : undefined;
}
