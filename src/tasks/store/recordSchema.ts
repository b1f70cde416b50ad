/** How a line of the journal of earlier versions is read: it is imported once, into the task database. */
import * as z from "zod/mini";
import { appErrorSchema } from "../../domain/errors/appErrorSchema";
import type { TaskRecord } from "../../domain/task/taskRecord";
import { momentSchema } from "../../base/momentSchema";
import {
  cancelProgressSchema,
  createdTaskSchema,
  remoteTaskSchema,
  taskEventSchema,
  taskIntentSchema,
} from "../../domain/task/taskSchema";

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

/** `undefined` when the line can't be read by this version. */
export function readTaskRecord(line: unknown): TaskRecord | undefined {
  const read = recordSchema.safeParse(line);
  return read.success ? read.data : undefined;
}
