/** The messages between the host and the page of one task. The host chooses the words; the page shows them. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { pageFailed, type PageIntent, projectedReader, taskId, viewReady } from "./pageMessages";

const taskActions = [
  "get-result",
  "open-result",
  "open-externally",
  "save-into-workspace",
  "insert-link",
  "copy-path",
  "duplicate",
  "cancel",
  "reconcile",
  "send-again",
  "copy-curl",
  "copy-prompt",
] as const;
export type TaskAction = (typeof taskActions)[number];

const intent = z.discriminatedUnion("type", [
  viewReady,
  pageFailed,
  z.object({ type: z.literal("task-action"), action: z.enum(taskActions) }),
  /** Opens the page of another task: the one that this was made from. */
  z.object({ type: z.literal("task-open"), task: taskId }),
  z.object({ type: z.literal("batch-open") }),
  /** The raw JSON is expanded: from now on it is part of what the page gets. */
  z.object({ type: z.literal("raw-show") }),
  z.object({ type: z.literal("events-load") }),
]);

export type TaskPageToHost = z.infer<typeof intent>;
export type TaskPageIntent = Exclude<TaskPageToHost, PageIntent>;

export function readTaskPageIntent(value: unknown): TaskPageToHost | undefined {
  const read = intent.safeParse(value);
  return read.success ? read.data : undefined;
}

const text = z.string();
const fact = z.object({ name: text, value: text });

/** How a state is drawn, beside its name: each has an icon and a colour. */
export const stateTones = ["waiting", "running", "succeeded", "failed", "ended", "attention"] as const;
export type StateTone = (typeof stateTones)[number];

/** A file of the results folder, by its address for the page. */
export const shownFile = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image"), url: text, thumbnail: z.exactOptional(text) }),
  z.object({ kind: z.literal("video"), url: text, thumbnail: z.exactOptional(text) }),
  /** Of a type that a page can't show. */
  z.object({ kind: z.literal("other"), name: text }),
]);

const result = z.discriminatedUnion("state", [
  /** There is none yet, or there will be none. */
  z.object({ state: z.literal("none"), why: text, isAwaited: z.boolean() }),
  /** The gateway has it, and this machine does not. */
  z.object({ state: z.literal("remote") }),
  z.object({ state: z.literal("loading") }),
  z.object({ state: z.literal("here"), file: shownFile }),
]);

const taskView = z.object({
  id: text,
  title: text,
  state: z.object({ name: text, tone: z.enum(stateTones), sentence: text }),
  /** Type, model, created, finished. */
  facts: z.array(fact),
  result,
  prompt: text,
  parameters: z.array(fact),
  money: text,
  /** The ids by which a gateway's support finds the task and its hold. */
  ids: z.array(fact),
  /** Oldest first. */
  timeline: z.array(z.object({ id: text, at: text, text, state: z.exactOptional(text) })),
  /** Whether the gateway's events are part of the timeline. */
  events: z.enum(["none", "loading", "shown", "failed"]),
  duplicatedFrom: z.exactOptional(z.object({ task: z.exactOptional(text), title: text })),
  /** How many tasks of its batch there are. */
  batch: z.exactOptional(z.number()),
  /** What *Reconcile* means, while the outcome is unknown. */
  unknown: z.exactOptional(text),
  raw: z.exactOptional(text),
  /** Those that can be taken now. */
  actions: z.array(z.enum(taskActions)),
});

export type TaskView = Immutable<z.infer<typeof taskView>>;
export type TaskResultView = TaskView["result"];
export type ShownFile = Immutable<z.infer<typeof shownFile>>;

/** `subject` is the task's id; `task` is missing while the task is not on the list. */
const snapshot = z.object({ subject: text, task: z.exactOptional(taskView) });
export type TaskPageSnapshot = Immutable<z.infer<typeof snapshot>>;

/** The page compares what it drew with what comes, so an event holds everything. */
const event = z.object({ type: z.literal("task-shown"), snapshot });
export type TaskPageEvent = Immutable<z.infer<typeof event>>;

export const readTaskPageMessage = projectedReader(snapshot, event);

export function reduceTaskPage(_before: TaskPageSnapshot, event: TaskPageEvent): TaskPageSnapshot {
  return event.snapshot;
}

/** For the projector: the last one says everything. */
export function lastOf<E>(_last: E, next: E): E {
  return next;
}
