/** The messages between the host and the page that shows the variants of a batch side by side. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { pageFailed, type PageIntent, projectedReader, taskId, viewReady } from "./pageMessages";
import { shownFile, stateTones } from "./taskPageMessages";

const intent = z.discriminatedUnion("type", [
  viewReady,
  pageFailed,
  z.object({ type: z.literal("task-open"), task: taskId }),
  /** Puts the variant at the destination of its task. */
  z.object({ type: z.literal("variant-keep"), task: taskId }),
  /** Downloads the results that are not on this machine. */
  z.object({ type: z.literal("results-get") }),
]);

export type BatchPageToHost = z.infer<typeof intent>;
export type BatchPageIntent = Exclude<BatchPageToHost, PageIntent>;

export function readBatchPageIntent(value: unknown): BatchPageToHost | undefined {
  const read = intent.safeParse(value);
  return read.success ? read.data : undefined;
}

const text = z.string();

const variant = z.object({
  /** The task's id. */
  id: text,
  prompt: text,
  state: z.object({ name: text, tone: z.enum(stateTones) }),
  seed: z.exactOptional(text),
  /** How long it took. */
  time: z.exactOptional(text),
  file: z.exactOptional(shownFile),
  /** There is a result: it can be kept. */
  canKeep: z.boolean(),
  /** The variant in a sentence, for screen readers. */
  spoken: text,
});
export type VariantView = Immutable<z.infer<typeof variant>>;

/** `summary`: states and money of the batch, each in one line. */
const summary = z.object({ title: text, states: text, money: text });

/** `subject` is the batch's id. */
const snapshot = z.object({
  subject: text,
  summary,
  /** The results are being downloaded. */
  isGettingResults: z.boolean(),
  variants: z.array(variant),
});
export type BatchPageSnapshot = Immutable<z.infer<typeof snapshot>>;

/** `variants` are those that changed; `order` all there are. */
const event = z.object({
  type: z.literal("variants-changed"),
  summary,
  isGettingResults: z.boolean(),
  variants: z.array(variant),
  order: z.array(text),
});
export type BatchPageEvent = Immutable<z.infer<typeof event>>;

export const readBatchPageMessage = projectedReader(snapshot, event);

/** A variant that did not change stays the same object. */
export function reduceBatchPage(before: BatchPageSnapshot, event: BatchPageEvent): BatchPageSnapshot {
  const known = new Map(before.variants.map((one) => [one.id, one]));
  for (const changed of event.variants) known.set(changed.id, changed);
  const { summary, isGettingResults, order } = event;
  return { ...before, summary, isGettingResults, variants: order.flatMap((id) => known.get(id) ?? []) };
}

/** For the projector: what changed in both, the later one last. */
export function mergeBatchEvents(last: BatchPageEvent, next: BatchPageEvent): BatchPageEvent {
  return { ...next, variants: [...last.variants, ...next.variants] };
}
