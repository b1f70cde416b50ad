/** The messages about the tasks of a chat. The page names those whose cards are drawn, and the host says what the task board has of them. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { promptCap } from "../domain/transcript";
import { taskId } from "./pageMessages";
import { shownFile, stateTones } from "./taskPageMessages";

const jobActions = [
  "reconcile",
  "send-again",
  "cancel",
  "open-result",
  "save-into-workspace",
  "insert-link",
  "open-task",
] as const;
export type JobAction = (typeof jobActions)[number];

/** More cards are never near the view, but for those of one task entry that has more. */
export const mostWatched = 500;

export const jobIntents = [
  /** Asks in the quick pick what the prompt is to become, and submits it as a task. Empty: the prompt is asked for too. */
  z.object({ type: z.literal("task-submit"), text: z.string().check(z.maxLength(promptCap)) }),
  /** All tasks whose cards are drawn now, in place of those before. */
  z.object({ type: z.literal("jobs-watch"), tasks: z.array(taskId).check(z.maxLength(mostWatched)) }),
  z.object({ type: z.literal("job-action"), task: taskId, action: z.enum(jobActions) }),
] as const;

const text = z.string();

const jobView = z.object({
  /** The id of the task's intent. */
  id: text,
  state: z.object({ name: text, tone: z.enum(stateTones) }),
  /** Its first line. */
  prompt: text,
  /** Type, model, and what the state does not say: stale, cancel requested. */
  facts: z.array(text),
  /** What went wrong and what it means, while there is something to decide. */
  problem: z.exactOptional(text),
  money: text,
  file: z.exactOptional(shownFile),
  actions: z.array(z.enum(jobActions)),
  /** All of it in a sentence, for screen readers. */
  spoken: text,
});
export type JobView = Immutable<z.infer<typeof jobView>>;

/** Without a view: the task is not on the list. */
const jobState = z.object({ id: text, view: z.exactOptional(jobView) });
export type JobState = Immutable<z.infer<typeof jobState>>;

export const jobsMessage = z.object({ type: z.literal("jobs"), jobs: z.array(jobState) });
