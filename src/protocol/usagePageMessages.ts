/** The messages between the host and the page that plots the person's own tasks. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { pageFailed, type PageIntent, projectedReader, taskId, viewReady } from "./pageMessages";
import { stateTones } from "./taskPageMessages";

/** How many days are shown. */
export const usageRanges = [7, 30, 90] as const;
export type UsageRange = (typeof usageRanges)[number];
const range = z.union([z.literal(7), z.literal(30), z.literal(90)]);

const intent = z.discriminatedUnion("type", [
  viewReady,
  pageFailed,
  z.object({ type: z.literal("range-choose"), range }),
  /** Lists the tasks of a day; `start` is one that the page was given. */
  z.object({ type: z.literal("day-open"), start: z.number() }),
  z.object({ type: z.literal("day-close") }),
  z.object({ type: z.literal("task-open"), task: taskId }),
  /** Writes what one of the tables shows into a file. */
  z.object({ type: z.literal("csv-export"), table: z.enum(["days", "times"]) }),
]);

export type UsagePageToHost = z.infer<typeof intent>;
export type UsagePageIntent = Exclude<UsagePageToHost, PageIntent>;

export function readUsagePageIntent(value: unknown): UsagePageToHost | undefined {
  const read = intent.safeParse(value);
  return read.success ? read.data : undefined;
}

const text = z.string();
const count = z.number();

const day = z.object({
  start: z.number(),
  /** Such as `12 Nov`. */
  name: text,
  counts: z.object({ succeeded: count, failed: count, ended: count, open: count, refused: count }),
  mostHolds: count,
});
export type UsageDayView = Immutable<z.infer<typeof day>>;

const time = z.object({
  name: text,
  count,
  /** In milliseconds, for the plot, and in words. */
  median: z.number(),
  p90: z.number(),
  medianText: text,
  p90Text: text,
});
export type UsageTimeView = Immutable<z.infer<typeof time>>;

const list = z.object({
  start: z.number(),
  title: text,
  tasks: z.array(z.object({ id: text, title: text, about: text, tone: z.enum(stateTones), state: text })),
  /** How many there are beyond those of `tasks`. */
  more: count,
});

const usage = z.object({
  days: z.array(day),
  times: z.array(time),
  /** Since when, and how many tasks, in a sentence. */
  summary: text,
  /** The most tasks of a day that the person has set. */
  cap: z.exactOptional(count),
});

/** `usage` is missing while it is counted for the first time. */
const snapshot = z.object({
  range,
  usage: z.exactOptional(usage),
  list: z.exactOptional(list),
});
export type UsagePageSnapshot = Immutable<z.infer<typeof snapshot>>;
export type UsageView = Immutable<z.infer<typeof usage>>;
export type UsageListView = Immutable<z.infer<typeof list>>;

const event = z.object({ type: z.literal("usage-shown"), snapshot });
export type UsagePageEvent = Immutable<z.infer<typeof event>>;

export const readUsagePageMessage = projectedReader(snapshot, event);

export function reduceUsagePage(_before: UsagePageSnapshot, event: UsagePageEvent): UsagePageSnapshot {
  return event.snapshot;
}
