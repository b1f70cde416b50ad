/** How a journal line is read: the file is outside, so nothing in it is trusted to have a shape. */
import * as z from "zod/mini";
import { gatewayErrorSchema as gatewayError } from "../domain/errorSchema";
import { taskStates, taskTypes } from "../domain/task";
import type { TaskRecord } from "../domain/taskRecord";

const text = z.string();
/** Outside these bounds `Date` is invalid, and `Intl.DateTimeFormat` throws a RangeError for it. */
const latest = 8.64e15;
/** Clamped: a record of a paid task counts whatever its time says. */
const moment = z.pipe(
  z.number(),
  z.transform((at) => Math.min(Math.max(at, -latest), latest)),
);

const state = z.enum(taskStates);

const assets = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("assets"),
    imageUrl: z.exactOptional(text),
    videoUrl: z.exactOptional(text),
    thumbnailUrl: z.exactOptional(text),
    seed: z.exactOptional(z.number()),
  }),
  z.object({ kind: z.literal("unreadable"), raw: text }),
]);

const remote = z.object({
  state,
  rawStatus: text,
  model: z.exactOptional(text),
  assets: z.exactOptional(assets),
  createdAt: z.exactOptional(moment),
  completedAt: z.exactOptional(moment),
  errorCode: z.exactOptional(text),
  errorMessage: z.exactOptional(text),
});

/** As `randomUUID` writes it: it becomes part of file names. */
const intentId = text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

const intent = z.object({
  id: intentId,
  idempotencyKey: text,
  home: z.object({ origin: text, baseUrl: text, account: text }),
  type: z.enum(taskTypes),
  model: text,
  prompt: text,
  body: text,
  createdAt: moment,
  batch: z.exactOptional(text),
});

const created = z.object({
  taskId: text,
  holdId: z.exactOptional(text),
  requestId: z.exactOptional(text),
  remote,
  replayed: z.boolean(),
});

const taskEvent = z.object({
  id: text,
  type: text,
  state,
  rawStatus: text,
  message: text,
  createdAt: z.exactOptional(moment),
});

const asked = { reason: text, at: moment };
const cancel = z.discriminatedUnion("state", [
  z.object({ state: z.literal("requested"), ...asked }),
  z.object({ state: z.literal("confirmed"), ...asked }),
  z.object({ state: z.literal("too-late"), ...asked }),
  z.object({ state: z.literal("refused"), ...asked, error: gatewayError }),
]);

const of = { id: text, at: moment };
const record = z.discriminatedUnion("type", [
  z.object({ type: z.literal("task-intended"), intent }),
  z.object({ type: z.literal("task-sending"), ...of }),
  z.object({ type: z.literal("task-accepted"), ...of, created }),
  z.object({ type: z.literal("task-not-accepted"), ...of, error: gatewayError }),
  z.object({ type: z.literal("task-outcome-unknown"), ...of, error: gatewayError }),
  z.object({ type: z.literal("task-read"), ...of, remote }),
  z.object({ type: z.literal("task-events"), ...of, events: z.array(taskEvent) }),
  z.object({ type: z.literal("task-cancel"), id: text, cancel }),
  z.object({ type: z.literal("task-saved"), ...of, path: text }),
  z.object({ type: z.literal("task-removed"), ...of }),
]);

/** A line of the journal as a record; `undefined` when it is none that this version knows. */
export function readTaskRecord(line: unknown): TaskRecord | undefined {
  const read = record.safeParse(line);
  return read.success ? read.data : undefined;
}
